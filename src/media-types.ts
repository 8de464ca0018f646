/** What a file is, by its bytes; by what it is called only where they say nothing. Without parameters. */
import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { formatOfExtension, kindOf } from './documents/formats.ts'

export const unknownType = 'application/octet-stream'

/** `extension`: what such files are called, without its dot. */
interface FileType {
  readonly mime: string
  readonly extension: string
}

/** Of any file: text is told by its beginning. */
export const typeOfFile = async (path: string): Promise<FileType> => {
  const known = await look(path)
  if (known) return known
  return (await beginsAsText(path)) ? { mime: 'text/plain', extension: 'txt' } : { mime: unknownType, extension: 'bin' }
}

/** Of a clip, which is sound whatever it is in: browsers record it into what else holds films. `extension` without its dot, in lower case. */
export const typeOfClip = async (path: string, extension: string): Promise<string> => {
  const type = (await sniff(path)) ?? ''
  return type.startsWith('audio/') ? type : (soundIn[type] ?? soundCalled(extension) ?? 'audio/webm')
}

/** By its bytes alone. */
export const sniff = async (path: string): Promise<string | undefined> => (await look(path))?.mime

/** In lower case, without its dot; undefined for a name without one that a name of ours may have. */
export const extensionOf = (name: string): string | undefined => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()

const look = async (path: string): Promise<FileType | undefined> => {
  const { fileTypeFromFile } = await import('file-type')
  const type = await fileTypeFromFile(path)
  return type && { mime: type.mime.split(';')[0] ?? type.mime, extension: type.ext }
}

const soundIn: Readonly<Record<string, string>> = {
  'video/webm': 'audio/webm',
  'video/matroska': 'audio/webm',
  'video/mp4': 'audio/mp4',
  'video/x-m4v': 'audio/mp4',
  'video/quicktime': 'audio/mp4',
  'video/ogg': 'audio/ogg',
  'application/ogg': 'audio/ogg',
}

const soundCalled = (extension: string): string | undefined => {
  const format = formatOfExtension(extension)
  const kind = format && kindOf(format)
  return kind?.sense === 'audio' ? kind.mime : undefined
}

/** Bytes that are looked at. */
const beginning = 64 * 1024

const beginsAsText = async (path: string): Promise<boolean> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(beginning), 0, beginning)
    const bytes = buffer.subarray(0, bytesRead)
    return !bytes.includes(0) && isUtf8(bytesRead < beginning ? bytes : wholeLetters(bytes))
  } finally {
    await file.close()
  }
}

/** The last letter may have been cut: it has four bytes at most, and all but its first begin with the bits 10. */
const wholeLetters = (bytes: Buffer): Buffer => {
  let end = bytes.length - 1
  while (end > bytes.length - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}
