/**
 * The letters that the bytes of a page stand for. Source: HTML Living Standard, "determining the character
 * encoding".
 */
import { encodingOf } from '../documents/encoding.ts'

/** Bytes in which a page may say so itself. */
const mostLookedAt = 1024

/** `type`: the media type as it was told. */
export const decodePage = (bytes: Uint8Array, type: string): string => {
  const label = markIn(bytes) ?? parameterIn(type) ?? saidIn(bytes)
  const named = label === null ? null : decoderOf(label)
  if (named) return lettersOf(bytes, named)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return lettersOf(bytes, new TextDecoder('windows-1252'))
  }
}

/** ⏱ In one go, Node 20 reads `windows-1252` as ISO 8859-1: 0x80 to 0x9f come as controls. */
const lettersOf = (bytes: Uint8Array, decoder: Decoder): string =>
  decoder.decode(bytes, { stream: true }) + decoder.decode()

type Decoder = InstanceType<typeof TextDecoder>

const markIn = (bytes: Uint8Array): string | null => {
  const wide = encodingOf(bytes)
  if (wide !== 'utf-8') return wide
  const [one, two, three] = bytes
  return one === 0xef && two === 0xbb && three === 0xbf ? wide : null
}

const parameterIn = (type: string): string | null => /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? null

/** What claims to be in two bytes a letter could not have been read so far. */
const saidIn = (bytes: Uint8Array): string | null => {
  const head = Buffer.from(bytes.subarray(0, mostLookedAt)).toString('latin1')
  const label =
    /<meta\s[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?([\w.:-]+)/i.exec(head)?.[1] ??
    /^\s{0,99}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]+)/i.exec(head)?.[1] ??
    null
  return label !== null && /^utf-?16/i.test(label) ? 'utf-8' : label
}

const decoderOf = (label: string): Decoder | null => {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}
