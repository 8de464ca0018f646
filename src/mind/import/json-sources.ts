/**
 * The JSON texts of a history: the file itself, or what of an export's zip holds conversations, each in
 * UTF-8.
 */
import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import { openArchive } from '../../documents/archive.ts'
import { Unreadable as UnreadableDocument, usualLimits } from '../../documents/limits.ts'
import { bytesAt, isZip } from '../../files/magic.ts'
import { encodingIn } from './text-encoding.ts'
import { feedLimits, Unreadable, type UnreadableReason } from './unreadable.ts'

const chunk = 256 * 1024

/** Memories first, then as they are in the file. Each is to be read before the next is asked for. */
export const textsOf = async function* (path: string): AsyncGenerator<AsyncIterable<Buffer>> {
  if (!isZip(await bytesAt(path, 0, 4)))
    return yield inUtf8(() => createReadStream(path, { highWaterMark: chunk }))
  const { entries, directory, unpacked, ratio } = feedLimits
  // Each is begun twice: to see in which encoding it is, and to be read.
  const limits = { ...usualLimits, entries, directory, entry: unpacked, total: 2 * unpacked, ratio }
  const archive = await openArchive(path, limits).catch(said)
  try {
    const names = namesWithHistory(archive.names)
    if (names.length === 0 && !archive.names.some((name) => json.test(name)))
      throw new Unreadable('no_history')
    for (const name of names) yield inUtf8(() => sayingOurs(archive.read(name)))
  } finally {
    archive.close()
  }
}

const json = /\.(?:json|jsonl|ndjson)$/i
/** What a Mac puts beside files. */
const shadow = /(?:^|\/)(?:__MACOSX\/|\._)/
const memories = /(?:^|\/)memories(?:-\d+)?\.json$|(?:^|\/)memories\/[^/]+\.json$/i
const conversations =
  /(?:^|\/)conversations(?:-(?<shard>\d+))?\.json$|(?:^|\/)conversations\/[^/]+\.json$|(?:^|\/)MyActivity\.json$/i
const others =
  /(?:^|\/)(?:users?|user_settings|projects|message_feedback|shared_conversations|model_comparisons|group_chats|shopping|sora|export_manifest|manifest)\.json$|(?:^|\/)(?:projects|textdocs)\//i

/** Shards in their order. Where no name is known, every JSON that is not known to be something else. */
const namesWithHistory = (names: readonly string[]): readonly string[] => {
  const own = names.filter((name) => json.test(name) && !shadow.test(name))
  const remembered = own.filter((name) => memories.test(name))
  const told = own
    .filter((name) => conversations.test(name))
    .map((name) => ({ name, shard: Number(conversations.exec(name)?.groups?.shard ?? -1) }))
    .sort((one, other) => one.shard - other.shard)
    .map(({ name }) => name)
  const known = [...remembered, ...told]
  return known.length > 0 ? known : own.filter((name) => !others.test(name))
}

/**
 * Without a mark at its beginning. Bytes that are no characters of its encoding stay, and are replaced where
 * they are read.
 */
export const inUtf8 = async function* (open: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const encoding = await encodingIn(open())
  if (encoding === 'utf-8') return yield* withoutMark(open())
  const decoder = new TextDecoder(encoding)
  for await (const bytes of open()) yield Buffer.from(decoder.decode(bytes, { stream: true }))
  yield Buffer.from(decoder.decode())
}

const mark = Buffer.from('\ufeff')

const withoutMark = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  const rest = (bytes: Buffer) =>
    bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes
  for await (const bytes of chunks) {
    if (!head) {
      yield bytes
      continue
    }
    head = Buffer.concat([head, bytes])
    if (head.length < mark.length) continue
    yield rest(head)
    head = undefined
  }
  if (head) yield rest(head)
}

const sayingOurs = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    said(error)
  }
}

/** What is said of zips, said of a history. */
const said = (error: unknown): never => {
  throw error instanceof UnreadableDocument ? new Unreadable(reasons[error.reason] ?? 'damaged') : error
}

const reasons: Partial<Record<UnreadableDocument['reason'], UnreadableReason>> = {
  encrypted: 'encrypted',
  too_large: 'too_large',
  bomb: 'too_large',
  too_many_entries: 'too_many_entries',
  list_too_long: 'list_too_long',
}
