/** Bytes kept once under their own hash: parts of model calls that are no fact's words. */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { decode, encode } from '@msgpack/msgpack'
import pLimit from 'p-limit'
import type { Seq, Sha256 } from '../facts/fact-values.ts'
import type { PersonaEvent } from '../facts/facts.ts'
import type { Pruning } from './journal.ts'
import { partKey, prunedMark } from './keys.ts'
import { sealed, trusted } from './seal.ts'
import type { Store } from './store.ts'

const pack = promisify(brotliCompress)
const unpack = promisify(brotliDecompress)

// ⏱ Quality 4: a ratio of 4.5 at 134 MB/s.
const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }

/** Some kilobytes of names. */
const mostKnown = 64

export interface Parts {
  /** On disk when it resolves. */
  put(bytes: Uint8Array): Promise<Sha256>
  /** Facts are on disk now: what they name is theirs, and no longer on its way. */
  named(events: readonly PersonaEvent[]): void
  pruning(): Pruning
}

/** `write` reaches the store that is open now. */
export const createParts = (write: <T>(act: (store: Store) => Promise<T>) => Promise<T>): Parts => {
  /** Put, and named by no fact yet: how often. */
  const promised = new Map<Sha256, number>()
  /** Known to be there, the latest last: most calls are made of the same. */
  const there = new Set<Sha256>()
  /** What each pruning that goes on must leave. */
  const spared = new Set<Set<Sha256>>()
  // One that is found there must not be removed before whoever found it has named it.
  const alone = pLimit(1)

  const promise = (sha: Sha256, by: 1 | -1) => {
    const count = (promised.get(sha) ?? 0) + by
    if (count > 0) promised.set(sha, count)
    else promised.delete(sha)
  }

  const note = (sha: Sha256) => {
    there.delete(sha)
    there.add(sha)
    for (const oldest of there) {
      if (there.size <= mostKnown) return
      there.delete(oldest)
    }
  }

  return {
    put: async (bytes) => {
      const sha = shaOf(bytes)
      promise(sha, 1)
      for (const parts of spared) parts.add(sha)
      try {
        if (!there.has(sha)) await alone(() => write((store) => putPart(store, sha, bytes)))
        note(sha)
        return sha
      } catch (error) {
        promise(sha, -1)
        throw error
      }
    },
    named: (events) => {
      for (const event of events) for (const sha of partsNamedBy(event)) promise(sha, -1)
    },
    pruning: () => {
      const mine = new Set(promised.keys())
      spared.add(mine)
      return {
        begun: () => write(prunedUpTo),
        drop: (parts) =>
          alone(() =>
            write((store) => {
              const gone = parts.filter((sha) => !mine.has(sha))
              // At once: whoever puts one of them from now on waits for this to be over, and puts it anew.
              for (const sha of gone) there.delete(sha)
              return store.batch(
                gone.map((sha) => ({ type: 'del', key: partKey(sha) })),
                { sync: false },
              )
            }),
          ),
        done: (upTo) => write((store) => store.batch([sealed(prunedMark, encode(upTo))], { sync: false })),
        end: () => void spared.delete(mine),
      }
    },
  }
}

/** What lies beside the journal because of a fact. */
export const partsNamedBy = (event: PersonaEvent): readonly Sha256[] => {
  if (event.type !== 'ModelAnswered') return []
  const { recipe, answer, opaque } = event
  const parts = (recipe?.parts ?? []).filter((part) => typeof part === 'string')
  const sent = opaque ? [...parts, opaque] : parts
  return answer && 'part' in answer ? [...sent, answer.part] : sent
}

const putPart = async (store: Store, sha: Sha256, bytes: Uint8Array): Promise<void> => {
  const key = partKey(sha)
  if (!(await trusted(store, key)))
    await store.batch([sealed(key, await pack(bytes, { params }))], { sync: true })
}

/** Undefined where there is none, or none that is what its name says. */
export const partOf = async (store: Store, sha: Sha256): Promise<Uint8Array | undefined> => {
  const packed = await trusted(store, partKey(sha))
  if (!packed) return undefined
  const bytes = await unpack(packed).catch(() => undefined)
  return bytes && shaOf(bytes) === sha ? bytes : undefined
}

const prunedUpTo = async (store: Store): Promise<Seq | 0> => {
  const mark = await trusted(store, prunedMark)
  const upTo = mark && decode(mark)
  return typeof upTo === 'number' && Number.isSafeInteger(upTo) ? upTo : 0
}

const shaOf = (bytes: Uint8Array): Sha256 => hash('sha256', bytes)
