/** A hand-written header has the encoder's bytes, or is left to the encoder. */
import { hash, randomBytes } from 'node:crypto'
import { Encoder } from '@msgpack/msgpack'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Cause } from '../../facts/fact-values.ts'
import { type HeaderFields, headerBytes } from '../../journal/log/record-bytes.ts'
import { factsByType } from './facts.ts'

const encoder = new Encoder({ ignoreUndefined: true })

const toHeaderBytes = (fields: HeaderFields, commitment: string): Buffer => {
  const { seq, commit, type, version, at, offset, cause, prev } = fields
  const prevBytes = Buffer.from(prev, 'hex')
  const commitmentBytes = Buffer.from(commitment, 'hex')
  return Buffer.from(
    encoder.encode([1, seq, commit, type, version, at, offset, cause, prevBytes, commitmentBytes]),
  )
}

const usual = (): HeaderFields => ({
  seq: 7,
  commit: randomBytes(16),
  type: 'MessageHeard',
  version: 1,
  at: 1_800_000_000_000,
  offset: 60,
  cause: { by: 'person' },
  prev: randomBytes(32).toString('hex'),
})

/** Numbers at which the encoding changes, and their neighbours. */
const numbers = [0, 2 ** 7, 2 ** 8, 2 ** 15, 2 ** 16, 2 ** 31, 2 ** 32, 2 ** 40, Number.MAX_SAFE_INTEGER]
  .flatMap((edge) => [edge - 1, edge, edge + 1])
  .filter(Number.isSafeInteger)

const assertSame = (fields: HeaderFields): void => {
  const commitment = randomBytes(32).toString('hex')
  const header = headerBytes(fields, commitment)
  assert.ok(header, JSON.stringify(fields))
  assert.is(Buffer.from(header.header).toString('hex'), toHeaderBytes(fields, commitment).toString('hex'))
  assert.is(header.hash, hash('sha256', toHeaderBytes(fields, commitment)))
}

// Fails if 2 ** 32 is written with four bytes.
test('encodes numbers of any size like the encoder', () => {
  for (const number of numbers.filter((value) => value >= 0)) {
    assertSame({ ...usual(), seq: number })
    assertSame({ ...usual(), at: number, version: number })
    assertSame({ ...usual(), cause: { by: 'agent', life: number, turn: number } })
  }
  for (const offset of [-1, -32, -33, -128, -129, -300, -720, -0x8000]) assertSame({ ...usual(), offset })
})

test('encodes every fact and every cause like the encoder', () => {
  for (const type of Object.keys(factsByType)) assertSame({ ...usual(), type })
  for (const author of Cause.shape.by.options) {
    assertSame({ ...usual(), cause: { by: author } })
    assertSame({ ...usual(), cause: { by: author, life: 3 } })
    assertSame({ ...usual(), cause: { by: author, turn: 70_000 } })
    assertSame({ ...usual(), cause: { by: author, life: 300, turn: 2 ** 33, undoes: 12 } })
  }
})

test('writes the latest header after one of any length', () => {
  assertSame({ ...usual(), cause: { by: 'person', life: 2 ** 40, turn: 2 ** 40, undoes: 2 ** 40 } })
  assertSame(usual())
})

test('leaves other values to the encoder', () => {
  const commitment = '0'.repeat(64)
  for (const fields of [
    { ...usual(), at: 1.5 },
    { ...usual(), offset: -0x8001 },
    { ...usual(), type: 'x'.repeat(32) },
  ])
    assert.is(headerBytes(fields, commitment), undefined)
})

test.run()
