/**
 * Seals and opens diaries: a whole persona, encrypted for its recovery phrase. Each is opened in its own
 * process, since it is untrusted and an exhausted heap ends a process. A large one is sealed in a process
 * too: pipes give backpressure, and the daemon stays responsive.
 */
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import { createMark } from '../../packages/kit/processes/process-mark.ts'
import type { MediaPlace, Outline } from './encrypt-diary.ts'
import { addLengthPrefix, type Manifest } from './format.ts'
import type { Fault, KeeperAnswer, KeeperTask } from './keeper.ts'
import { DiaryUnopened, isOfTheSystem } from './unopened.ts'

export interface Sealing {
  /** Contains the recipient. */
  readonly outline: Outline
  /** All raw records, from the first to the head in the outline. */
  readonly records: AsyncIterable<readonly Uint8Array[]>
  /** In any order. Missing files are skipped, and each is sealed as it is now. */
  readonly media: readonly MediaPlace[]
  readonly signal?: AbortSignal
  /** Called with the number of files whose checksum differs from their fact. They are sealed as they are. */
  readonly onDamaged?: (files: number) => void
}

/**
 * Streams a diary. Only a stream that ends without an error is complete; a reader that stops ends the work.
 * Throws Damaged if the records do not match the outline, Unavailable, the signal's reason, or errors of
 * `records`.
 */
export const sealDiary = (context: Sealing): AsyncGenerator<Buffer> =>
  isSmall(context) ? sealInProcess(context) : sealInChild(context)

/** Measured: a process takes 100 ms of CPU to start, ten times as long as sealing a small diary. */
const smallLimits = { records: 1000, bytes: 1024 * 1024 }

const isSmall = ({ outline, media }: Sealing): boolean =>
  outline.records <= smallLimits.records &&
  media.reduce((sum, { bytes }) => sum + bytes, 0) <= smallLimits.bytes

async function* sealInProcess({
  outline,
  records,
  media,
  signal,
  onDamaged,
}: Sealing): AsyncGenerator<Buffer> {
  const { encryptDiary, surveyDiary } = await import('./encrypt-diary.ts')
  signal?.throwIfAborted()
  const paths = new Map(media.map(({ filename, path }) => [filename, path]))
  const manifest: Manifest = { ...outline, media: [...(await surveyDiary(media))] }
  try {
    for await (const piece of encryptDiary(
      manifest,
      records,
      (filename) => paths.get(filename) ?? '',
      onDamaged,
    )) {
      signal?.throwIfAborted()
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    }
  } catch (cause) {
    throw isOfTheSystem(cause) ? new Unavailable('its files cannot be read', { cause }) : cause
  }
}

async function* sealInChild({ outline, records, media, signal, onDamaged }: Sealing): AsyncGenerator<Buffer> {
  const keeper = await startKeeper({ pipes: 'pipe', env: allocatorEnv, signal })
  const { stdin, stdout } = keeper.child
  if (!stdin || !stdout) throw new Unavailable('no diary can be made')
  let readFailure: { readonly error: unknown } | undefined
  const frames = async function* () {
    try {
      for await (const page of records) yield Buffer.concat(page.map(addLengthPrefix))
    } catch (error) {
      readFailure = { error }
      throw error
    }
  }
  // If the keeper is gone, its exit reports why, not the broken pipe.
  const feedTask = pipeline(frames, stdin).catch(() => readFailure && keeper.end())
  // The output of a failed keeper is useless, and its pipe may stay open.
  const failureTask = keeper.answer.then(({ fault }) => fault && keeper.end()).catch(() => undefined)
  try {
    keeper.assign({ kind: 'seal', outline, media })
    for await (const piece of stdout) yield piece as Buffer
    const answer = await keeper.answer
    if (readFailure) throw readFailure.error
    if ('damaged' in answer && answer.damaged) onDamaged?.(answer.damaged)
    if (answer.fault)
      throw answer.fault.code === 'damaged' ? new Unavailable(answer.fault.message) : toError(answer.fault)
  } catch (error) {
    throw readFailure ? readFailure.error : error
  } finally {
    await keeper.end()
    await Promise.all([feedTask, failureTask])
  }
}

export interface OpenedDiary {
  readonly manifest: Manifest
  /** Contains `journal` (a store with only the records) and `media`. All synced. */
  readonly folder: string
  /** Removes the folder if it still exists. Never rejects. */
  drop(): Promise<void>
}

/**
 * Checks a diary and unpacks it into a new folder. Cleans up and throws DiaryUnopened, Unavailable or the
 * signal's reason.
 */
export const openDiary = async (
  path: string,
  identity: string,
  parentFolder: string,
  signal?: AbortSignal,
): Promise<OpenedDiary> => {
  const folder = join(parentFolder, `diary-${randomUUID()}`)
  const drop = () => rm(folder, { recursive: true, force: true }).catch(() => undefined)
  const keeper = await startKeeper({ pipes: 'ignore', signal })
  try {
    keeper.assign({ kind: 'open', path, identity, into: folder })
    const answer = await keeper.answer
    if (answer.fault) throw toError(answer.fault)
    return { manifest: answer.manifest, folder, drop }
  } catch (error) {
    // The process first: it would continue to write.
    await keeper.end()
    await drop()
    throw error
  } finally {
    await keeper.end()
  }
}

const toError = (fault: Fault): Error => {
  if (fault.code === 'broken_journal')
    return new Damaged(fault.seq, fault.message.replace(/^record \d+: /, ''))
  return fault.code === 'unavailable'
    ? new Unavailable(fault.message)
    : new DiaryUnopened(fault.code, fault.message)
}

interface Keeper {
  readonly child: ChildProcess
  assign(task: KeeperTask): void
  /** Rejects with Unavailable if the process ended before its answer, or with the signal's reason. */
  readonly answer: Promise<KeeperAnswer>
  /** Kills the process. Resolves when it is gone. */
  end(): Promise<void>
}

/** Relative path of the built `keeper.ts`, defined by the build. */
declare const DIARY_KEEPER: string | undefined
const keeperFile = new URL(typeof DIARY_KEEPER === 'string' ? DIARY_KEEPER : './keeper.ts', import.meta.url)

/** Environment variables that Node needs. No others, since they may hold keys. */
const envNames = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TZ']

/** In MB. Buffers are outside of the heap; the largest manifest takes a third. */
const heapMb = 512
/** In MB, per semi-space. Measured: Node's default of 16 takes 20 MB more and is no faster. */
const semiSpaceMb = 8

/**
 * glibc keeps the pages of short-lived buffers instead of returning each to the system. In bytes; ignored by
 * other C libraries (mallopt(3)).
 */
const allocatorEnv = { MALLOC_MMAP_THRESHOLD_: String(4 * 2 ** 20), MALLOC_TRIM_THRESHOLD_: String(2 ** 24) }

interface Start {
  readonly pipes: 'pipe' | 'ignore'
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

const startKeeper = async ({ pipes, env, signal }: Start): Promise<Keeper> => {
  // Loaded late: most runs of the daemon need it once a day.
  const { fork } = await import('node:child_process')
  const { watchChild, watchMark } = await import('../../packages/kit/processes/process-watcher.ts')
  const mark = await createMark(null)
  signal?.throwIfAborted()
  const unwatch = watchMark(mark)
  const child = fork(fileURLToPath(keeperFile), {
    stdio: [pipes, pipes, 'ignore', 'ipc'],
    serialization: 'advanced',
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMb}`, `--max-semi-space-size=${semiSpaceMb}`],
    env: {
      ...Object.fromEntries(
        envNames.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
      ),
      ...env,
      ...mark?.env,
    },
  })
  watchChild(child, mark)
  const abort = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', abort)
  const exitTask = new Promise<KeeperAnswer>((resolve, reject) => {
    child.once('error', (cause) => reject(new Unavailable('no process can be started', { cause })))
    child.once('exit', (code, killer) => {
      // Only the content of a diary can exhaust the heap.
      if (code === 134 || killer === 'SIGABRT' || killer === 'SIGTRAP')
        resolve({ fault: { code: 'damaged', message: 'it needs too much memory' } })
      reject(
        signal?.aborted
          ? (signal.reason as Error)
          : new Unavailable('the process of the diary ended unexpectedly'),
      )
    })
  }).finally(() => {
    signal?.removeEventListener('abort', abort)
    unwatch()
  })
  exitTask.catch(() => undefined)
  const answer = Promise.race([
    new Promise<KeeperAnswer>((resolve) =>
      child.once('message', (message) => resolve(message as KeeperAnswer)),
    ),
    exitTask,
  ])
  answer.catch(() => undefined)
  return {
    child,
    // A failed send is reported by the exit.
    assign: (task) => void child.send(task, () => {}),
    answer,
    end: async () => {
      child.kill('SIGKILL')
      await exitTask.catch(() => undefined)
    },
  }
}
