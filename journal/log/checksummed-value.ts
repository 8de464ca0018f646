/**
 * Checksums for values outside the chain: the first eight bytes of SHA-256 after the value. A value that does
 * not match counts as absent.
 */

import { hash } from 'node:crypto'
import { type Op, type Store, Unreadable } from './store.ts'

const size = 8

export const addChecksum = (key: Uint8Array, value: Uint8Array): Buffer => {
  const start = key.length
  const end = key.length + value.length
  const output = Buffer.allocUnsafe(end + size)
  output.set(key)
  output.set(value, start)
  output.set(check(output.subarray(0, end)), end)
  return output.subarray(start)
}

/** Returns a view into `bytes`, or undefined if the value is absent or invalid. */
export const checkChecksum = (key: Uint8Array, bytes: Buffer | undefined): Buffer | undefined => {
  if (bytes === undefined || bytes.length < size) return undefined
  const value = bytes.subarray(0, -size)
  return check(Buffer.concat([key, value])).equals(bytes.subarray(-size)) ? value : undefined
}

export const putWithChecksum = (key: Buffer, value: Uint8Array): Op => ({
  type: 'put',
  key,
  value: addChecksum(key, value),
})

/** Returns the value under a key, or undefined if it is absent or invalid. */
export const getVerified = async (store: Store, key: Buffer): Promise<Buffer | undefined> => {
  try {
    return checkChecksum(key, await store.get(key))
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

// The hash covers the key, so a value stored under another key is invalid.
const check = (keyAndValue: Uint8Array): Buffer => hash('sha256', keyAndValue, 'buffer').subarray(0, size)
