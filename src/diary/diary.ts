/**
 * Diaries: everything it is, sealed for its recovery phrase alone. Each is opened in a process of its own: it
 * may come from anybody, and what fills the heap of a thread ends the whole daemon. One of a long life is
 * made in such a process, too: pipes give back-pressure, and its work is not the daemon's.
 */
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import { createMark } from '../processes/process-mark.ts'
import { framed, type Manifest } from './format.ts'
import type { Answer, Fault, Task } from './keeper.ts'
import type { MediaPlace, Outline } from './sealing.ts'
import { DiaryUnopened, isOfTheSystem } from './unopened.ts'

export interface Sealing {
  /** For whom it is sealed stands in it. */
  readonly outline: Outline
  /** Its records as they lie, from the first to the head that the outline tells. */
  readonly records: AsyncIterable<readonly Uint8Array[]>
  /** Its files, in any order. One that is gone is left out; each is told as it lies there now. */
  readonly media: readonly MediaPlace[]
  readonly signal?: AbortSignal
  /** Told how many files are not what their facts say, and were sealed as they lie. */
  readonly onDamaged?: (files: number) => void
}

/**
 * The bytes of a diary; whoever stops reading them ends the work. Only one that has ended without an error is
 * whole. Throws Damaged where the records are not what the outline tells, Unavailable, the signal's reason,
 * and what `records` throws.
 */
export const sealDiary = (sealing: Sealing): AsyncGenerator<Buffer> =>
  isShort(sealing) ? sealHere(sealing) : sealApart(sealing)

/** ⏱ A process takes 100 ms of a core to start, which a young life is sealed in ten times over. */
const short = { records: 1000, bytes: 1024 * 1024 }

const isShort = ({ outline, media }: Sealing): boolean =>
  outline.records <= short.records && media.reduce((sum, { bytes }) => sum + bytes, 0) <= short.bytes

async function* sealHere({ outline, records, media, signal, onDamaged }: Sealing): AsyncGenerator<Buffer> {
  const { sealed, surveyed } = await import('./sealing.ts')
  signal?.throwIfAborted()
  const paths = new Map(media.map(({ filename, path }) => [filename, path]))
  const manifest: Manifest = { ...outline, media: [...(await surveyed(media))] }
  try {
    for await (const piece of sealed(manifest, records, (filename) => paths.get(filename) ?? '', onDamaged)) {
      signal?.throwIfAborted()
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    }
  } catch (cause) {
    throw isOfTheSystem(cause) ? new Unavailable('its files cannot be read', { cause }) : cause
  }
}

async function* sealApart({ outline, records, media, signal, onDamaged }: Sealing): AsyncGenerator<Buffer> {
  const keeper = await startKeeper({ pipes: 'pipe', env: keepsPages, signal })
  const { stdin, stdout } = keeper.child
  if (!stdin || !stdout) throw new Unavailable('no diary can be made')
  let unread: { readonly error: unknown } | undefined
  const frames = async function* () {
    try {
      for await (const page of records) yield Buffer.concat(page.map(framed))
    } catch (error) {
      unread = { error }
      throw error
    }
  }
  // A keeper that is gone says why by its end, not by its pipe.
  const feeding = pipeline(frames, stdin).catch(() => unread && keeper.end())
  // What has come of one that failed is worth nothing, and its pipe may stay open.
  const failing = keeper.answer.then(({ fault }) => fault && keeper.end()).catch(() => undefined)
  try {
    keeper.give({ kind: 'seal', outline, media })
    for await (const piece of stdout) yield piece as Buffer
    const answer = await keeper.answer
    if (unread) throw unread.error
    if ('damaged' in answer && answer.damaged) onDamaged?.(answer.damaged)
    if (answer.fault)
      throw answer.fault.code === 'damaged' ? new Unavailable(answer.fault.message) : errorOf(answer.fault)
  } catch (error) {
    throw unread ? unread.error : error
  } finally {
    await keeper.end()
    await Promise.all([feeding, failing])
  }
}

export interface OpenedDiary {
  readonly manifest: Manifest
  /** Holds `journal`, a store of its records alone, and `media`, each file by its name; all of it synced. */
  readonly folder: string
  /** No trouble where it was moved away. Never rejects. */
  drop(): Promise<void>
}

/**
 * Checks all of it and lays it out in a new folder within another. Throws DiaryUnopened, Unavailable or the
 * signal's reason, and nothing of it is left then.
 */
export const openDiary = async (
  path: string,
  identity: string,
  within: string,
  signal?: AbortSignal,
): Promise<OpenedDiary> => {
  const folder = join(within, `diary-${randomUUID()}`)
  const drop = () => rm(folder, { recursive: true, force: true }).catch(() => undefined)
  const keeper = await startKeeper({ pipes: 'ignore', signal })
  try {
    keeper.give({ kind: 'open', path, identity, into: folder })
    const answer = await keeper.answer
    if (answer.fault) throw errorOf(answer.fault)
    return { manifest: answer.manifest, folder, drop }
  } catch (error) {
    // Gone first: it would go on writing.
    await keeper.end()
    await drop()
    throw error
  } finally {
    await keeper.end()
  }
}

const errorOf = (fault: Fault): Error => {
  if (fault.code === 'broken_journal')
    return new Damaged(fault.seq, fault.message.replace(/^record \d+: /, ''))
  return fault.code === 'unavailable'
    ? new Unavailable(fault.message)
    : new DiaryUnopened(fault.code, fault.message)
}

interface Keeper {
  readonly child: ChildProcess
  give(task: Task): void
  /**
   * Rejects with Unavailable where it ended before it answered, with the signal's reason where that was why.
   */
  readonly answer: Promise<Answer>
  /** Ends it, whatever it does; resolves when it is gone. */
  end(): Promise<void>
}

/** Where a build has put `keeper.ts`, seen from here; told by the build. */
declare const DIARY_KEEPER: string | undefined
const keeperFile = new URL(typeof DIARY_KEEPER === 'string' ? DIARY_KEEPER : './keeper.ts', import.meta.url)

/** What Node needs to start, nothing else of ours: no key that stands in the environment. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TZ']

/** Megabytes of heap. Bytes lie outside of it; a manifest with all it may hold takes a third. */
const heap = 512
/** Megabytes of each half of its young part. ⏱ With Node's 16 it takes 20 MB more and is no faster. */
const youngHeap = 8

/**
 * Its buffers come and go by the thousand: glibc is to keep their pages instead of handing each back to the
 * system. Bytes; read by glibc alone (mallopt(3)).
 */
const keepsPages = { MALLOC_MMAP_THRESHOLD_: String(4 * 2 ** 20), MALLOC_TRIM_THRESHOLD_: String(2 ** 24) }

interface Start {
  readonly pipes: 'pipe' | 'ignore'
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

const startKeeper = async ({ pipes, env, signal }: Start): Promise<Keeper> => {
  // Not loaded when the daemon starts, since a diary is made once a day.
  const { fork } = await import('node:child_process')
  const { watchChild, watchMark } = await import('../processes/process-watcher.ts')
  const mark = await createMark(null)
  signal?.throwIfAborted()
  const unwatch = watchMark(mark)
  const child = fork(fileURLToPath(keeperFile), {
    stdio: [pipes, pipes, 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [...process.execArgv, `--max-old-space-size=${heap}`, `--max-semi-space-size=${youngHeap}`],
    env: {
      ...Object.fromEntries(
        passedOn.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
      ),
      ...env,
      ...mark?.env,
    },
  })
  watchChild(child, mark)
  const abort = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', abort)
  const gone = new Promise<Answer>((resolve, reject) => {
    child.once('error', (cause) => reject(new Unavailable('no process can be started', { cause })))
    child.once('exit', (code, killer) => {
      // Only what lies in a diary fills the heap.
      if (code === 134 || killer === 'SIGABRT' || killer === 'SIGTRAP')
        resolve({ fault: { code: 'damaged', message: 'it wants more memory than any' } })
      reject(
        signal?.aborted
          ? (signal.reason as Error)
          : new Unavailable('the process that had the diary is gone'),
      )
    })
  }).finally(() => {
    signal?.removeEventListener('abort', abort)
    unwatch()
  })
  gone.catch(() => undefined)
  const answer = Promise.race([
    new Promise<Answer>((resolve) => child.once('message', (told) => resolve(told as Answer))),
    gone,
  ])
  answer.catch(() => undefined)
  return {
    child,
    // One that is gone before it heard its task is known by its exit.
    give: (task) => void child.send(task, () => {}),
    answer,
    end: async () => {
      child.kill('SIGKILL')
      await gone.catch(() => undefined)
    },
  }
}
