/** What of a file holds a history: the file itself, or files of the zip that it is. */
import { createReadStream } from 'node:fs'
import { type Archive, openArchive } from '../documents/archive.ts'
import { fittingCharset } from '../documents/declared-charset.ts'
import { Unreadable as UnreadableDocument, usualLimits } from '../documents/limits.ts'
import { toUtf8 } from '../documents/text-encoding.ts'
import { bytesAt, isZip } from '../kit/files/magic.ts'
import { isDiary, openDiary } from './eternego-diary.ts'
import { countOthers, historyFiles, innerZips, type Reading, readingOf } from './known-files.ts'
import type { OnLeftOut } from './left-out.ts'
import { isLog } from './plain-log.ts'
import { isPng } from './png-text.ts'
import { feedLimits, Unreadable, type UnreadableReason } from './unreadable.ts'
import { isWhatsApp } from './whatsapp.ts'

const chunk = 256 * 1024
/** Bytes by which it is told what a file is. */
const sample = 64 * 1024
/** Web pages of one zip that are looked at. */
const mostPages = 20

export interface Source {
  /** Its path in the zip, or what the file was called by who gave it. */
  readonly name: string
  readonly as: Reading
  /** In UTF-8 unless it is a picture. To be read before the next source is asked for. */
  readonly bytes: AsyncIterable<Buffer>
}

export interface GivenFile {
  readonly path: string
  /** As the person calls it. */
  readonly name?: string | undefined
  /** The words that open it, where it is locked. */
  readonly phrase?: string | undefined
  /** The encoding of a file that is no zip, as its sender names it. Ignored if the bytes contradict it. */
  readonly charset?: string | undefined
  /** Told of an encoding that was guessed. */
  readonly onNote?: ((note: string) => void) | undefined
  /** Called for what is not read. */
  readonly onLeftOut?: OnLeftOut | undefined
}

type Listeners = Pick<GivenFile, 'onNote' | 'onLeftOut'>

/** Memories first, then as they are in the file. */
export const sourcesOf = async function* (given: GivenFile): AsyncGenerator<Source> {
  const head = await bytesAt(given.path, 0, sample)
  if (isZip(head)) return yield* inZip(given.path, given)
  if (isDiary(head)) return yield* inZip(await openDiary(given), given)
  const open = () => createReadStream(given.path, { highWaterMark: chunk })
  const { name = '', charset, onNote } = given
  const declared = charset === undefined ? null : await fittingCharset(given.path, charset)
  const text = await textIn([head], declared)
  if (isActivityPage(text)) throw new Unreadable('web_page')
  if (isPng(head)) return yield { name, as: 'card', bytes: open() }
  // Anything that is not known otherwise is taken for JSON, and what is wrong with it is told there.
  yield {
    name,
    as: readingOf(name) ?? (isWhatsApp(text) || isLog(text) ? 'log' : 'json'),
    bytes: toUtf8(open, onNote, declared),
  }
}

/** Zips within zips that are opened. The privacy portal of OpenAI sends one zip of several. */
const mostLevels = 2

const inZip = async function* (
  path: string | Buffer,
  listeners: Listeners,
  levels = mostLevels,
): AsyncGenerator<Source> {
  const { entries, directory, unpacked, ratio } = feedLimits
  // Each is begun twice: to see in which encoding it is, and to be read.
  const limits = { ...usualLimits, entries, directory, entry: unpacked, total: 2 * unpacked, ratio }
  const archive = await openArchive(path, limits).catch(said)
  try {
    const files = historyFiles(archive.names)
    const inner = files?.some(({ isNamed }) => isNamed) ? [] : innerZips(archive.names)
    let found = false
    for (const name of levels > 0 ? inner.slice(0, feedLimits.innerZips) : []) {
      for await (const source of inInnerZip(await heldZip(archive, name), listeners, levels - 1)) {
        found = true
        yield source
      }
    }
    if (!found && !files?.some(({ as }) => as === 'json')) await refusePages(archive)
    if (!found && !files) throw new Unreadable('no_history')
    for (const { name, as } of files ?? []) {
      const open = () => sayingOurs(archive.read(name))
      yield { name, as, bytes: as === 'card' ? open() : toUtf8(open, listeners.onNote) }
    }
    const others = countOthers(archive.names, files)
    if (others > 0) listeners.onLeftOut?.('other_file', others)
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

/** A zip of Takeout whose activity came as a web page. */
const refusePages = async (archive: Archive): Promise<void> => {
  const pages = archive.names.filter((name) => /\.html$/i.test(name)).slice(0, mostPages)
  for (const name of pages)
    if (isActivityPage(await textIn(sayingOurs(archive.read(name))))) throw new Unreadable('web_page')
}

/** Takeout tells My Activity with these classes, in whatever language. */
const isActivityPage = (text: string): boolean =>
  /^\s{0,100}<(?:!doctype|html)/i.test(text) && text.includes('mdl-')

/** Its beginning. */
const textIn = async (
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  declared?: string | null,
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
  for await (const bytes of toUtf8(() => once(head), undefined, declared)) text += bytes
  return text
}

const once = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
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
