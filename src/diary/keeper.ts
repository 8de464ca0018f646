/**
 * Entry point of a process that seals or opens one diary. To seal, it reads records from stdin and writes to
 * stdout.
 */
import { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { Damaged, TooLarge, Unavailable } from '../../journal/log/errors.ts'
import type { MediaPlace, Outline } from './encrypt-diary.ts'
import type { Manifest } from './format.ts'
import { type DiaryTrouble, DiaryUnopened } from './unopened.ts'

export type KeeperTask =
  | { readonly kind: 'seal'; readonly outline: Outline; readonly media: readonly MediaPlace[] }
  | { readonly kind: 'open'; readonly path: string; readonly identity: string; readonly into: string }

/** An error in serializable form. */
export type Fault =
  | { readonly code: 'unavailable' | DiaryTrouble; readonly message: string }
  | { readonly code: 'broken_journal'; readonly seq: number; readonly message: string }

/** `damaged`: number of sealed files whose checksum differs from their fact. */
export type KeeperAnswer =
  | { readonly manifest: Manifest; readonly damaged?: number; readonly fault?: undefined }
  | { readonly fault: Fault }

const work = async (task: KeeperTask): Promise<KeeperAnswer> => {
  try {
    return await (task.kind === 'open' ? open(task) : seal(task))
  } catch (error) {
    return { fault: toFault(error) }
  }
}

// Loaded on demand: each half is large.
const open = async ({
  path,
  identity,
  into,
}: Extract<KeeperTask, { kind: 'open' }>): Promise<KeeperAnswer> => {
  const { unseal } = await import('./decrypt-diary.ts')
  return { manifest: await unseal(path, identity, into) }
}

const seal = async ({ outline, media }: Extract<KeeperTask, { kind: 'seal' }>): Promise<KeeperAnswer> => {
  const { encryptDiary, surveyDiary } = await import('./encrypt-diary.ts')
  const manifest: Manifest = { ...outline, media: [...(await surveyDiary(media))] }
  const paths = new Map(media.map(({ filename, path }) => [filename, path]))
  let damagedCount = 0
  const onDamaged = (files: number) => {
    damagedCount = files
  }
  const bytes = encryptDiary(
    manifest,
    readRecords(process.stdin),
    (filename) => paths.get(filename) ?? '',
    onDamaged,
  )
  await pipeline(bytes, new Socket({ fd: 1, readable: false, writable: true }))
  return { manifest, damaged: damagedCount }
}

/** Parses framed records from a stream. */
async function* readRecords(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly Buffer[]> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece
    const values: Buffer[] = []
    let position = 0
    for (let end = getEnd(bytes, position); end <= bytes.length; end = getEnd(bytes, position)) {
      values.push(bytes.subarray(position + 4, end))
      position = end
    }
    rest = bytes.subarray(position)
    if (values.length > 0) yield values
  }
}

const getEnd = (bytes: Buffer, position: number): number =>
  position + 4 > bytes.length ? Number.POSITIVE_INFINITY : position + 4 + bytes.readUInt32BE(position)

const toFault = (error: unknown): Fault => {
  if (error instanceof DiaryUnopened) return { code: error.code, message: error.message }
  if (error instanceof Damaged) return { code: 'broken_journal', seq: error.seq, message: error.message }
  const { message, cause } = error as Error
  const systemCode = (cause as { code?: unknown } | undefined)?.code ?? (error as { code?: unknown }).code
  return {
    code: 'unavailable',
    message: `${error instanceof Unavailable || error instanceof TooLarge ? message : 'it failed'}${typeof systemCode === 'string' ? ` (${systemCode})` : ''}`,
  }
}

// A promise that a library does not await must not end this process.
process.on('unhandledRejection', () => {})
// Ctrl-C reaches all processes of the terminal. This one ends with its parent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit())
process.once('message', (task) => void work(task as KeeperTask).then((answer) => process.send?.(answer)))
