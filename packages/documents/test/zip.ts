/** Builds valid and invalid ZIP files for tests. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string
  readonly bytes: Uint8Array | string
  readonly stored?: boolean
  /** Unpacked size that the entry declares, if it differs from the real one. */
  readonly says?: number
  readonly encrypted?: boolean
  /** Unix file mode. */
  readonly mode?: number
  /** Comment of the entry in the central directory. */
  readonly comment?: Buffer
  /** Encodes name and comment in the code page of DOS instead of UTF-8. */
  readonly codePage?: boolean
  /** If set, `bytes` are already packed, and these are their unpacked size and checksum. */
  readonly packed?: { readonly size: number; readonly crc: number }
}

/** Deterministic: the same entries give the same bytes. */
export const zip = (
  entries: readonly ZipEntry[],
  { count = entries.length }: { readonly count?: number } = {},
): Buffer => {
  const files: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const {
    name,
    bytes,
    stored = false,
    says,
    encrypted = false,
    mode = 0,
    comment = Buffer.alloc(0),
    codePage = false,
    packed,
  } of entries) {
    const plain = Buffer.from(bytes as Uint8Array)
    const data = stored || packed ? plain : deflateRawSync(plain)
    const label = Buffer.from(name)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    // Names are UTF-8 by default.
    header.writeUInt16LE((codePage ? 0 : 0x800) | (encrypted ? 1 : 0), 2)
    header.writeUInt16LE(stored ? 0 : 8, 4)
    // 1 January 2026.
    header.writeUInt16LE((46 << 9) | (1 << 5) | 1, 8)
    header.writeUInt32LE(packed?.crc ?? crc32(plain), 10)
    header.writeUInt32LE(data.length, 14)
    header.writeUInt32LE(says ?? packed?.size ?? plain.length, 18)
    header.writeUInt16LE(label.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt16LE(comment.length, 0)
    place.writeUInt32LE((mode << 16) >>> 0, 6)
    place.writeUInt32LE(offset, 10)
    files.push(Buffer.from('PK\u0003\u0004'), header, label, data)
    list.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), header, place, label, comment)
    offset += 30 + label.length + data.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(18)
  const shortCount = Math.min(count, 0xffff)
  end.writeUInt16LE(shortCount, 4)
  end.writeUInt16LE(shortCount, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  const zip64End = count > shortCount ? zip64(count, directory.length, offset) : Buffer.alloc(0)
  return Buffer.concat([...files, directory, zip64End, Buffer.from('PK\u0005\u0006'), end])
}

/** End of a central directory that exceeds the limits of the original format. */
const zip64 = (count: number, size: number, offset: number): Buffer => {
  const record = Buffer.alloc(56)
  record.write('PK\u0006\u0006')
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\u0006\u0007')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}
