/** The messages of a history before encryption: one byte for the type, then the content. */
import { decode, encode } from '@msgpack/msgpack'
import * as z from 'zod'
import type { Seq } from '../../../facts/fact-values.ts'
import { readSeq, recordKey, seqInKey, writeSeq } from '../../../journal/log/keys.ts'
import type { Item } from '../../../journal/log/store.ts'

export type LogMessage =
  | { readonly type: 'records'; readonly records: readonly Item[] }
  /** Has no content. It makes pending appends conflict, because they expect another last message. */
  | { readonly type: 'barrier' }
  /** Ends a history. `value` is its successor, encrypted with the cluster's key. */
  | { readonly type: 'moved'; readonly value: Buffer }
  | { readonly type: 'part'; readonly chunks: number; readonly chunk: number; readonly bytes: Buffer }

const records = 1
const barrier = 2
const movedKind = 3
const part = 4
const Part = z.tuple([z.int(), z.int(), z.instanceof(Uint8Array)])

/** Overhead of a record in bytes. */
export const recordFrame = 12

export const encodeMessage = (message: LogMessage): Buffer => {
  switch (message.type) {
    case 'records':
      return Buffer.concat([Buffer.of(records), ...message.records.flatMap(toFrame)])
    case 'barrier':
      return Buffer.of(barrier)
    case 'moved':
      return Buffer.concat([Buffer.of(movedKind), message.value])
    case 'part':
      return Buffer.concat([Buffer.of(part), encode([message.chunks, message.chunk, message.bytes])])
  }
}

/** Returns undefined if the bytes are not a message. */
export const decodeMessage = (bytes: Buffer): LogMessage | undefined => {
  const body = bytes.subarray(1)
  if (bytes[0] === records) {
    const items = itemsIn(body)
    return items && { type: 'records', records: items }
  }
  if (bytes[0] === barrier) return { type: 'barrier' }
  if (bytes[0] === movedKind) return { type: 'moved', value: body }
  if (bytes[0] !== part) return undefined
  const [chunks, chunk, piece] = Part.parse(decode(body))
  return { type: 'part', chunks, chunk, bytes: Buffer.from(piece) }
}

const toFrame = ([key, value]: Item): readonly Buffer[] => {
  const frame = Buffer.allocUnsafe(recordFrame)
  writeSeq(frame, 0, seqInKey(key))
  frame.writeUInt32BE(value.length, 8)
  return [frame, value]
}

const itemsIn = (body: Buffer): readonly Item[] | undefined => {
  const items: [Buffer, Buffer][] = []
  for (let position = 0; position < body.length; ) {
    if (position + recordFrame > body.length) return undefined
    const seq: Seq = readSeq(body, position)
    const end = position + recordFrame + body.readUInt32BE(position + 8)
    if (end > body.length) return undefined
    items.push([recordKey(seq), body.subarray(position + recordFrame, end)])
    position = end
  }
  return items
}
