/**
 * Eight bytes of SHA-256 behind every value outside the chain: a value that does not fit them counts as
 * absent.
 */
import { hash } from 'node:crypto'
import { type Op, type Store, Unreadable } from './store.ts'

const size = 8

export const seal = (key: Uint8Array, value: Uint8Array): Buffer => {
  const [start, end] = [key.length, key.length + value.length]
  const whole = Buffer.allocUnsafe(end + size)
  whole.set(key)
  whole.set(value, start)
  whole.set(check(whole.subarray(0, end)), end)
  return whole.subarray(start)
}

/** A view into `bytes`, or undefined where there is nothing, or nothing that can be trusted. */
export const unseal = (key: Uint8Array, bytes: Buffer | undefined): Buffer | undefined => {
  if (bytes === undefined || bytes.length < size) return undefined
  const value = bytes.subarray(0, -size)
  return check(Buffer.concat([key, value])).equals(bytes.subarray(-size)) ? value : undefined
}

export const sealed = (key: Buffer, value: Uint8Array): Op => ({ type: 'put', key, value: seal(key, value) })

/** What a store holds under a key, or undefined where it holds nothing that can be trusted. */
export const trusted = async (store: Store, key: Buffer): Promise<Buffer | undefined> => {
  try {
    return unseal(key, await store.get(key))
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

// The key is in it, so that a value which strayed to another key does not pass.
const check = (keyAndValue: Uint8Array): Buffer => hash('sha256', keyAndValue, 'buffer').subarray(0, size)
