/** Builds compound files (MS-CFB 3) for tests: nested storages, small and large streams. */

/** A storage with its streams and storages by name. */
export interface Storage {
  readonly [name: string]: Buffer | Storage
}

const sectorSize = 512
const miniSize = 64
const miniCutoff = 4096
const endOfChain = -2
const freeSector = -1

interface Node {
  readonly name: string
  readonly type: number
  readonly bytes: Buffer
  child: number
  right: number
}

/** Writes numbers as sectors, padded with free ones. */
const toSectors = (numbers: readonly number[]): Buffer => {
  const count = Math.ceil((numbers.length * 4) / sectorSize) * (sectorSize / 4)
  const bytes = Buffer.alloc(count * 4, 0xff)
  numbers.forEach((number, index) => {
    bytes.writeInt32LE(number, index * 4)
  })
  return bytes
}

const fill = (bytes: Buffer, size: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((size - (bytes.length % size)) % size)])

/** Lists the entries of each storage. Each entry names the next one as its right neighbor. */
const listNodes = (storage: Storage): readonly Node[] => {
  const nodes: Node[] = [{ name: 'Root Entry', type: 5, bytes: Buffer.alloc(0), child: -1, right: -1 }]
  const add = (parent: Node, { entries }: { readonly entries: Storage }) => {
    let previousNode: Node | undefined
    for (const [name, content] of Object.entries(entries)) {
      const isStream = Buffer.isBuffer(content)
      const bytes = isStream ? content : Buffer.alloc(0)
      const node: Node = { name, type: isStream ? 2 : 1, bytes, child: -1, right: -1 }
      const index = nodes.push(node) - 1
      if (previousNode) previousNode.right = index
      else parent.child = index
      previousNode = node
      if (!isStream) add(node, { entries: content })
    }
  }
  const [root] = nodes
  if (root) add(root, { entries: storage })
  return nodes
}

export const compoundFile = (storage: Storage): Buffer => {
  const nodes = listNodes(storage)
  const table: number[] = []
  const sectors: Buffer[] = []
  const putStream = (bytes: Buffer): number => {
    if (bytes.length === 0) return endOfChain
    const start = table.length
    const count = Math.ceil(bytes.length / sectorSize)
    for (let n = 1; n <= count; n++) table.push(n === count ? endOfChain : start + n)
    sectors.push(fill(bytes, sectorSize))
    return start
  }
  const miniTable: number[] = []
  const mini: Buffer[] = []
  const putMini = (bytes: Buffer): number => {
    const start = miniTable.length
    const count = Math.ceil(bytes.length / miniSize)
    for (let n = 1; n <= count; n++) miniTable.push(n === count ? endOfChain : start + n)
    mini.push(fill(bytes, miniSize))
    return start
  }
  const starts = nodes.map(({ type, bytes }) => {
    if (type !== 2 || bytes.length === 0) return endOfChain
    return bytes.length < miniCutoff ? putMini(bytes) : putStream(bytes)
  })
  const miniBytes = Buffer.concat(mini)
  starts[0] = putStream(miniBytes)
  const directory = Buffer.concat(
    nodes.map((node, index) => {
      const entry = Buffer.alloc(128)
      entry.write(node.name, 'utf16le')
      entry.writeUInt16LE(node.name.length * 2 + 2, 64)
      entry[66] = node.type
      entry.writeInt32LE(-1, 68)
      entry.writeInt32LE(node.right, 72)
      entry.writeInt32LE(node.child, 76)
      entry.writeInt32LE(starts[index] ?? endOfChain, 116)
      entry.writeUInt32LE(index === 0 ? miniBytes.length : node.bytes.length, 120)
      return entry
    }),
  )
  const directoryStart = putStream(directory)
  const miniTableBytes = toSectors(miniTable)
  const miniTableStart = putStream(miniTableBytes)
  // The table also has entries for its own sectors.
  let tableSectors = 0
  while (tableSectors * (sectorSize / 4) < table.length + tableSectors) tableSectors++
  const tableStart = table.length
  for (let n = 0; n < tableSectors; n++) table.push(-3)

  const header = Buffer.alloc(sectorSize, 0)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(header)
  ;[0x3e, 3, 0xfffe, 9, 6].forEach((value, index) => {
    header.writeUInt16LE(value, 24 + index * 2)
  })
  header.writeUInt32LE(tableSectors, 44)
  header.writeInt32LE(directoryStart, 48)
  header.writeUInt32LE(miniCutoff, 56)
  header.writeInt32LE(miniTableStart, 60)
  header.writeUInt32LE(miniTableBytes.length / sectorSize, 64)
  header.writeInt32LE(endOfChain, 68)
  for (let n = 0; n < 109; n++)
    header.writeInt32LE(n < tableSectors ? tableStart + n : freeSector, 76 + n * 4)
  return Buffer.concat([header, ...sectors, toSectors(table)])
}
