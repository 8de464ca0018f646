/** The codec of a record. */

import { hash } from 'node:crypto'
import { decode, encode } from '@msgpack/msgpack'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import { encodeNewer } from '../../journal/conformance/newer-record.ts'
import { toPlain } from '../../journal/log/batch-encoder.ts'
import { Damaged, Newer } from '../../journal/log/errors.ts'
import { emptyHead } from '../../journal/log/head.ts'
import { decodeRecord, encodeRecord, keepsItsWord, toEntry } from '../../journal/log/record.ts'
import { previousHash } from '../../journal/log/stored-record.ts'
import { createMessageHeard, factsByType } from './facts.ts'

const newRecord = {
  commit: Buffer.alloc(16, 1),
  salt: Buffer.alloc(16, 2),
  cause: { by: 'agent', life: 3, turn: 4 },
  at: 1_780_000_000_123,
  offset: -210,
} as const
const write = (event: PersonaEvent, prev = emptyHead) =>
  encodeRecord(personaVocabulary, { ...newRecord, event }, prev)

test('decodes each fact as it was written', () => {
  for (const event of Object.values(factsByType)) {
    const entry = toEntry(personaVocabulary, decodeRecord(1, write(event).value))
    assert.equal(entry.event, event)
    assert.is(entry.type, event.type)
  }
})

test('decodes the cause and the time', () => {
  const { seq, commit, at, offset, cause } = toEntry(
    personaVocabulary,
    decodeRecord(1, write(createMessageHeard('x')).value),
  )
  assert.equal(
    [seq, commit, at, offset, cause],
    [1, '01'.repeat(16), newRecord.at, newRecord.offset, newRecord.cause],
  )
  const shortRecord = {
    ...newRecord,
    cause: { by: 'clock' },
    at: 0,
    offset: 0,
    event: createMessageHeard('x'),
  } as const
  assert.equal(
    toEntry(personaVocabulary, decodeRecord(1, encodeRecord(personaVocabulary, shortRecord, emptyHead).value))
      .cause,
    { by: 'clock' },
  )
})

/** Returns the decoded bytes, or the error. A list with a three-byte header is not an encoding of ours. */
const readWithBothReaders = (seq: number, value: Buffer): readonly unknown[] =>
  [value, Buffer.concat([Buffer.from([0xdc, 0, 3]), value.subarray(1)])].map((bytes) => {
    try {
      const { salt, payload, ...record } = decodeRecord(seq, bytes)
      return { ...record, salt: Buffer.from(salt), payload: Buffer.from(payload) }
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`
    }
  })

// Fails if one-byte integers are read without their sign, and if a cause with turn 0 is accepted.
test('the fast reader agrees with the decoder, also after any change of a header byte', () => {
  const causes = [
    ...[{ by: 'person' }, { by: 'host', life: 0 }, { by: 'clock', turn: 1 }, newRecord.cause],
    ...[{ by: 'agent', life: 70_000, turn: 2 ** 33 }],
  ] as const
  const moments = [0, -1, 127, 128, 2 ** 32 - 1, 2 ** 32, newRecord.at, -newRecord.at]
  const all = Object.values(factsByType).map((event, n) => {
    const time = moments[n % moments.length] ?? 0
    const cause = causes[n % causes.length] ?? newRecord.cause
    const headAfter = { seq: n === 0 ? 2 ** 40 : 40 * n, hash: 'ab'.repeat(32) }
    return encodeRecord(
      personaVocabulary,
      { ...newRecord, at: time, offset: n % 2 ? 30 * n : -30 * n, cause, event },
      headAfter,
    )
  })
  for (const { value, head } of all) {
    const [ours, other] = readWithBothReaders(head.seq, value)
    assert.equal(ours, other)
    assert.type(ours, 'object')
  }
  for (const { value, head } of all.slice(3, 4)) {
    // The list header itself distinguishes the two decoders.
    for (let index = 1; index < 3 + (value[2] ?? 0); index++)
      for (let byte = 0; byte < 256; byte++) {
        const changedBytes = Buffer.from(value)
        changedBytes[index] = byte
        const [ours, other] = readWithBothReaders(head.seq, changedBytes)
        assert.equal(ours, other, `${byte} at ${index}`)
      }
    for (let end = 0; end < value.length; end++) {
      const [ours, other] = readWithBothReaders(head.seq, value.subarray(0, end))
      assert.equal(ours, other, `up to ${end}`)
    }
  }
})

test('encodes records in the documented format', () => {
  const prev = { seq: 2 ** 32 + 5, hash: 'cd'.repeat(32) }
  const { value, head } = write(createMessageHeard('hello', 'k'), prev)
  const [header, salt, payload] = decode(value) as [Uint8Array, Uint8Array, Uint8Array]
  const commitment = hash('sha256', Buffer.concat([salt, payload]), 'buffer')
  assert.equal(
    Buffer.from(header),
    Buffer.from(
      encode([
        1,
        prev.seq + 1,
        newRecord.commit,
        'MessageHeard',
        personaVocabulary.versions.get('MessageHeard'),
        newRecord.at,
        -210,
        newRecord.cause,
        Buffer.from(prev.hash, 'hex'),
        commitment,
      ]),
    ),
  )
  assert.equal(Buffer.from(salt), newRecord.salt)
  const parts = [{ from: 'person', by: null, text: 'hello' }]
  assert.equal(decode(payload), { channel: { type: 'web', name: 'ada' }, parts, media: null, key: 'k' })
  assert.equal(head, { seq: prev.seq + 1, hash: hash('sha256', header) })
  assert.is(previousHash(decodeRecord(head.seq, value)), prev.hash)
})

// Fails if the commitment is not compared.
test('detects each flipped bit: in the payload directly, in the header by its hash', () => {
  const { value, head } = write(createMessageHeard('hello', 'k'))
  for (let bit = 0; bit < value.length * 8; bit++) {
    const flipped = Buffer.from(value)
    flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const isUnchanged = (): boolean => {
      const record = decodeRecord(1, flipped)
      return record.hash === head.hash && keepsItsWord(record)
    }
    try {
      assert.not(isUnchanged(), `bit ${bit}`)
    } catch (error) {
      assert.ok(error instanceof Damaged || error instanceof Newer, String(error))
    }
  }
})

test('detects each missing byte', () => {
  const { value } = write(createMessageHeard('hello'))
  for (let length = 0; length < value.length; length++)
    assert.throws(() => decodeRecord(1, value.subarray(0, length)), isDamaged)
  assert.throws(() => decodeRecord(1, Buffer.concat([value, Buffer.alloc(1)])), isDamaged)
})

test('detects a payload that is not a valid fact or was changed', () => {
  const oddRecord = write({ type: 'Renamed', name: 5 } as unknown as PersonaEvent).value
  assert.throws(() => toEntry(personaVocabulary, decodeRecord(1, oddRecord)).event, isDamaged)
  const [header, salt] = decode(write(createMessageHeard('hello')).value) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]
  const entry = toEntry(
    personaVocabulary,
    decodeRecord(1, Buffer.from(encode([header, salt, encode({ content: 'other' })]))),
  )
  assert.is(entry.type, 'MessageHeard')
  assert.throws(() => entry.event, isDamaged)
})

// Fails if a header of any format is accepted.
test('distinguishes a newer fact, version or format from damage', () => {
  assert.throws(() => toEntry(personaVocabulary, decodeRecord(2, encodeNewer(2, emptyHead.hash))), isNewer)
  assert.throws(
    () =>
      toEntry(
        personaVocabulary,
        decodeRecord(2, encodeNewer(2, emptyHead.hash, { type: 'Renamed', version: 2 })),
      ),
    isNewer,
  )
  assert.throws(() => decodeRecord(2, encodeNewer(2, emptyHead.hash, { format: 2 })), isNewer)
})

test('normalizes values that the encoding does not preserve', () => {
  assert.equal(toPlain({ a: undefined, b: [undefined, -0, 'x\udfff'], 'k\ud800': Number.NaN }), {
    b: [null, 0, 'x\ufffd'],
    'k\ufffd': Number.NaN,
  })
  assert.ok(Object.is(toPlain(-0), 0))
  assert.equal(Object.keys(toPlain(JSON.parse('{"__proto__":{"a":1},"b":2}')) as object), ['b'])
  const pairs = 'a 🌱 in pairs \ud83c\udf31'
  assert.is(toPlain(pairs), pairs)
  for (const oddValue of [new Map(), new Date(), 1n, () => 1, Symbol('x'), new (class {})()])
    assert.throws(() => toPlain({ odd: oddValue }), TypeError)
})

const isDamaged = (error: unknown): boolean => error instanceof Damaged
const isNewer = (error: unknown): boolean => error instanceof Newer

test.run()
