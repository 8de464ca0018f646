/**
 * What bytes are by the signs that files begin with. Bounded: no more than the first bytes are looked at, and
 * nothing is unpacked.
 */
import { open } from 'node:fs/promises'

/** `mime` without parameters; `extension` without its dot. */
export interface Magic {
  readonly mime: string
  readonly extension: string
}

/** Bytes that are looked at. */
const mostLookedAt = 64 * 1024

/** Of a whole file or its beginning. undefined where no sign is known that it begins with. */
export const magicOf = async (bytes: Uint8Array): Promise<Magic | undefined> => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, mostLookedAt))
  // Not asked of the package, which would unpack both.
  if (isZip(head)) return zipped(head)
  if (head[0] === 0x1f && head[1] === 0x8b) return { mime: 'application/gzip', extension: 'gz' }
  const still = stillPicture(head)
  if (still) return still
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(head).catch(() => undefined)
  if (type) return { mime: type.mime.split(';')[0] ?? type.mime, extension: type.ext }
  // Its list of what is in it may lie at its end, which the package wants to see.
  return ['II*\0', 'MM\0*'].includes(head.toString('latin1', 0, 4))
    ? { mime: 'image/tiff', extension: 'tif' }
    : undefined
}

/**
 * Pictures in the container of films (ISO 23008-12). The package looks at the first brand only: a picture
 * whose first brand is the general `mif1` may be HEIC or AVIF by the brands after it.
 */
const stillPicture = (head: Buffer): Magic | undefined => {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return undefined
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands = [8, ...Array.from({ length: Math.max(0, end - 16) >> 2 }, (_, index) => 16 + index * 4)].map(
    (at) => head.toString('latin1', at, at + 4),
  )
  const [first = ''] = brands
  if (!general.has(first)) return brandOf(first)
  return brands.map(brandOf).find((magic) => magic !== undefined) ?? general.get(first)
}

const general = new Map<string, Magic>([
  ['mif1', { mime: 'image/heif', extension: 'heif' }],
  ['msf1', { mime: 'image/heif-sequence', extension: 'heif' }],
])

const brandOf = (brand: string): Magic | undefined => {
  if (/^hei[cxms]$/.test(brand)) return { mime: 'image/heic', extension: 'heic' }
  if (/^hev[cxms]$/.test(brand)) return { mime: 'image/heic-sequence', extension: 'heic' }
  return /^avi[fs]$/.test(brand) ? { mime: 'image/avif', extension: 'avif' } : undefined
}

/** Rejects when the disk does. Sound may lie behind a tag with a picture in it, which is passed over. */
export const magicOfFile = async (path: string, head?: Buffer): Promise<Magic | undefined> => {
  const begin = head ?? (await bytesAt(path, 0))
  const behind = endOfTag(begin)
  if (behind === 0 || behind < begin.length) return magicOf(begin)
  const sound = await magicOf(await bytesAt(path, behind))
  return sound?.mime.startsWith('audio/') ? sound : { mime: 'audio/mpeg', extension: 'mp3' }
}

/** As many as are looked at, and no more than there are. */
export const bytesAt = async (path: string, position: number, most = mostLookedAt): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, position)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Of an ID3 tag, whose size is told in seven bits a byte; 0 where there is none. */
const endOfTag = (head: Buffer): number => {
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  return [6, 7, 8, 9].reduce((size, at) => size * 128 + ((head[at] ?? 0) & 0x7f), 0) + 10
}

/** With an entry, or with none. */
export const isZip = (head: Buffer): boolean =>
  ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(head.toString('latin1', 0, 4))

const office = 'application/vnd.openxmlformats-officedocument'
const openDocument = 'application/vnd.oasis.opendocument'

/** What packages of OpenDocument and EPUB say of themselves, as plain bytes in front of all else. */
const declared: readonly Magic[] = [
  { mime: `${openDocument}.text`, extension: 'odt' },
  { mime: `${openDocument}.spreadsheet`, extension: 'ods' },
  { mime: `${openDocument}.presentation`, extension: 'odp' },
  { mime: 'application/epub+zip', extension: 'epub' },
]

/** Folders that one kind alone has. */
const folders: Readonly<Record<string, Magic>> = {
  'word/': { mime: `${office}.wordprocessingml.document`, extension: 'docx' },
  'xl/': { mime: `${office}.spreadsheetml.sheet`, extension: 'xlsx' },
  'ppt/': { mime: `${office}.presentationml.presentation`, extension: 'pptx' },
}

const zipped = (head: Buffer): Magic => {
  const names = namesIn(head)
  const said = names[0] === 'mimetype' ? saidIn(head) : ''
  const kind = declared.find(({ mime }) => mime === said)
  if (kind) return kind
  const isOffice = names.some(
    (name) => name === '[Content_Types].xml' || name.startsWith('_rels/') || name.startsWith('docProps/'),
  )
  const folder = Object.keys(folders).find((folder) => names.some((name) => name.startsWith(folder)))
  return (isOffice && folder && folders[folder]) || { mime: 'application/zip', extension: 'zip' }
}

/**
 * The content of the first entry, as far as a media type may go. Where its size follows it, it ends with the
 * sign of what tells that.
 */
const saidIn = (head: Buffer): string => {
  const begin = 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  const size = head.readUInt32LE(18)
  const content = head.toString('latin1', begin, begin + Math.min(size || 100, 100))
  return size > 0 ? content : (content.split('PK')[0] ?? '')
}

/** Of the entries that begin there, as far as they can be told by their sign. */
const namesIn = (head: Buffer): readonly string[] => {
  const names: string[] = []
  for (let at = head.indexOf(entrySign); at >= 0; at = head.indexOf(entrySign, at + entrySign.length)) {
    if (at + 30 > head.length) break
    names.push(head.toString('latin1', at + 30, at + 30 + Math.min(head.readUInt16LE(at + 26), 64)))
  }
  return names
}

const entrySign = Buffer.from('PK\u0003\u0004')
