/** The JSON texts of a history: the file itself, or what of an export's zip holds conversations, each in UTF-8. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import { openArchive } from '../../documents/archive.ts'
import { encodingOf } from '../../documents/encoding.ts'
import { Unreadable as UnreadableDocument, usualLimits } from '../../documents/limits.ts'
import { feedLimits, Unreadable, type UnreadableReason } from './unreadable.ts'

const chunk = 256 * 1024

/** Memories first, then as they are in the file. Each is to be read before the next is asked for. */
export const textsOf = async function* (path: string): AsyncGenerator<AsyncIterable<Buffer>> {
  if (!(await isZip(path))) return yield inUtf8(createReadStream(path, { highWaterMark: chunk }))
  const { entries, unpacked, ratio } = feedLimits
  const archive = await openArchive(path, { ...usualLimits, entries, entry: unpacked, total: unpacked, ratio }).catch(said)
  try {
    const names = namesWithHistory(archive.names)
    if (names.length === 0 && !archive.names.some((name) => json.test(name))) throw new Unreadable('no_history')
    for (const name of names) yield inUtf8(sayingOurs(archive.read(name)))
  } finally {
    archive.close()
  }
}

const isZip = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const sign = buffer.toString('latin1')
    return sign === 'PK\u0003\u0004' || sign === 'PK\u0005\u0006'
  } finally {
    await file.close()
  }
}

const json = /\.(?:json|jsonl|ndjson)$/i
/** What a Mac puts beside files. */
const shadow = /(?:^|\/)(?:__MACOSX\/|\._)/
const memories = /(?:^|\/)memories(?:-\d+)?\.json$|(?:^|\/)memories\/[^/]+\.json$/i
const conversations = /(?:^|\/)conversations(?:-(?<shard>\d+))?\.json$|(?:^|\/)conversations\/[^/]+\.json$|(?:^|\/)MyActivity\.json$/i
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

/** Without a mark at its beginning. Bytes that are no characters stay, and are replaced where they are read. */
export const inUtf8 = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  const rest = (bytes: Buffer) => (decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes)
  const begin = (bytes: Buffer) => {
    head = undefined
    const encoding = encodingOf(bytes)
    if (encoding !== 'utf-8') decoder = new TextDecoder(encoding)
    return rest(bytes.toString('latin1', 0, 3) === '\u00ef\u00bb\u00bf' ? bytes.subarray(3) : bytes)
  }
  for await (const bytes of chunks) {
    if (!head) {
      yield rest(bytes)
      continue
    }
    head = Buffer.concat([head, bytes])
    if (head.length >= 3) yield begin(head)
  }
  if (head && head.length > 0) yield begin(head)
  if (decoder) yield Buffer.from(decoder.decode())
}

const sayingOurs = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    said(error)
  }
}

/** What the house says of zips, said of a history. */
const said = (error: unknown): never => {
  throw error instanceof UnreadableDocument ? new Unreadable(reasons[error.reason] ?? 'damaged') : error
}

const reasons: Partial<Record<UnreadableDocument['reason'], UnreadableReason>> = {
  encrypted: 'encrypted',
  too_large: 'too_large',
  bomb: 'too_large',
  too_many_entries: 'too_many_entries',
}
