/** Detects a file's type by its signature. Reads only the first bytes and unpacks nothing. */
import { open } from 'node:fs/promises'

/** `mime` has no parameters, `extension` no dot. */
export interface Magic {
  readonly mime: string
  readonly extension: string
}

/** Max bytes to read. */
const maxSniffedBytes = 64 * 1024

/** Detects the type of a file by its beginning. Returns undefined if no known signature matches. */
export const detectMagic = async (bytes: Uint8Array): Promise<Magic | undefined> => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, maxSniffedBytes))
  // Checked first, because the package file-type would unpack zip and gzip.
  if (isZip(head)) return detectZip(head)
  if (head[0] === 0x1f && head[1] === 0x8b) return { mime: 'application/gzip', extension: 'gz' }
  const stillMagic = stillPicture(head)
  if (stillMagic) return stillMagic
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(head).catch(() => undefined)
  if (type) return { mime: type.mime.split(';')[0] ?? type.mime, extension: type.ext }
  // The directory of a TIFF may be at its end, and file-type requires it.
  return ['II*\0', 'MM\0*'].includes(head.toString('latin1', 0, 4))
    ? { mime: 'image/tiff', extension: 'tif' }
    : undefined
}

/**
 * Detects pictures in the container of films (ISO 23008-12). The package reads only the first brand: a
 * picture with the general first brand `mif1` may be HEIC or AVIF by its other brands.
 */
const stillPicture = (head: Buffer): Magic | undefined => {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return undefined
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [8, ...Array.from({ length: Math.max(0, end - 16) >> 2 }, (_, index) => 16 + index * 4)].map(
    (offset) => head.toString('latin1', offset, offset + 4),
  )
  const [first = ''] = brands
  if (!generalKinds.has(first)) return findBrand(first)
  return brands.map(findBrand).find((magic) => magic !== undefined) ?? generalKinds.get(first)
}

const generalKinds = new Map<string, Magic>([
  ['mif1', { mime: 'image/heif', extension: 'heif' }],
  ['msf1', { mime: 'image/heif-sequence', extension: 'heif' }],
])

const findBrand = (brand: string): Magic | undefined => {
  if (/^hei[cxms]$/.test(brand)) return { mime: 'image/heic', extension: 'heic' }
  if (/^hev[cxms]$/.test(brand)) return { mime: 'image/heic-sequence', extension: 'heic' }
  return /^avi[fs]$/.test(brand) ? { mime: 'image/avif', extension: 'avif' } : undefined
}

/**
 * Detects the type of a file on disk, also of audio after an ID3 tag with a picture. Rejects if the file
 * cannot be read.
 */
export const detectMagicOfFile = async (path: string, head?: Buffer): Promise<Magic | undefined> => {
  const headBytes = head ?? (await bytesAt(path, 0))
  const tagEnd = endOfTag(headBytes)
  if (tagEnd === 0 || tagEnd < headBytes.length) return detectMagic(headBytes)
  const sound = await detectMagic(await bytesAt(path, tagEnd))
  return sound?.mime.startsWith('audio/') ? sound : { mime: 'audio/mpeg', extension: 'mp3' }
}

/** Reads at most `most` bytes from a position. */
export const bytesAt = async (
  path: string,
  position: number,
  maxBytes = maxSniffedBytes,
): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Returns the length of an ID3 tag, which has seven bits per byte; 0 if there is none. */
const endOfTag = (head: Buffer): number => {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  return [6, 7, 8, 9].reduce((size, index) => size * 128 + ((head[index] ?? 0) & 0x7f), 0) + 10
}

/** Also true for an empty zip file. */
export const isZip = (head: Buffer): boolean =>
  ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(head.toString('latin1', 0, 4))

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** Types that OpenDocument and EPUB files declare in their first entry, uncompressed. */
const declaredTypes: readonly Magic[] = [
  { mime: `${openDocument}.text`, extension: 'odt' },
  { mime: `${openDocument}.spreadsheet`, extension: 'ods' },
  { mime: `${openDocument}.presentation`, extension: 'odp' },
  { mime: 'application/epub+zip', extension: 'epub' },
]

/** Folders that only one file type has. */
const folders: Readonly<Record<string, Magic>> = {
  'word/': { mime: `${office}.wordprocessingml.document`, extension: 'docx' },
  'xl/': { mime: `${office}.spreadsheetml.sheet`, extension: 'xlsx' },
  'ppt/': { mime: `${office}.presentationml.presentation`, extension: 'pptx' },
}

const detectZip = (head: Buffer): Magic => {
  const names = namesIn(head)
  const declaredMime = names[0] === 'mimetype' ? saidIn(head) : ''
  const kind = declaredTypes.find(({ mime }) => mime === declaredMime)
  if (kind) return kind
  const isOffice = names.some(
    (name) => name === '[Content_Types].xml' || name.startsWith('_rels/') || name.startsWith('docProps/'),
  )
  const folder = Object.keys(folders).find((folder) => names.some((name) => name.startsWith(folder)))
  return (isOffice && folder && folders[folder]) || { mime: 'application/zip', extension: 'zip' }
}

/**
 * Returns the content of the first entry, max 100 bytes. If the size follows the content, it ends at the
 * signature of the data descriptor.
 */
const saidIn = (head: Buffer): string => {
  const contentStart = 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  const size = head.readUInt32LE(18)
  const content = head.toString('latin1', contentStart, contentStart + Math.min(size || 100, 100))
  return size > 0 ? content : (content.split('PK')[0] ?? '')
}

/** Returns the names of the entries whose signature is in the head. */
const namesIn = (head: Buffer): readonly string[] => {
  const names: string[] = []
  for (
    let position = head.indexOf(entrySign);
    position >= 0;
    position = head.indexOf(entrySign, position + entrySign.length)
  ) {
    if (position + 30 > head.length) break
    names.push(
      head.toString('latin1', position + 30, position + 30 + Math.min(head.readUInt16LE(position + 26), 64)),
    )
  }
  return names
}

const entrySign = Buffer.from('PK\u0003\u0004')
