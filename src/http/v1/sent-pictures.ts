/**
 * Reads the pictures of a chat from `data:` URLs. Nothing is ever fetched for a client. Long pictures are
 * encrypted into one file, so that they take no memory while a model answers. The key exists only in memory,
 * so the disk reveals nothing of the chat.
 */
import { createCipheriv, createDecipheriv, createHash, hash, randomBytes } from 'node:crypto'
import type { Staged } from '../../../home/media.ts'
import { bytesAt } from '../../../packages/kit/files/magic.ts'
import { type ByteBudget, createByteBudget } from '../../../packages/kit/flow/byte-budget.ts'
import { detectMediaType } from '../../../packages/models/media-type.ts'
import type { Shown } from '../../../packages/models/mind.ts'
import { HttpRefused } from '../refused.ts'
import { type CutUrl, type CutUrls, decodeLetters } from '../server/data-urls.ts'

export interface Pictures {
  readonly shown: readonly Shown[]
  /** Size of the long pictures. */
  readonly bytes: number
  /** Removes the file. Never rejects. */
  drop(): Promise<void>
}

/** `name`: of the file, if the client sent the picture as one. */
export interface SentPicture {
  readonly url: string
  readonly name?: string
}

interface Source {
  /** The long URLs. */
  readonly cut: CutUrls
  readonly stage: (chunks: AsyncIterable<Uint8Array>) => Promise<Staged>
}

/**
 * Max bytes of long pictures in concurrent model calls. Further requests wait. Measured: a call takes eight
 * times the memory of its pictures until it is answered.
 */
const maxShown = 32 * 1024 * 1024

/** Returns the budget that all requests of a daemon share. `closing`: its signal. */
export const getPictureBudget = (closing: AbortSignal): ByteBudget => {
  const budget = budgets.get(closing) ?? createByteBudget({ maxBytes: maxShown })
  budgets.set(closing, budget)
  return budget
}
const budgets = new WeakMap<AbortSignal, ByteBudget>()

const sealing = 'aes-256-ctr'
const kinds = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/**
 * Detects the types from the content and ignores those in the URLs. Throws picture_refused or
 * JournalUnavailable.
 */
export const readPictures = async (
  sentPictures: readonly SentPicture[],
  { cut, stage }: Source,
): Promise<Pictures> => {
  const pictures: Shown[] = []
  const key = randomBytes(32)
  let path = ''
  let size = 0
  async function* readAll() {
    for (const { url, name = `picture ${pictures.length + 1}` } of sentPictures) {
      const data = readData(url, cut.get(url))
      if ('error' in data) throw refusePicture(`${name} ${dataErrors[data.error]}`)
      if (!data.isLong) {
        const bytes = Buffer.concat([...data.pieces()])
        const sha256 = hash('sha256', bytes)
        pictures.push({ name, mime: await detectKind(bytes, name), sha256, bytes: async () => bytes })
        continue
      }
      const beginOffset = size
      let mime = ''
      const sum = createHash('sha256')
      const start = randomBytes(16)
      const cipher = createCipheriv(sealing, key, start)
      for (const bytes of data.pieces()) {
        mime ||= await detectKind(bytes, name)
        sum.update(bytes)
        size += bytes.length
        yield cipher.update(bytes)
      }
      const length = size - beginOffset
      const open = async () =>
        createDecipheriv(sealing, key, start).update(await bytesAt(path, beginOffset, length))
      pictures.push({ name, mime, sha256: sum.digest('hex'), bytes: open })
    }
  }

  if (sentPictures.some(({ url }) => cut.has(url))) {
    const stagedFile = await stage(readAll())
    path = stagedFile.path
    return { shown: pictures, bytes: size, drop: stagedFile.drop }
  }
  await readAll().next()
  return { shown: pictures, bytes: 0, drop: async () => {} }
}

/** `pieces` decodes the data. The first piece is long enough to detect the type. */
interface SentData {
  readonly isLong: boolean
  pieces(): Iterable<Buffer>
}

/** `address`: it is no `data:` URL. `form`: it has no base64. `incomplete`: the base64 is empty or broken. */
export type DataError = 'address' | 'form' | 'incomplete'

export const readData = (url: string, longUrl?: CutUrl): SentData | { readonly error: DataError } => {
  const comma = url.indexOf(',')
  const head = longUrl?.head ?? url.slice(0, comma + 1)
  if (!/^data:/i.test(head || url)) return { error: 'address' }
  if (!/;base64$/i.test(head.slice(0, -1).trimEnd())) return { error: 'form' }
  if (longUrl) {
    const { letters } = longUrl
    if (!isComplete(letters.toString('latin1', -2), letters.length)) return { error: 'incomplete' }
    return { isLong: true, pieces: () => decodeLetters(letters) }
  }
  const text = url.slice(comma + 1)
  const bytes = Buffer.from(text, 'base64')
  if (!isComplete(text.slice(-2), text.length, bytes.length)) return { error: 'incomplete' }
  return { isLong: false, pieces: () => [bytes] }
}

/** Node silently skips invalid base64. The result then has fewer `bytes` than the letters can hold. */
const isComplete = (end: string, length: number, bytes?: number): boolean => {
  const letters = length - (end === '==' ? 2 : end.endsWith('=') ? 1 : 0)
  const room = Math.floor((letters * 3) / 4)
  return room > 0 && letters % 4 !== 1 && (bytes ?? room) === room
}

const detectKind = async (bytes: Buffer, name: string): Promise<string> => {
  const mime = await detectMediaType(bytes)
  if (isPictureType(mime)) return mime
  throw refusePicture(
    `${name} is ${mime ?? 'of an unknown type'}: a PNG, JPEG, GIF or WebP picture can be shown.`,
  )
}

export const isPictureType = (mime: string | undefined): mime is string =>
  mime !== undefined && kinds.includes(mime)

const form = 'a data: URL like data:image/png;base64,…'

const dataErrors: Readonly<Record<DataError, string>> = {
  address: `is not fetched: send pictures in the message, as ${form}.`,
  form: `cannot be read: send it as ${form}.`,
  incomplete: 'cannot be read: the data after the comma is not complete base64.',
}

const refusePicture = (reason: string): HttpRefused =>
  new HttpRefused({ code: 'picture_refused', why: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` })
