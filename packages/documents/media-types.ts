/**
 * Detects the media type of a file from its bytes, and from its name only if they are not conclusive. Types
 * have no parameters.
 */
import { bytesAt, detectMagicOfFile, type Magic } from '../kit/files/magic.ts'
import { formatOfExtension, getKind } from './formats.ts'
import { isUnicodeText, mayBeOldText } from './text-encoding.ts'

export const unknownType = 'application/octet-stream'

/** Detects the type of any file. Text is detected by its beginning. */
export const typeOfFile = async (path: string): Promise<Magic> => {
  const head = await bytesAt(path, 0)
  const magic = await detectMagicOfFile(path, head)
  if (magic) return magic
  return isUnicodeText(head) || mayBeOldText(head)
    ? { mime: 'text/plain', extension: 'txt' }
    : { mime: unknownType, extension: 'bin' }
}

/**
 * Detects the type of an audio clip: browsers record audio into video containers. `extension` is lower case,
 * without the dot.
 */
export const typeOfClip = async (path: string, extension: string): Promise<string> => {
  const type = (await sniff(path)) ?? ''
  return type.startsWith('audio/')
    ? type
    : (audioTypeByVideoType[type] ?? getAudioType(extension) ?? 'audio/webm')
}

/** Detects the type by the bytes only. */
export const sniff = async (path: string): Promise<string | undefined> =>
  (await detectMagicOfFile(path))?.mime

/**
 * Returns the extension in lower case without the dot, or undefined if there is none that a stored file may
 * have.
 */
export const getExtension = (name: string): string | undefined =>
  /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase()

const audioTypeByVideoType: Readonly<Record<string, string>> = {
  'video/webm': 'audio/webm',
  'video/matroska': 'audio/webm',
  'video/mp4': 'audio/mp4',
  'video/x-m4v': 'audio/mp4',
  'video/quicktime': 'audio/mp4',
  'video/ogg': 'audio/ogg',
  'application/ogg': 'audio/ogg',
}

const getAudioType = (extension: string): string | undefined => {
  const format = formatOfExtension(extension)
  const kind = format && getKind(format)
  return kind?.sense === 'audio' ? kind.mime : undefined
}
