/**
 * Diaries that were changed, truncated or forged: each error is distinguished, and no file is left. Decrypted
 * in this process, with the same code as in the keeper's process.
 */

import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import { Decrypter, Encrypter, Stanza } from 'age-encryption'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { personaVocabulary } from '../../facts/facts.ts'
import { encodeNewer } from '../../journal/conformance/newer-record.ts'
import { encodeRecord } from '../../journal/log/record.ts'
import { unseal } from '../../src/diary/decrypt-diary.ts'
import type { Manifest } from '../../src/diary/format.ts'
import { DiaryUnopened } from '../../src/diary/unopened.ts'
import { deriveIdentity } from '../../src/persona/phrase.ts'
import { born, createMessageHeard } from '../journal/facts.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { chanceFrom, createChance } from '../random.ts'
import { toVectorBytes, vectorIdentity, vectors } from './age-vectors.ts'
import {
  chunk,
  createOutline,
  createRecords,
  createTar,
  type Entry,
  life,
  madeDiary,
  newKeys,
  sealTar,
  temporary,
} from './test-diary.ts'

const home = await temporary()
const keys = await newKeys()
const ageChunk = 64 * 1024 + 16
/** The journal and the media are larger than several encrypted chunks. */
const { bytes } = await madeDiary(home, keys.recipient, life(100, 700), [110_000, 3000])
const lines = bytes.indexOf('\n--- ') + 1
const payload = bytes.indexOf('\n', lines) + 1 + 16
let openCount = 0

/** Returns the outcome of opening these bytes. Removes the folder after an error, as the keeper does. */
const outcome = async (content: Uint8Array, identity = keys.identity): Promise<string> => {
  const path = join(home, 'a.diary')
  const targetFolder = join(home, `into-${openCount++}`)
  await writeFile(path, content)
  try {
    await unseal(path, identity, targetFolder)
    return 'opened'
  } catch (error) {
    return error instanceof DiaryUnopened ? error.code : String(error)
  } finally {
    await rm(targetFolder, { recursive: true, force: true })
  }
}

const flipBit = (offset: number, bit: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[offset] = (copy[offset] ?? 0) ^ (1 << bit)
  return copy
}

test('opens unchanged', async () => {
  assert.ok(bytes.length > payload + 3 * ageChunk)
  assert.is(await outcome(bytes), 'opened')
})

// Fails if errors of the libraries are passed on unmapped.
test('a flipped bit anywhere after the header is damage', async () => {
  const chance = createChance('diary: flipped bits')
  const flips = isWhole ? 2000 : 60
  for (let n = 0; n < flips; n++) {
    const offset = chance.pickBetween(payload - 16, bytes.length - 1)
    assert.is(await outcome(flipBit(offset, chance.pickBetween(0, 7))), 'damaged', `byte ${offset}`)
  }
  printFigures('diary: flipped bits', `${flips} flips`)
})

test('a flipped bit in the header prevents decryption', async () => {
  const chance = createChance('diary: first lines')
  const outcomes = new Set<string>()
  for (let n = 0; n < (isWhole ? 8 * payload : 30); n++) {
    const offset = isWhole ? n >> 3 : chance.pickBetween(0, payload - 17)
    const result = await outcome(flipBit(offset, isWhole ? n & 7 : chance.pickBetween(0, 7)))
    assert.ok(['other_phrase', 'damaged', 'not_a_diary'].includes(result), `byte ${offset}: ${result}`)
    if (offset < 22) assert.is(result, 'not_a_diary')
    outcomes.add(result)
  }
  assert.ok(outcomes.size > 1)
})

// Fails if errors of the libraries are passed on unmapped.
test('truncation at any boundary or position is damage', async () => {
  const chance = createChance('diary: cuts')
  const edges = Array.from(
    { length: Math.ceil((bytes.length - payload) / ageChunk) },
    (_, n) => payload + n * ageChunk,
  )
  const cuts = [
    ...edges,
    ...edges.map((position) => position + 1),
    bytes.length - 1,
    payload - 16,
    payload - 1,
    lines + 3,
  ]
  for (let n = 0; n < (isWhole ? 200 : 8); n++) cuts.push(chance.pickBetween(22, bytes.length - 1))
  for (const offset of cuts)
    assert.is(await outcome(bytes.subarray(0, offset)), 'damaged', `cut at ${offset}`)
  for (const offset of [0, 1, 21]) assert.is(await outcome(bytes.subarray(0, offset)), 'not_a_diary')
})

test('chunks that are swapped, repeated or added are damage', async () => {
  const piece = (n: number) => bytes.subarray(payload + n * ageChunk, payload + (n + 1) * ageChunk)
  const start = bytes.subarray(0, payload)
  const rest = bytes.subarray(payload + 2 * ageChunk)
  assert.is(await outcome(Buffer.concat([start, piece(1), piece(0), rest])), 'damaged')
  assert.is(await outcome(Buffer.concat([start, piece(0), piece(0), piece(1), rest])), 'damaged')
  assert.is(await outcome(Buffer.concat([start, piece(1), rest])), 'damaged')
  assert.is(await outcome(Buffer.concat([bytes, Buffer.of(0)])), 'damaged')
  assert.is(await outcome(Buffer.concat([bytes, bytes])), 'damaged')
})

// Fails without a limit: long headers are read to their end and opened.
test('headers may contain foreign stanzas up to a limit', async () => {
  const withStanza = async (size: number) => {
    const encrypter = new Encrypter()
    encrypter.addRecipient({ wrapFileKey: () => [new Stanza(['grease'], new Uint8Array(size))] })
    encrypter.addRecipient(keys.recipient)
    return outcome(await encrypter.encrypt(createTar([first(), records, media])))
  }
  assert.is(await withStanza(1000), 'opened')
  assert.is(await withStanza(100_000), 'damaged')
  assert.is(
    await outcome(Buffer.concat([Buffer.from('age-encryption.org/v1\n'), Buffer.alloc(1_000_000, 'A')])),
    'damaged',
  )
})

test('the test vectors of the age format have the expected results', async () => {
  const codes = {
    'no match': 'other_phrase',
    'header failure': 'damaged',
    'HMAC failure': 'damaged',
    'payload failure': 'damaged',
  }
  const decrypter = new Decrypter()
  decrypter.addIdentity(vectorIdentity)
  for (const vector of vectors) {
    const content = toVectorBytes(vector)
    if (vector.expect === 'success') assert.is(await decrypter.decrypt(content, 'text'), 'age', vector.name)
    else
      assert.is(
        await outcome(content, vectorIdentity),
        vector.name === 'version_unsupported' ? 'not_a_diary' : codes[vector.expect],
        vector.name,
      )
  }
})

test('reports another phrase as such', async () => {
  const chance = chanceFrom(24)
  for (let n = 0; n < (isWhole ? 20 : 1); n++) {
    const entropy = Uint8Array.from({ length: 32 }, () => chance.pickBetween(0, 255))
    assert.is(await outcome(bytes, await deriveIdentity(entropy)), 'other_phrase')
  }
  assert.is(await outcome(bytes, (await newKeys()).identity), 'other_phrase')
})

const events = [
  born,
  createMessageHeard('one', '1'),
  createMessageHeard('two', '2'),
  createMessageHeard('three', '3'),
]
const { values, head } = createRecords(events)
const filename = `${'0123456789abcdef'.repeat(2)}.png`
const picture = Buffer.from('a picture')
const manifestEntry = { filename, bytes: picture.length, sha256: hash('sha256', picture) }
const honest: Manifest = { ...createOutline(keys.recipient, head), media: [manifestEntry] }
const first = (manifest: unknown = honest): Entry => ({
  name: 'manifest.json',
  body: JSON.stringify(manifest),
})
const records: Entry = { name: 'journal/000000000001.records', body: chunk(values) }
const media: Entry = { name: `media/${filename}`, body: picture }
const getOutcome = async (...entries: readonly Entry[]): Promise<string> =>
  outcome(await sealTar(keys.recipient, createTar(entries)))

test('the unchanged template of the hostile diaries opens', async () => {
  assert.is(await getOutcome(first(), records, media), 'opened')
  assert.is(
    await getOutcome(
      first(),
      { ...records, body: chunk(values.slice(0, 1)) },
      { name: 'journal/000000000002.records', body: chunk(values.slice(1)) },
      media,
    ),
    'opened',
  )
})

// Fails if the names of media are not checked, or if links and attributes are accepted.
test('no name escapes the folder, and only files are unpacked', async () => {
  for (const name of [
    '/etc/outside',
    '../outside',
    'media/../../outside',
    `media/../${filename}`,
    `/media/${filename}`,
    'media/',
    'media/x',
    `./media/${filename}`,
    `media\\${filename}`,
  ])
    assert.is(await getOutcome(first(), records, { ...media, name }), 'damaged', name)
  for (const kind of ['1', '2', '3', '4', '5', '6'])
    assert.is(
      await getOutcome(first(), records, { name: `media/${filename}`, kind, link: '/etc/passwd' }),
      'damaged',
      `kind ${kind}`,
    )
  assert.is(
    await getOutcome(
      first(),
      records,
      { name: 'x', kind: 'x', body: '30 path=media/../../outside12\n' },
      media,
    ),
    'damaged',
  )
  assert.is(
    await getOutcome(first(), records, { name: 'x', kind: 'L', body: '../outside\0' }, media),
    'damaged',
  )
  assert.is(
    await getOutcome({ name: 'g', kind: 'g', body: '20 comment=anything\n' }, first(), records, media),
    'damaged',
  )
  assert.not(existsSync(join(home, 'outside')))
})

// Fails if the decoder is not strict, or if bytes after the last file are ignored.
test('extra, missing, repeated or reordered files are damage', async () => {
  assert.is(await getOutcome(), 'damaged')
  assert.is(await getOutcome(records, media), 'damaged')
  assert.is(await getOutcome(first(), first(), records, media), 'damaged')
  assert.is(await getOutcome(first(), media, records), 'damaged')
  assert.is(await getOutcome(records, first(), media), 'damaged')
  assert.is(await getOutcome(first(), records), 'damaged')
  assert.is(await getOutcome(first(), media), 'damaged')
  assert.is(await getOutcome(first(), records, media, media), 'damaged')
  assert.is(await getOutcome(first(), records, records, media), 'damaged')
  assert.is(await getOutcome(first(), records, media, { name: 'more', body: '' }), 'damaged')
  assert.is(
    await outcome(await sealTar(keys.recipient, createTar([first(), records, media], Buffer.alloc(0)))),
    'damaged',
  )
  assert.is(
    await outcome(await sealTar(keys.recipient, createTar([first(), records, media], Buffer.alloc(512)))),
    'damaged',
  )
  assert.is(
    await outcome(await sealTar(keys.recipient, createTar([first(), records, media], Buffer.alloc(2048, 1)))),
    'damaged',
  )
  assert.is(await outcome(await sealTar(keys.recipient, Buffer.from('no tar at all'))), 'damaged')
  assert.is(await outcome(await sealTar(keys.recipient, Buffer.alloc(0))), 'damaged')
})

test('false lengths and sizes are damage, and allocate no memory', async () => {
  const createFalseRecord = (length: number): Buffer => {
    const body = Buffer.from(chunk(values))
    body.writeUInt32BE(length)
    return body
  }
  for (const length of [0, 1, 0xffff_ffff, (values[0]?.length ?? 0) + 1])
    assert.is(
      await getOutcome(first(), { ...records, body: createFalseRecord(length) }, media),
      'damaged',
      `length ${length}`,
    )
  assert.is(
    await getOutcome(first(), { ...records, body: Buffer.concat([chunk(values), Buffer.of(0, 0)]) }, media),
    'damaged',
  )
  assert.is(await getOutcome(first(), { ...records, body: '' }, records, media), 'damaged')
  assert.is(await getOutcome(first(), { ...records, size: 8 ** 11 - 1 }, media), 'damaged')
  assert.is(await getOutcome({ ...first(), size: 8 ** 11 - 1 }, records, media), 'damaged')
  assert.is(await getOutcome(first(), records, { ...media, size: 8 ** 11 - 1 }), 'damaged')
  const large = createRecords([born, createMessageHeard('a'.repeat(1_100_000))])
  assert.is(
    await getOutcome(first({ ...honest, media: [], head: large.head, records: 2 }), {
      ...records,
      body: chunk(large.values),
    }),
    'damaged',
  )
})

// Fails without the checks of the head's hash, the record count, a file's SHA-256 and the persona of the
// first fact.
test('a false manifest is damage', async () => {
  const falseManifests: readonly Partial<Manifest>[] = [
    { head: { ...head, hash: head.hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) } },
    { head: { ...head, seq: head.seq - 1 }, records: head.seq - 1 },
    { head: { ...head, seq: head.seq + 1 }, records: head.seq + 1 },
    { records: head.seq + 1 },
    { media: [{ ...manifestEntry, sha256: hash('sha256', 'another') }] },
    { media: [] },
    { media: [{ ...manifestEntry, bytes: 8 }] },
    { media: [{ ...manifestEntry, filename: '../../outside.png' }] },
    { media: [...honest.media, ...honest.media] },
    { persona: { ...honest.persona, id: '../ada' } },
    { persona: { ...honest.persona, id: 'bob' } },
    { product: 'other' as 'daimon' },
    { made: 'yesterday' },
  ]
  for (const lie of falseManifests)
    assert.is(await getOutcome(first({ ...honest, ...lie }), records, media), 'damaged', JSON.stringify(lie))
  for (const body of ['', '{', 'null', '[]', '"daimon"', '['.repeat(100_000)])
    assert.is(await getOutcome({ name: 'manifest.json', body }, records, media), 'damaged')
})

// Fails if `prev` is not checked, facts are not parsed, or any fact is accepted as the first.
test('an inconsistent history is damage', async () => {
  const withRecords = (pages: readonly Buffer[], end = head) =>
    getOutcome(first({ ...honest, media: [], head: end, records: end.seq }), {
      ...records,
      body: chunk(pages),
    })
  assert.is(await withRecords(values), 'opened')
  assert.is(await withRecords([values[0], values[2], values[1], values[3]] as Buffer[]), 'damaged')
  assert.is(await withRecords(values.with(1, Buffer.from('nothing'))), 'damaged')
  assert.is(
    await withRecords(
      values.with(1, createRecords([born, createMessageHeard('another')]).values[1] as Buffer),
    ),
    'damaged',
  )
  const last = values[3] as Buffer
  assert.is(
    await withRecords(
      values.with(3, Buffer.concat([last.subarray(0, -1), Buffer.of(last.at(-1) === 0xc0 ? 0xc2 : 0xc0)])),
    ),
    'damaged',
  )
  const orphan = createRecords([createMessageHeard('nobody was born')])
  assert.is(await withRecords(orphan.values, orphan.head), 'damaged')
  const untrue = encodeRecord(
    personaVocabulary,
    {
      commit: Buffer.alloc(16),
      salt: Buffer.alloc(16),
      cause: { by: 'person' },
      at: 1,
      offset: 0,
      event: { type: 'Renamed', name: 7 } as never,
    },
    { seq: 1, hash: createRecords([born]).head.hash },
  )
  assert.is(await withRecords([values[0] as Buffer, untrue.value], untrue.head), 'damaged')
})

// Fails if a later fact counts as damage.
test('a later format, and a fact of a later version, are newer and not damage', async () => {
  assert.is(await getOutcome(first({ format: 2, product: 'daimon', other: 'things' })), 'newer')
  assert.is(await getOutcome(first({ format: 2, product: 'other' })), 'damaged')
  for (const changedManifest of [{}, { type: 'Renamed', version: 99 }, { format: 2 }]) {
    const laterDiary = encodeNewer(2, createRecords([born]).head.hash, changedManifest)
    const end = { seq: 2, hash: hash('sha256', (decode(laterDiary) as Uint8Array[])[0] ?? '') }
    const body = chunk([values[0] as Buffer, laterDiary])
    assert.is(
      await getOutcome(first({ ...honest, media: [], head: end, records: 2 }), { ...records, body }),
      'newer',
    )
  }
})

test.after(() => rm(home, { recursive: true, force: true }))

test.run()
