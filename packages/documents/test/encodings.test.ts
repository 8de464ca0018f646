/** Tests decoding in many encodings and languages. Most texts have 20 to 60 bytes. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printFigures } from '../../../test/ordeal.ts'
import { decodeBytes } from '../encodings.ts'
import { extract } from '../extract.ts'
import { senseFile } from '../file-kind.ts'
import { type Extracted, usualLimits } from '../limits.ts'
import { decodePage, findEncoding } from '../text-encoding.ts'
import { toSample } from '../text-sample.ts'
import { encodedTexts } from './encoded-texts.ts'
import { withFile } from './place.ts'

const read = (bytes: Buffer | string, encoding?: string): Promise<Extracted> =>
  withFile(bytes, (path) => extract(path, 'text', usualLimits, encoding))
const wordsIn = (extracted: Extracted): string =>
  extracted.kind === 'text' ? extracted.text : extracted.words
const noteIn = (extracted: Extracted): string | undefined =>
  extracted.kind === 'text' ? extracted.note : undefined
const tidy = (text: string) => text.replace(/\r\n/g, '\n').trimEnd()
const isUnicode = (encoding: string) => encoding.startsWith('utf-')

test('detects text by its bytes, decodes it, and reports a guessed encoding', async () => {
  let exactCount = 0
  for (const [encoding, language, text, hex] of encodedTexts) {
    const bytes = Buffer.from(hex, 'hex')
    const label = `${language} in ${encoding}`
    const sensedFile = await withFile(bytes, (path) => senseFile(path, 'note.txt', async () => 'other'))
    assert.is(sensedFile.kind, 'document', label)
    const extracted = await read(bytes)
    assert.is(wordsIn(extracted), tidy(text), label)
    assert.is(
      /^Read as .+; the file does not say its encoding\.$/.test(noteIn(extracted) ?? ''),
      !isUnicode(encoding),
      label,
    )
    const page = await decodePage(bytes, 'text/plain')
    assert.is(page.text, text, label)
    assert.is(page.note !== null, !isUnicode(encoding), label)
    exactCount++
  }
  printFigures('encodings', `${encodedTexts.length} texts`, `${exactCount} exact`)
})

test('uses a declared encoding and reports no guess', async () => {
  for (const [encoding, language, text, hex] of encodedTexts) {
    const page = await decodePage(Buffer.from(hex, 'hex'), `text/html; charset=${encoding}`)
    assert.equal(page, { text, note: null }, language)
  }
  const extracted = await read(Buffer.from('Grüße', 'latin1'), 'windows-1251')
  assert.equal([wordsIn(extracted), noteIn(extracted)], ['GrьЯe', undefined])
  const xml = Buffer.from('<?xml version="1.0" encoding="iso-8859-2"?><a>\xb9</a>', 'latin1')
  assert.equal(
    [wordsIn(await read(xml)).slice(-9), noteIn(await read(xml))],
    ['<a>š</a>'.padStart(9, '>'), undefined],
  )
})

test('prefers a byte order mark to a declaration', async () => {
  assert.is(wordsIn(await read(Buffer.from('\ufeffäö', 'utf8'), 'koi8-r')), 'äö')
  assert.is(wordsIn(await read(Buffer.from('\ufeffäö', 'utf16le'))), 'äö')
  assert.is(wordsIn(await read(Buffer.from('\ufeffäö', 'utf16le').swap16())), 'äö')
})

test('reads tiny files or refuses them with a reason', async () => {
  const getOutcome = async (...bytes: number[]) => {
    const extracted = await read(Buffer.from(bytes))
    return extracted.kind === 'refused' ? extracted.reason : extracted.text
  }
  assert.is(await getOutcome(), 'empty')
  assert.is(await getOutcome(0xef, 0xbb, 0xbf), 'empty')
  assert.is(await getOutcome(0xff, 0xfe), 'empty')
  assert.is(await getOutcome(0x41), 'A')
  assert.is(await getOutcome(0xe9), 'é')
  assert.is(await getOutcome(0), 'not_text')
  assert.is(await getOutcome(0x81), 'not_text')
  assert.is(await getOutcome(0xff, 0xfe, 0x41, 0, 0x42), 'A\ufffd')
})

test('replaces and reports damaged letters in any file', async () => {
  const mixedBytes = Buffer.concat([
    Buffer.from('Grüße, schöne Wörter für Müller\n'),
    Buffer.from('Köln', 'latin1'),
  ])
  const extracted = await read(mixedBytes)
  assert.is(wordsIn(extracted), 'Grüße, schöne Wörter für Müller\nK\ufffdln')
  assert.match(noteIn(extracted) ?? '', /Some characters in it are damaged and show as \ufffd\.$/)
})

test('refuses bytes that are not text', async () => {
  const noise = Buffer.from(Array.from({ length: 4000 }, (_, n) => (n * 7919 + (n >> 3) * 104729) & 0xff))
  assert.is(await findEncoding(toSample(noise)), null)
})

test('quickly finds the encoding of a large file by letters near its end', async () => {
  const text = Buffer.concat([
    Buffer.alloc(20 << 20, 'ascii only, line by line\n'),
    Buffer.from('Grüße', 'latin1'),
  ])
  const startTime = performance.now()
  const encoding = await findEncoding(toSample(text))
  assert.is(encoding?.label, 'windows-1252')
  assert.ok(performance.now() - startTime < 5000)
  assert.match(decodeBytes(text.subarray(-5), 'windows-1252'), 'Grüße')
})

test.run()
