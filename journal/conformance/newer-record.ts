/** Creates a record of a newer build: an unknown fact with a valid place in the chain. */
import { hash } from 'node:crypto'
import { encode } from '@msgpack/msgpack'

export const encodeNewer = (
  seq: number,
  prev: string,
  {
    format = 1,
    type = 'Teleported',
    version = 1,
  }: { readonly format?: number; readonly type?: string; readonly version?: number } = {},
): Buffer => {
  const commit = Buffer.alloc(16, 7)
  const salt = Buffer.alloc(16, 8)
  const payload = encode({ name: 'x' })
  const commitment = hash('sha256', Buffer.concat([salt, payload]), 'buffer')
  const header = encode([
    format,
    seq,
    commit,
    type,
    version,
    1_780_000_000_000,
    0,
    { by: 'clerk' },
    Buffer.from(prev, 'hex'),
    commitment,
  ])
  return Buffer.from(encode([header, salt, payload]))
}
