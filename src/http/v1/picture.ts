/** A picture as it stands in a message: the bytes of a data: URL. Nothing is ever fetched for a client. */
import { hash } from 'node:crypto'
import { mimeOf } from '../../models/media-type.ts'
import type { Shown } from '../../models/mind.ts'
import { HttpRefused } from '../schema/refused.ts'

const kinds = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** By its bytes, whatever the URL says they are. Refused: picture_refused. */
export const readPicture = async (url: string, name: string): Promise<Shown> => {
  if (!/^data:/i.test(url))
    throw refused(`${name} is not fetched: pictures come with the message, as ${form}.`)
  const comma = url.indexOf(',')
  const text = url.slice(comma + 1)
  if (comma < 0 || !/;base64$/i.test(url.slice(0, comma).trimEnd()))
    throw refused(`${name} cannot be read: it must come as ${form}.`)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || !isWhole(text, bytes.length))
    throw refused(`${name} cannot be read: what follows the comma is not whole base64.`)
  const mime = await mimeOf(bytes)
  if (mime === undefined || !kinds.includes(mime))
    throw refused(`${name} is ${mime ?? 'of no kind I know'}: a PNG, JPEG, GIF or WebP picture can be shown.`)
  return { name, mime, sha256: hash('sha256', bytes), bytes: async () => bytes }
}

/** Node skips what is no base64 without a word; then there is less than the text has room for. */
const isWhole = (text: string, length: number): boolean => {
  const letters = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
  return letters % 4 !== 1 && Math.floor((letters * 3) / 4) === length
}

const form = 'a data: URL like data:image/png;base64,…'

const refused = (why: string): HttpRefused =>
  new HttpRefused({ code: 'picture_refused', why: `${why.charAt(0).toUpperCase()}${why.slice(1)}` })
