/** The parts of a file that hold a history: the file itself, or files in the zip. */
import { createReadStream } from 'node:fs'
import { type Archive, openArchive } from '../documents/archive.ts'
import { fittingCharset } from '../documents/declared-charset.ts'
import { Unreadable as UnreadableDocument, usualLimits } from '../documents/limits.ts'
import { toUtf8 } from '../documents/text-encoding.ts'
import { bytesAt, isZip } from '../kit/files/magic.ts'
import { columnsIn } from './csv-rows.ts'
import { type DiscordChat, openDiscordPackage } from './discord-package.ts'
import { isDiary, openDiary } from './eternego-diary.ts'
import {
  countOthers,
  historyFiles,
  innerZips,
  isDiscordFile,
  type Reading,
  readingByName,
} from './known-files.ts'
import { isKnownTable } from './known-tables.ts'
import type { OnLeftOut } from './left-out.ts'
import { isLog } from './plain-log.ts'
import { isPng } from './png-text.ts'
import { feedLimits, Unreadable, type UnreadableReason } from './unreadable.ts'
import { isWhatsApp } from './whatsapp.ts'

const chunk = 256 * 1024
/** Bytes at the beginning of a file by which its form is recognised. */
const sample = 64 * 1024
/** Web pages of one zip that are checked. */
const maxPages = 20

export interface Source {
  /** Its path in the zip, or the name of the uploaded file. */
  readonly name: string
  readonly as: Reading
  /** Title and author of a Discord channel, whose messages file has neither. */
  readonly chat?: DiscordChat | undefined
  /** UTF-8 unless it is a picture. Must be read before the next source is requested. */
  readonly bytes: AsyncIterable<Buffer>
}

export interface GivenFile {
  readonly path: string
  /** The name of the uploaded file. */
  readonly name?: string | undefined
  /** The recovery phrase of an encrypted file. */
  readonly phrase?: string | undefined
  /** The encoding of a file that is not a zip, if the client named it. Ignored if the bytes contradict it. */
  readonly charset?: string | undefined
  /** The name of the user in chats between people, if the file does not say it. */
  readonly me?: string | undefined
  /** Called with each sentence about the reading, such as an encoding that was guessed. */
  readonly onNote?: ((note: string) => void) | undefined
  /** Called for the parts that are not read. */
  readonly onLeftOut?: OnLeftOut | undefined
  /** Called at the end with the names in chats whose user is unknown. */
  readonly onPeople?: ((names: readonly string[]) => void) | undefined
}

type Listeners = Pick<GivenFile, 'onNote' | 'onLeftOut'>

/** Yields memories first, then the other parts in the order of the file. */
export const findSources = async function* (file: GivenFile): AsyncGenerator<Source> {
  const head = await bytesAt(file.path, 0, sample)
  if (isZip(head)) return yield* inZip(file.path, file)
  if (isDiary(head)) return yield* inZip(await openDiary(file), file)
  const open = () => createReadStream(file.path, { highWaterMark: chunk })
  const { name = '', charset, onNote } = file
  const declaredCharset = charset === undefined ? null : await fittingCharset(file.path, charset)
  const text = await textIn([head], declaredCharset)
  if (isActivityPage(text)) throw new Unreadable('web_page')
  if (isPng(head)) return yield { name, as: 'card', bytes: open() }
  // Every other file is read as JSON, and the JSON reader reports its errors.
  yield {
    name,
    as: readingByName(name) ?? readingIn(text),
    bytes: toUtf8(open, onNote, declaredCharset),
  }
}

const readingIn = (text: string): Reading => {
  if (isKnownTable(columnsIn(text))) return 'csv'
  return isWhatsApp(text) || isLog(text) ? 'log' : 'json'
}

/** Max depth of zips within zips. The privacy portal of OpenAI sends one zip of several. */
const maxLevels = 2

const inZip = async function* (
  path: string | Buffer,
  listeners: Listeners,
  levels = maxLevels,
): AsyncGenerator<Source> {
  const { entries, directory, unpacked, ratio } = feedLimits
  // Each entry is opened twice: to detect its encoding, and to be read.
  const limits = { ...usualLimits, entries, directory, entry: unpacked, total: 2 * unpacked, ratio }
  const archive = await openArchive(path, limits).catch(throwReadable)
  try {
    const files = historyFiles(archive.names)
    const inner = files?.some(({ isNamed }) => isNamed) ? [] : innerZips(archive.names)
    let hasFound = false
    for (const name of levels > 0 ? inner.slice(0, feedLimits.innerZips) : []) {
      for await (const source of inInnerZip(await heldZip(archive, name), listeners, levels - 1)) {
        hasFound = true
        yield source
      }
    }
    if (!hasFound && !files?.some(({ as }) => as === 'json')) await refusePages(archive)
    if (!hasFound && !files) throw new Unreadable('no_history')
    const read = (name: string) => sayingOurs(archive.read(name))
    const discord = files?.some(({ name }) => isDiscordFile(name))
      ? await openDiscordPackage(archive.names, read)
      : undefined
    for (const { name, as } of files ?? []) {
      const open = () => read(name)
      const chat = isDiscordFile(name) ? await discord?.chatAt(name) : undefined
      yield { name, as, chat, bytes: as === 'card' ? open() : toUtf8(open, listeners.onNote) }
    }
    const otherCount = countOthers(archive.names, files)
    if (otherCount > 0) listeners.onLeftOut?.('other_file', otherCount)
  } finally {
    archive.close()
  }
}

/** An inner zip of pictures alone must not prevent the others. */
const inInnerZip = async function* (
  zip: Buffer,
  listeners: Listeners,
  levels: number,
): AsyncGenerator<Source> {
  try {
    yield* inZip(zip, listeners, levels)
  } catch (error) {
    if (!(error instanceof Unreadable) || error.reason !== 'no_history') throw error
  }
}

/** A zip is read from its end, so an inner one is held in memory. */
const heldZip = async (archive: Archive, name: string): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of sayingOurs(archive.read(name))) {
    size += chunk.length
    if (size > feedLimits.innerZip) throw new Unreadable('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Throws `Unreadable` for a zip of Takeout with the activity as a web page. */
const refusePages = async (archive: Archive): Promise<void> => {
  const pages = archive.names.filter((name) => /\.html$/i.test(name)).slice(0, maxPages)
  for (const name of pages)
    if (isActivityPage(await textIn(sayingOurs(archive.read(name))))) throw new Unreadable('web_page')
}

/** My Activity pages of Takeout have these classes, in every language. */
const isActivityPage = (text: string): boolean =>
  /^\s{0,100}<(?:!doctype|html)/i.test(text) && text.includes('mdl-')

/** Returns the beginning as text. */
const textIn = async (
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  declaredCharset?: string | null,
): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const bytes of chunks) {
    parts.push(bytes)
    size += bytes.length
    if (size >= sample) break
  }
  const head = Buffer.concat(parts).subarray(0, sample)
  let text = ''
  for await (const bytes of toUtf8(() => yieldOnce(head), undefined, declaredCharset)) text += bytes
  return text
}

const yieldOnce = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const sayingOurs = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    throwReadable(error)
  }
}

/** Turns errors about zips into errors about histories. */
const throwReadable = (error: unknown): never => {
  throw error instanceof UnreadableDocument ? new Unreadable(reasons[error.reason] ?? 'damaged') : error
}

const reasons: Partial<Record<UnreadableDocument['reason'], UnreadableReason>> = {
  encrypted: 'encrypted',
  too_large: 'too_large',
  bomb: 'too_large',
  too_many_entries: 'too_many_entries',
  list_too_long: 'list_too_long',
}
