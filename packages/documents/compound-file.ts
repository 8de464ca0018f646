/**
 * Reads the streams of a compound file (MS-CFB) by path. Damaged and hostile files cannot cause an endless
 * loop: each sector chain is limited to the number of sectors.
 */
import { Unreadable } from './limits.ts'

export interface CompoundFile {
  /** Lower case, with `/` between storages and streams. */
  readonly paths: readonly string[]
  /** Size of a stream in bytes. 0 if it does not exist. */
  size(path: string): number
  /** Returns undefined if the file has no stream with this path. Throws `Unreadable`. */
  read(path: string): Buffer | undefined
}

export const compoundFileSign = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])

interface Entry {
  readonly name: string
  readonly type: number
  readonly left: number
  readonly right: number
  readonly child: number
  readonly start: number
  readonly size: number
}

const types = { storage: 1, stream: 2, root: 5 } as const
const headerSize = 512
const entrySize = 128
/** Number of sector numbers in the header. */
const sectorsInHeader = 109

/** Throws `Unreadable`. `depth`: max nesting of storages. */
export const openCompoundFile = (bytes: Buffer, depth: number): CompoundFile => {
  if (bytes.length < headerSize || !bytes.subarray(0, 8).equals(compoundFileSign)) throw createDamaged()
  const sectors = createSectors(bytes)
  const entries = readEntries(sectors.read(bytes.readInt32LE(48)))
  const [root] = entries
  if (root?.type !== types.root) throw createDamaged()
  const streams = findStreams(entries, root, depth)

  const miniCutoff = bytes.readUInt32LE(56)
  const miniSize = 1 << bytes.readUInt16LE(32)
  if (miniSize !== 64) throw createDamaged()
  // Loaded on first use: a file may have no small streams.
  let mini: { readonly table: Int32Array; readonly bytes: Buffer } | undefined
  const readMini = (start: number): Buffer => {
    mini ??= { table: numbersIn(sectors.read(bytes.readInt32LE(60))), bytes: sectors.read(root.start) }
    const { table, bytes: content } = mini
    const pieces = followChain(table, start).map((index) =>
      content.subarray(index * miniSize, (index + 1) * miniSize),
    )
    return Buffer.concat(pieces)
  }
  return {
    paths: [...streams.keys()],
    size: (path) => streams.get(path)?.size ?? 0,
    read: (path) => {
      const stream = streams.get(path)
      if (!stream) return undefined
      if (stream.size === 0) return Buffer.alloc(0)
      const content = stream.size < miniCutoff ? readMini(stream.start) : sectors.read(stream.start)
      if (content.length < stream.size) throw createDamaged()
      return content.subarray(0, stream.size)
    },
  }
}

const createDamaged = () => new Unreadable('damaged')

/** Reads chains of sectors. */
const createSectors = (bytes: Buffer) => {
  const shift = bytes.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw createDamaged()
  const size = 1 << shift
  const count = Math.ceil(bytes.length / size)
  const sector = (index: number): Buffer => {
    const beginOffset = (index + 1) * size
    if (index < 0 || beginOffset >= bytes.length) throw createDamaged()
    return bytes.subarray(beginOffset, beginOffset + size)
  }
  const tableSectors = [...numbersIn(bytes.subarray(76, 76 + sectorsInHeader * 4))]
  let next = bytes.readInt32LE(68)
  while (next >= 0) {
    const numbers = numbersIn(sector(next))
    tableSectors.push(...numbers.subarray(0, size / 4 - 1))
    if (tableSectors.length > count + size) throw createDamaged()
    next = numbers.at(size / 4 - 1) ?? -1
  }
  const table = numbersIn(Buffer.concat(tableSectors.filter((index) => index >= 0).map(sector)))
  return { read: (start: number): Buffer => Buffer.concat(followChain(table, start).map(sector)) }
}

const numbersIn = (bytes: Buffer): Int32Array =>
  Int32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readInt32LE(index * 4))

/** Negative numbers end a chain. */
const followChain = (table: Int32Array, start: number): readonly number[] => {
  const chain: number[] = []
  for (let index = start; index >= 0; index = table[index] ?? -1) {
    if (chain.push(index) > table.length) throw createDamaged()
  }
  return chain
}

const readEntries = (directory: Buffer): readonly Entry[] =>
  Array.from({ length: Math.floor(directory.length / entrySize) }, (_, index) => {
    const entry = directory.subarray(index * entrySize, (index + 1) * entrySize)
    const nameSize = Math.max(0, Math.min(entry.readUInt16LE(64), 64) - 2)
    return {
      name: entry.toString('utf16le', 0, nameSize).toLowerCase(),
      type: entry[66] ?? 0,
      left: entry.readInt32LE(68),
      right: entry.readInt32LE(72),
      child: entry.readInt32LE(76),
      start: entry.readInt32LE(116),
      size: entry.readUInt32LE(120),
    }
  })

/** The entries of a storage form a binary tree: each entry names its left and right neighbor. */
const findStreams = (entries: readonly Entry[], root: Entry, depth: number): ReadonlyMap<string, Entry> => {
  const streams = new Map<string, Entry>()
  const visitedEntries = new Set<Entry>()
  const pendingPlaces = [{ at: root.child, folder: '', level: 0 }]
  for (let place = pendingPlaces.pop(); place; place = pendingPlaces.pop()) {
    const { folder, level } = place
    const entry = entries[place.at]
    if (!entry) continue
    if (visitedEntries.has(entry)) throw createDamaged()
    if (level > depth) throw new Unreadable('bomb')
    visitedEntries.add(entry)
    pendingPlaces.push({ at: entry.left, folder, level }, { at: entry.right, folder, level })
    const path = folder + entry.name
    if (entry.type === types.stream) streams.set(path, entry)
    if (entry.type === types.storage)
      pendingPlaces.push({ at: entry.child, folder: `${path}/`, level: level + 1 })
  }
  return streams
}
