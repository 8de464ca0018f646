/**
 * Returns the bytes in the heap of this process, without the data that V8 keeps about code that runs
 * repeatedly.
 */
import { getHeapSnapshot } from 'node:v8'

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly [readonly string[]]
    }
  }
  readonly nodes: readonly number[]
}

/** Code that V8 compiles, optimizes and discards at any time, and its data about object shapes. */
const ofCode = new Set(['code', 'hidden', 'object shape'])

export const heldBytes = async (): Promise<number> => {
  const pieces: Buffer[] = []
  for await (const piece of getHeapSnapshot()) pieces.push(Buffer.from(piece))
  const { snapshot, nodes } = JSON.parse(Buffer.concat(pieces).toString()) as Snapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const type = fields.indexOf('type')
  const size = fields.indexOf('self_size')
  let sum = 0
  for (let offset = 0; offset < nodes.length; offset += fields.length)
    if (!ofCode.has(types[0][nodes[offset + type] ?? 0] ?? '')) sum += nodes[offset + size] ?? 0
  return sum
}
