/** The direct conversion of payloads to JSON gives the same text as decoding them first. */
import { Decoder, encode } from '@msgpack/msgpack'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { wordsAsJson } from '../../journal/log/words-as-json.ts'
import { chanceFrom } from '../random.ts'
import { factsByType } from './facts.ts'

const decoder = new Decoder()
const slowly = (bytes: Uint8Array): string | undefined => {
  try {
    return JSON.stringify(decoder.decode(bytes))
  } catch {
    return undefined
  }
}
const asJson = (value: unknown): string | undefined => wordsAsJson(Buffer.from(encode(value)))

test('converts the payload of each fact', () => {
  for (const { type, ...words } of Object.values(factsByType))
    assert.is(asJson(words), JSON.stringify(words), type)
})

// Fails if line breaks are not escaped, and if letters of two bytes are read as two.
test('converts escapes, other alphabets and numbers of any size', () => {
  const texts = ['', 'a "b" \\ c', 'one\ntwo\u0001\u007f', 'Grüße 漢字 🌱 \u2028', 'x'.repeat(5000)]
  const numbers = [0, 9, 10, 127, 128, 255, 65_535, 2 ** 32, 2 ** 53 - 1, 0.1, 1e300, -1, -32]
  for (const value of [...texts, ...numbers, true, false, null, [], {}, [[], {}]])
    assert.is(asJson({ value, list: [value, value] }), JSON.stringify({ value, list: [value, value] }))
  assert.is(asJson(Array.from({ length: 200 }, () => 'line\n')), JSON.stringify(Array(200).fill('line\n')))
})

test('leaves values to the decoder that it would convert differently', () => {
  let deep: unknown = []
  for (let n = 0; n < 60; n++) deep = [deep]
  for (const oddValue of [{ 1: 'a', b: 2 }, { bytes: Buffer.alloc(3) }, deep, 'x'.repeat(20_000)])
    assert.is(asJson(oddValue), undefined)
  const texts = Array.from({ length: 40 }, () => 'x'.repeat(3000))
  assert.is(asJson(texts), undefined)
})

// Fails if bytes after the payload are skipped.
test('returns the result of the decoder, or none, for changed or missing bytes', () => {
  const chance = chanceFrom(1)
  const all = Object.values(factsByType).map(({ type: _, ...words }) => Buffer.from(encode(words)))
  for (const bytes of all) {
    for (let end = 0; end < bytes.length; end += 3) assert.is(wordsAsJson(bytes.subarray(0, end)), undefined)
    assert.is(wordsAsJson(Buffer.concat([bytes, Buffer.alloc(1)])), undefined)
    for (let n = 0; n < 60; n++) {
      const changedBytes = Buffer.from(bytes)
      changedBytes[chance.pickBetween(0, bytes.length - 1)] = chance.pickBetween(0, 255)
      const text = wordsAsJson(changedBytes)
      if (text !== undefined && !hasKeyTwice(text)) assert.is(text, slowly(changedBytes))
    }
  }
})

/** A changed letter may turn two keys into equal ones. */
const hasKeyTwice = (text: string): boolean => JSON.stringify(JSON.parse(text)) !== text

test.run()
