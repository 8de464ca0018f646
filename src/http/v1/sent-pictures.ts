/**
 * Reads the pictures of a chat from `data:` URLs. Nothing is ever fetched for a client. Long pictures are
 * encrypted into one file, so that they take no memory while a model answers. The key exists only in memory,
 * so the disk reveals nothing of the chat.
 */
import { createCipheriv, createDecipheriv, createHash, hash, randomBytes } from 'node:crypto'
import type { Staged } from '../../../journal/files/media.ts'
import { bytesAt } from '../../../packages/kit/files/magic.ts'
import { type ByteBudget, createByteBudget } from '../../../packages/kit/flow/byte-budget.ts'
import { detectMediaType } from '../../../packages/models/media-type.ts'
import type { Shown } from '../../../packages/models/mind.ts'
import { HttpRefused } from '../refused.ts'
import { type CutUrls, decodeLetters } from '../server/data-urls.ts'

export interface Pictures {
  readonly shown: readonly Shown[]
  /** Size of the long pictures. */
  readonly bytes: number
  /** Removes the file. Never rejects. */
  drop(): Promise<void>
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
export const readPictures = async (urls: readonly string[], { cut, stage }: Source): Promise<Pictures> => {
  const pictures: Shown[] = []
  const key = randomBytes(32)
  let path = ''
  let size = 0
  async function* readAll() {
    for (const url of urls) {
      const name = `picture ${pictures.length + 1}`
      const longUrl = cut.get(url)
      if (!longUrl) {
        pictures.push(await readShort(url, name))
        continue
      }
      const beginOffset = size
      const { letters } = longUrl
      checkHead(longUrl.head, name)
      checkLetters(letters.toString('latin1', -2), letters.length, name)
      let mime = ''
      const sum = createHash('sha256')
      const start = randomBytes(16)
      const cipher = createCipheriv(sealing, key, start)
      for (const bytes of decodeLetters(letters)) {
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

  if (urls.some((url) => cut.has(url))) {
    const stagedFile = await stage(readAll())
    path = stagedFile.path
    return { shown: pictures, bytes: size, drop: stagedFile.drop }
  }
  await readAll().next()
  return { shown: pictures, bytes: 0, drop: async () => {} }
}

const readShort = async (url: string, name: string): Promise<Shown> => {
  const comma = url.indexOf(',')
  checkHead(url.slice(0, comma + 1), name, url)
  const text = url.slice(comma + 1)
  const bytes = Buffer.from(text, 'base64')
  checkLetters(text.slice(-2), text.length, name, bytes.length)
  return {
    name,
    mime: await detectKind(bytes, name),
    sha256: hash('sha256', bytes),
    bytes: async () => bytes,
  }
}

/** `head` is the URL up to and including the comma, or empty if there is none. */
const checkHead = (head: string, name: string, url = head): void => {
  if (!/^data:/i.test(url))
    throw refusePicture(`${name} is not fetched: send pictures in the message, as ${form}.`)
  if (!/;base64$/i.test(head.slice(0, -1).trimEnd()))
    throw refusePicture(`${name} cannot be read: send it as ${form}.`)
}

/** Node silently skips invalid base64. The result then has fewer `bytes` than the letters can hold. */
const checkLetters = (end: string, length: number, name: string, bytes?: number): void => {
  const letters = length - (end === '==' ? 2 : end.endsWith('=') ? 1 : 0)
  const room = Math.floor((letters * 3) / 4)
  if (room === 0 || letters % 4 === 1 || (bytes ?? room) !== room)
    throw refusePicture(`${name} cannot be read: the data after the comma is not complete base64.`)
}

const detectKind = async (bytes: Buffer, name: string): Promise<string> => {
  const mime = await detectMediaType(bytes)
  if (mime !== undefined && kinds.includes(mime)) return mime
  throw refusePicture(
    `${name} is ${mime ?? 'of an unknown type'}: a PNG, JPEG, GIF or WebP picture can be shown.`,
  )
}

const form = 'a data: URL like data:image/png;base64,…'

const refusePicture = (reason: string): HttpRefused =>
  new HttpRefused({ code: 'picture_refused', why: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` })
