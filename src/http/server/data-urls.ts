/**
 * Cuts long `data:` URLs out of a JSON body and keeps them as bytes. As strings they would be copied several
 * times and block other requests meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { createYielding } from '../../../packages/kit/flow/yielding.ts'

/** A URL whose data is base64 only, with or without padding. */
export interface CutUrl {
  /** Up to and including the comma. */
  readonly head: string
  /** Base64 letters in ASCII. */
  readonly letters: Buffer
}

export type CutUrls = Map<string, CutUrl>

/** In bytes. Shorter URLs stay in the text. */
const minLength = 16 * 1024
const maxHead = 200
/**
 * A multiple of four, so that base64 can be decoded piece by piece. The first piece is long enough to detect
 * the type of a file.
 */
const pieceLength = 128 * 1024

/**
 * Returns the text with a short URL in place of each long one. Clients cannot guess the short URLs, so they
 * cannot forge one.
 */
export const cutDataUrls = async (bytes: Buffer): Promise<{ text: string; urls: CutUrls }> => {
  const urls: CutUrls = new Map()
  const parts: string[] = []
  const token = randomUUID()
  let from = 0
  for (let quote = bytes.indexOf(dataUrlStart); quote >= 0; quote = bytes.indexOf(dataUrlStart, quote + 1)) {
    const end = bytes.indexOf('"', quote + 1)
    if (end < 0) break
    if (end - quote < minLength || isEscaped(bytes, quote)) continue
    const head = /^[^,]*,/.exec(bytes.toString('latin1', quote + 1, quote + 1 + maxHead))?.[0] ?? ''
    const letters = bytes.subarray(quote + 1 + head.length, end)
    if (!/^[ -~]+$/.test(head) || head.includes('\\') || !(await isBase64(letters))) continue
    const shortUrl = `${head}${token}-${urls.size}`
    urls.set(shortUrl, { head, letters })
    parts.push(bytes.toString('utf8', from, quote + 1), shortUrl)
    from = end
  }
  return { text: [...parts, bytes.toString('utf8', from)].join(''), urls }
}

const dataUrlStart = '"data:'

/** Returns true after an odd number of backslashes. */
const isEscaped = (bytes: Buffer, quote: number): boolean => {
  let position = quote
  while (bytes[position - 1] === 0x5c) position--
  return (quote - position) % 2 === 1
}

const isBase64 = async (letters: Buffer): Promise<boolean> => {
  const maybeYield = createYielding()
  for (let position = 0; position < letters.length; position += pieceLength) {
    const isLast = position + pieceLength >= letters.length
    if (
      !(isLast ? /^[\w+/-]*={0,2}$/ : /^[\w+/-]*$/).test(
        letters.toString('latin1', position, position + pieceLength),
      )
    )
      return false
    await maybeYield()
  }
  return true
}

/** Decodes base64 piece by piece. */
export function* decodeLetters(letters: Buffer): Generator<Buffer> {
  for (let position = 0; position < letters.length; position += pieceLength)
    yield Buffer.from(letters.toString('latin1', position, position + pieceLength), 'base64')
}

/** Returns the original URL. */
export const wholeUrl = (url: string, urls: CutUrls): string => {
  const cutUrl = urls.get(url)
  return cutUrl ? cutUrl.head + cutUrl.letters.toString('latin1') : url
}

/** Returns the JSON with the original URLs. */
export const withWholeUrls = (json: string, urls: CutUrls): Buffer => {
  const parts: Buffer[] = []
  let from = 0
  const positions = [...urls].map(([shortUrl, cutUrl]) => ({
    short: shortUrl,
    cut: cutUrl,
    at: json.indexOf(`"${shortUrl}"`),
  }))
  for (const { short, cut, at } of positions.sort((a, b) => a.at - b.at)) {
    if (at < 0) continue
    parts.push(Buffer.from(json.slice(from, at + 1) + cut.head), cut.letters)
    from = at + 1 + short.length
  }
  return Buffer.concat([...parts, Buffer.from(json.slice(from))])
}
