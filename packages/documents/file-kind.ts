/**
 * Decides which organ reads a file. Compares the format of the extension with the format of the bytes. A file
 * is refused if both are known and differ. If the extension is missing or unknown (`scan.dat`), the bytes
 * decide.
 */
import { extname } from 'node:path'
import { bytesAt, detectMagicOfFile, isZip } from '../kit/files/magic.ts'
import {
  type Format,
  type FormatOf,
  formatOfExtension,
  getKind,
  officeFormats,
  type Sense,
  zipFormats,
} from './formats.ts'
import type { Packed } from './packed.ts'
import { isUnicodeText, mayBeOldText } from './text-encoding.ts'

/** `claims` and `is` are descriptions for users: "a PNG picture". */
export type Sensed =
  | { [S in Sense]: { readonly kind: S; readonly format: FormatOf<S>; readonly mime: string } }[Sense]
  | { readonly kind: 'contradiction'; readonly claims: string; readonly is: string }
  /** What it has no sense for is named. */
  | { readonly kind: 'binary'; readonly mime: string }
  | { readonly kind: 'absent' }

/** The format that the bytes have. */
interface Found {
  readonly is?: Format
  /** Other formats that are accepted if the name claims one of them. */
  readonly may?: readonly Format[]
  readonly mime: string
  readonly called: string
}

/**
 * Detects the format of a zip. It runs in a child process, because a hostile entry list can exhaust its
 * reader.
 */
export type LookInZip = (path: string) => Promise<Packed>

/** Rejects with disk errors and with errors of `lookInZip`. */
export const senseFile = async (path: string, name: string, lookInZip: LookInZip): Promise<Sensed> => {
  const head = await readHead(path)
  if (!head) return { kind: 'absent' }
  const extension = extname(name).slice(1).toLowerCase()
  const claimedFormat = formatOfExtension(extension)
  // Word and WordPad also save RTF as .doc.
  if (isRtf(head) && (claimedFormat === 'text' || extension === 'doc')) return toSensed('rtf')
  // Old text may begin with a two-letter magic number: BM, MZ.
  if (claimedFormat === 'text' && mayBeOldText(head)) return toSensed('text')
  const detection = await detect(path, head, lookInZip)
  if (claimedFormat && (detection.is === claimedFormat || detection.may?.includes(claimedFormat)))
    return toSensed(claimedFormat)
  if (claimedFormat)
    return { kind: 'contradiction', claims: getKind(claimedFormat).called, is: detection.called }
  if (!detection.is) return { kind: 'binary', mime: detection.mime }
  const otherKind = await describeOtherKind(extension, detection.is)
  return otherKind
    ? { kind: 'contradiction', claims: otherKind, is: detection.called }
    : toSensed(detection.is)
}

const toSensed = (format: Format): Sensed => {
  const { sense, mime } = getKind(format)
  return { kind: sense, format, mime } as Sensed
}

/** Returns undefined if the path does not exist or is a directory. */
const readHead = async (path: string): Promise<Buffer | undefined> => {
  try {
    return await bytesAt(path, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR'))
      return undefined
    throw error
  }
}

const createSupported = (format: Format, alternatives: readonly Format[] = []): Found => ({
  is: format,
  may: alternatives,
  mime: getKind(format).mime,
  called: getKind(format).called,
})

const createUnsupported = (mime: string, alternatives: readonly Format[] = []): Found => ({
  may: alternatives,
  mime,
  called: `a file of the kind ${mime}`,
})

const detect = async (path: string, head: Buffer, lookInZip: LookInZip): Promise<Found> => {
  if (head.length === 0) return { is: 'text', mime: 'application/x-empty', called: 'nothing at all' }
  if (starts(head, '%PDF-')) return createSupported('pdf')
  if (isRtf(head)) return createSupported('rtf')
  // Checked before the magic numbers, because some of them are letters: BM, ID3, MZ.
  if (isUnicodeText(head)) return detectText(head)
  if (isZip(head)) return detectZip(await lookInZip(path))
  const mime = (await detectMagicOfFile(path, head))?.mime
  if (mime === compoundMime) return detectCompound(await readCompoundNames(path, head))
  if (mime !== undefined) return byMime[mime] ?? createUnsupported(mime)
  // PDF readers accept some bytes before the header.
  if (head.subarray(0, 1024).includes('%PDF-')) return createUnsupported('application/octet-stream', ['pdf'])
  return mayBeOldText(head)
    ? detectText(head)
    : createUnsupported('application/octet-stream', head.includes(0) ? [] : ['text', 'mail', 'outlook'])
}

/** Text may be named as a mail or as RTF even if it is neither. It is then read as plain text. */
const detectText = (head: Buffer): Found =>
  isMail(head)
    ? createSupported('mail', ['text', 'rtf', 'outlook'])
    : createSupported('text', ['mail', 'rtf', 'outlook'])

const isRtf = (head: Buffer): boolean => starts(head, '{\\rtf')

/** Notes may begin with `From:` too, but only programs write the other two fields. */
const isMail = (head: Buffer): boolean => {
  const header = head.toString('latin1', 0, 16 * 1024).split(/\r?\n\r?\n/, 1)[0] ?? ''
  return (
    /^[\w-]{1,60}:[ \t]/.test(header) &&
    /^from:/im.test(header) &&
    /^(?:message-id|mime-version):/im.test(header)
  )
}

const starts = (head: Buffer, sign: string): boolean =>
  head.subarray(0, sign.length).toString('latin1') === sign

/** Keys are MIME types of `file-type`, without parameters. It reports voice clips of browsers as video. */
const byMime: Readonly<Record<string, Found>> = {
  'image/png': createSupported('png'),
  'image/apng': createSupported('png'),
  'image/jpeg': createSupported('jpeg'),
  'image/gif': createSupported('gif'),
  'image/webp': createSupported('webp'),
  // Cameras use both extensions for both types.
  'image/heic': createSupported('heic', ['heif']),
  'image/heif': createSupported('heif', ['heic']),
  'image/avif': createSupported('avif'),
  'audio/wav': createSupported('wav'),
  'audio/mpeg': createSupported('mp3'),
  'audio/x-m4a': createSupported('m4a'),
  'audio/mp4': createSupported('m4a'),
  'audio/ogg': createSupported('ogg'),
  'application/ogg': createSupported('ogg'),
  'video/webm': createSupported('webm'),
  'audio/flac': createSupported('flac'),
  'audio/x-flac': createSupported('flac'),
  'audio/aac': createSupported('aac'),
  // Phone recorders write audio with the brand of a video.
  'video/mp4': createUnsupported('video/mp4', ['m4a']),
  'video/3gpp': createUnsupported('video/3gpp', ['m4a']),
}

/** Outlook mails, Word, Excel and PowerPoint files before 2007, and newer ones with a password. */
const compoundMime = 'application/x-cfb'

const binaryOffice: readonly (readonly [stream: string, mime: string, called: string])[] = [
  ['WordDocument', 'application/msword', 'an old Word document (.doc)'],
  ['Workbook', 'application/vnd.ms-excel', 'an old Excel workbook (.xls)'],
  ['Book', 'application/vnd.ms-excel', 'an old Excel workbook (.xls)'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint', 'an old PowerPoint presentation (.ppt)'],
]

/** A Word document may contain a mail, but no mail has the streams of a Word document. */
const detectCompound = (names: ReadonlySet<string>): Found => {
  if (names.has('EncryptedPackage')) return createUnsupported(compoundMime, officeFormats)
  const old = binaryOffice.find(([stream]) => names.has(stream))
  if (old) return { mime: old[1], called: old[2] }
  // The directory of a mail may be damaged. Reading the mail reports that.
  return names.has('__properties_version1.0')
    ? createSupported('outlook')
    : createUnsupported(compoundMime, ['outlook'])
}

/** Returns the first names in the directory (MS-CFB 2.6). */
const readCompoundNames = async (path: string, head: Buffer): Promise<ReadonlySet<string>> => {
  if (head.length < 512) return new Set()
  const sector = 1 << Math.min(head.readUInt16LE(30), 12)
  const directory = await bytesAt(path, (head.readUInt32LE(48) + 1) * sector, maxDirectoryBytes)
  const names = new Set<string>()
  for (let position = 0; position + 64 <= directory.length; position += 128)
    names.add(directory.toString('utf16le', position, position + 64).split('\0', 1)[0] ?? '')
  return names
}
const maxDirectoryBytes = 16 * 1024

/**
 * If the zip could not be listed, accepts the format that the name claims: reading it reports the problem.
 */
const detectZip = (packedKind: Packed): Found => {
  if (packedKind === 'unlisted') return zip(zipFormats)
  return packedKind === 'other' ? zip() : createSupported(packedKind)
}

const zip = (alternatives: readonly Format[] = []): Found => ({
  may: alternatives,
  mime: 'application/zip',
  called: 'a zip archive',
})

/** Ambiguous extensions: several formats use them. */
const ambiguousExtensions = new Set([
  'dat',
  'mts',
  'stl',
  'ps',
  'eps',
  'pgp',
  'reg',
  'rm',
  'sav',
  's3m',
  'it',
  'ar',
  'alias',
  'mie',
  'cur',
])
const zipExtensions = new Set(['zip', 'jar', 'xpi'])
const videoExtensions = new Set(['mp4', 'm4b', '3gp', '3g2'])

/**
 * Returns a description of the format that the extension claims if no organ reads it. Returns undefined if
 * the bytes do not contradict the extension.
 */
const describeOtherKind = async (extension: string, format: Format): Promise<string | undefined> => {
  const { supportedExtensions } = await import('file-type')
  const claims =
    oldOffice.has(extension) || (supportedExtensions.has(extension) && !ambiguousExtensions.has(extension))
  if (
    !claims ||
    (zipExtensions.has(extension) && zipFormats.includes(format)) ||
    (videoExtensions.has(extension) && format === 'm4a')
  )
    return undefined
  return `a file of the kind .${extension}`
}

const oldOffice = new Set(['doc', 'xls', 'ppt'])
