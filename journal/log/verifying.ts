/**
 * Verifying a journal from its first record. Those of a long one are hashed in a thread of its own, beside
 * the reading: ⏱ of 10.6 µs of processor time a record 5.4 are left to the thread that others wait for.
 */
import { Worker } from 'node:worker_threads'
import { type Found, inspect, recordAt } from './chain.ts'
import type { PageVerdict, RecordPage } from './chain-thread.ts'
import { createErasures } from './erasures.ts'
import { Damaged } from './errors.ts'
import { type Head, nowhere } from './journal.ts'
import { recordSpan } from './keys.ts'
import { decodeRecord, mayNameMedia } from './record.ts'
import { type Store, Unreadable } from './store.ts'
import type { StoredRecord } from './stored-record.ts'

export interface Verifying {
  /** Undefined where it is damaged: then it goes as far as it can be read. */
  readonly to: Head | undefined
  readonly witness: Head
  /** Handed the records that hold and may name a file, in order. */
  readonly each: (record: StoredRecord) => void
}

/** Below so many a thread costs more than it spares. */
const many = 20_000

/** What is wrong is told by the inspection alone, which has every reason. Unavailable. */
export const verifyRecords = async (store: Store, asked: Verifying, apartFrom = many): Promise<Found> => {
  const { to, witness } = asked
  let told = 0
  const each = (record: StoredRecord): void => {
    if (record.seq <= told || !mayNameMedia(record)) return
    asked.each(record)
    told = record.seq
  }
  if (to && to.seq >= apartFrom && (await holdsApart(store, { to, witness, each }))) return { head: to }
  return inspect(store, nowhere, witness, to, each)
}

/** False also where a thread cannot tell. */
const holdsApart = async (
  store: Store,
  { to, witness, each }: Verifying & { readonly to: Head },
): Promise<boolean> => {
  const thread = startThread()
  const erasures = createErasures()
  const tell = (verdicts: readonly PageVerdict[]): void => {
    for (const { seq, value } of verdicts.flatMap(({ telling }) => telling)) {
      const record = decodeRecord(seq, value)
      erasures.take(record)
      each(record)
    }
  }
  try {
    if (witness.seq > 0 && (await recordAt(store, witness.seq))?.hash !== witness.hash) return false
    for await (const values of store.values(recordSpan(0, to.seq))) {
      tell(await thread.take(pageOf(values)))
      if (thread.head() === undefined) return false
    }
    tell(await thread.rest())
    const head = thread.head()
    return head?.seq === to.seq && head.hash === to.hash && erasures.unnamed().length === 0
  } catch (error) {
    if (error instanceof Unreadable || error instanceof Damaged) return false
    throw error
  } finally {
    await thread.end()
  }
}

const pageOf = (values: readonly Buffer[]): RecordPage => {
  const bytes = new Uint8Array(values.reduce((sum, { length }) => sum + length, 0))
  const ends = new Uint32Array(values.length)
  let at = 0
  for (const [n, value] of values.entries()) {
    bytes.set(value, at)
    at += value.length
    ends[n] = at
  }
  return { bytes, ends }
}

/** Where a build has put `chain-thread.ts`, seen from here; told by the build. */
declare const CHAIN_THREAD: string | undefined
const file = new URL(typeof CHAIN_THREAD === 'string' ? CHAIN_THREAD : './chain-thread.ts', import.meta.url)

/** Pages on their way: a thread that is slower than the disk is waited for. */
const mostPages = 8

const startThread = () => {
  const worker = new Worker(file, {
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
  })
  let verdicts: PageVerdict[] = []
  let head: Head | undefined = nowhere
  let pages = 0
  let wake = () => {}
  const gone = () => {
    head = undefined
    wake()
  }
  worker.on('message', (verdict: PageVerdict) => {
    pages--
    verdicts.push(verdict)
    head = verdict.sound && head ? verdict.head : undefined
    wake()
  })
  worker.on('error', gone).on('exit', gone)
  /** What was told by then. */
  const until = async (most: number): Promise<readonly PageVerdict[]> => {
    while (head && pages > most)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    const told = verdicts
    verdicts = []
    return told
  }
  return {
    /** Undefined once anything does not hold. */
    head: () => head,
    take: (page: RecordPage) => {
      pages++
      worker.postMessage(page, [page.bytes.buffer as ArrayBuffer, page.ends.buffer as ArrayBuffer])
      return until(mostPages)
    },
    rest: () => until(0),
    end: () => worker.terminate(),
  }
}
