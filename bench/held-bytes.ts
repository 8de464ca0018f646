/** Bytes that lie in this process's heap, without what V8 makes of code while that is run again and again. */
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

/** Compiled, optimized and thrown away as V8 likes, and what it notes on the shapes of objects. */
const ofCode = new Set(['code', 'hidden', 'object shape'])

export const heldBytes = async (): Promise<number> => {
  const pieces: Buffer[] = []
  for await (const piece of getHeapSnapshot()) pieces.push(Buffer.from(piece))
  const { snapshot, nodes } = JSON.parse(Buffer.concat(pieces).toString()) as Snapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  let sum = 0
  for (let at = 0; at < nodes.length; at += fields.length)
    if (!ofCode.has(types[0][nodes[at + type] ?? 0] ?? '')) sum += nodes[at + size] ?? 0
  return sum
}
