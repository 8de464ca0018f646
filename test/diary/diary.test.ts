/**
 * Encrypted diaries open again, with our code and with standard tools. Includes the process that does it and
 * its exits.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Decrypter } from 'age-encryption'
import { unpackTar } from 'modern-tar'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { openLevelStore } from '../../journal/leveldb/level-store.ts'
import { Damaged, Unavailable } from '../../journal/log/errors.ts'
import { recordSpan } from '../../journal/log/keys.ts'
import { fileKindOfPath, unseal } from '../../src/diary/decrypt-diary.ts'
import { openDiary, sealDiary } from '../../src/diary/diary.ts'
import { encryptDiary, surveyDiary } from '../../src/diary/encrypt-diary.ts'
import { type Manifest, removeLengthPrefix } from '../../src/diary/format.ts'
import { deriveIdentity, readPhrase } from '../../src/persona/phrase.ts'
import { waitFor } from '../calls.ts'
import { born, collect, createMessageHeard, listPositions } from '../journal/facts.ts'
import { golden } from '../journal/make-golden.ts'
import { goldenMedia, goldenPhrase } from './make-golden.ts'
import {
  createOutline,
  createRecords,
  joinPieces,
  life,
  madeDiary,
  mediaIn,
  newKeys,
  paged,
  temporary,
} from './test-diary.ts'

const execute = promisify(execFile)

test('a decrypted diary equals its journal byte for byte, without files that were deleted', async () => {
  const home = await temporary()
  const keys = await newKeys()
  const { values, head } = createRecords(life(1200, 500))
  const media = await mediaIn(home, [0, 1, 511, 512, 513, 300_000])
  const path = join(home, 'ada.diary')
  const missingFile = { filename: `${'0'.repeat(32)}.txt`, path: join(home, 'gone'), bytes: 7 }
  const sealing = {
    outline: createOutline(keys.recipient, head),
    records: paged(values),
    media: [...media, missingFile],
  }
  await writeFile(path, await joinPieces(sealDiary(sealing)))

  const { manifest, folder, drop } = await openDiary(path, keys.identity, home)
  assert.equal(manifest.head, head)
  assert.equal(
    manifest.media.map(({ bytes }) => bytes).sort((a, b) => a - b),
    [0, 1, 511, 512, 513, 300_000],
  )
  for (const { filename, path: source } of media)
    assert.ok((await readFile(join(folder, 'media', filename))).equals(await readFile(source)))
  const store = await openLevelStore(join(folder, 'journal'), 'existing')
  assert.ok(Buffer.concat((await collect(store.values(recordSpan(0)))).flat()).equals(Buffer.concat(values)))
  await store.close()

  await mkdir(join(home, 'personas', 'ada'), { recursive: true })
  await cp(join(folder, 'journal'), join(home, 'personas', 'ada', 'journal'), { recursive: true })
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => head })
  const journal = await journals.open('ada', 'writer')
  assert.ok((await journal.verify()).intact)
  assert.is((await listPositions(journal.read({ kind: 'talk' }))).length > 1200, true)
  assert.is(await journal.findByKey('key 7'), head.seq - 1200 + 8)
  await journal.close()
  await drop()
  assert.not((await readdir(home)).some((name) => name.startsWith('diary-')))
  await rm(home, { recursive: true })
})

test('the same life is the same tar, and another age file each time', async () => {
  const home = await temporary()
  const keys = await newKeys()
  const firstDiary = await madeDiary(home, keys.recipient, life(50), [9])
  const otherDiary = await madeDiary(home, keys.recipient, life(50), [9])
  assert.not(firstDiary.bytes.equals(otherDiary.bytes))
  const decrypter = new Decrypter()
  decrypter.addIdentity(keys.identity)
  assert.equal(await decrypter.decrypt(firstDiary.bytes), await decrypter.decrypt(otherDiary.bytes))
  await rm(home, { recursive: true })
})

test('opens every golden diary with the phrase alone, and reads the expected state', async () => {
  const home = await temporary()
  const readResult = await readPhrase(goldenPhrase)
  if (readResult.fault) throw new Error('the golden phrase is one')
  const identity = await deriveIdentity(readResult.entropy)
  const folder = join(import.meta.dirname, 'golden')
  const diaries = (await readdir(folder)).filter((name) => name.endsWith('.diary'))
  assert.ok(diaries.includes('v1.diary'))
  for (const name of diaries) {
    const targetFolder = join(home, name)
    // One fact of each kind, in an order that no life has: it only shows the format.
    const manifest = await unseal(join(folder, name), identity, targetFolder, { isPossible: () => true })
    await mkdir(join(home, 'personas', 'ada'), { recursive: true })
    await cp(join(targetFolder, 'journal'), join(home, 'personas', 'ada', 'journal'), { recursive: true })
    const journals = openPersonaJournals({
      stores: await openHomeStores(home),
      witness: async () => manifest.head,
    })
    const journal = await journals.open('ada', 'writer')
    // A diary contains no snapshots and parts.
    const { snapshot: _, part: __, ...said } = JSON.parse(JSON.stringify(await golden(journal)))
    const { manifest: manifestFacts, ...expected } = JSON.parse(
      await readFile(join(folder, name.replace('.diary', '.json')), 'utf8'),
    )
    assert.equal(JSON.parse(JSON.stringify(manifest)), manifestFacts)
    assert.equal(said, expected)
    await journal.close()
    for (const [filename, content] of Object.entries(goldenMedia))
      assert.is(await readFile(join(targetFolder, 'media', filename), 'utf8'), content)
    await rm(join(home, 'personas'), { recursive: true })
  }
  await rm(home, { recursive: true })
})

test('reports files that differ from their facts, and encrypts them unchanged', async () => {
  const home = await temporary()
  const keys = await newKeys()
  const media = await mediaIn(home, [9, 9, 9])
  const files = await surveyDiary(media)
  const naming = files.map(({ filename, sha256 }, n) => {
    const file = {
      filename,
      name: 'a',
      mime: 'text/plain',
      caption: '',
      voice: false,
      bytes: 9,
      sha256: n === 1 ? 'ab'.repeat(32) : sha256,
      from: 'person',
      by: null,
    }
    return { ...createMessageHeard('look'), media: n === 2 ? null : file } as PersonaEvent
  })
  const { values, head } = createRecords([born, ...naming])
  const progress: number[] = []
  const getPath = (filename: string) => join(home, filename)
  const manifest = { ...createOutline(keys.recipient, head), media: [...files] }
  const bytes = await joinPieces(
    encryptDiary(manifest, paged(values), getPath, (count) => progress.push(count)),
  )
  assert.equal(progress, [1])
  const path = join(home, 'a.diary')
  await writeFile(path, bytes)
  assert.equal((await unseal(path, keys.identity, join(home, 'into'))).media, files)
  await rm(home, { recursive: true })
})

test('a diary is an ordinary age file of an ordinary tar', async () => {
  const home = await temporary()
  const keys = await newKeys()
  const { bytes, manifest, values, media } = await madeDiary(home, keys.recipient, life(1600, 700), [70_000])
  const decrypter = new Decrypter()
  decrypter.addIdentity(keys.identity)
  const tar = await decrypter.decrypt(bytes)
  const entries = await unpackTar(tar, { strict: true })
  const names = entries.map(({ header }) => header.name)
  assert.is(names[0], 'manifest.json')
  assert.equal(JSON.parse(Buffer.from(entries[0]?.data ?? []).toString()), manifest)
  assert.is(names[1], 'journal/000000000001.records')
  assert.ok(names.filter((name) => name.startsWith('journal/')).length > 1)
  const records = entries.filter(({ header }) => header.name.startsWith('journal/'))
  assert.ok(
    Buffer.concat(records.flatMap(({ data = [] }) => removeLengthPrefix(Buffer.from(data)) ?? [])).equals(
      Buffer.concat(values),
    ),
  )
  assert.is(names.at(-1), `media/${media[0]?.filename}`)

  // The tar and age commands give the same result, if installed.
  await writeFile(join(home, 'ada.tar'), tar)
  if (await isThere('tar')) {
    const { stdout } = await execute('tar', ['-tf', join(home, 'ada.tar')])
    assert.equal(stdout.trim().split('\n'), names)
    await mkdir(join(home, 'by-hand'))
    await execute('tar', ['-xf', join(home, 'ada.tar'), '-C', join(home, 'by-hand')])
    assert.equal(JSON.parse(await readFile(join(home, 'by-hand', 'manifest.json'), 'utf8')), manifest)
  }
  if (await isThere('age')) {
    await writeFile(join(home, 'ada.diary'), bytes)
    await writeFile(join(home, 'key'), `${keys.identity}\n`)
    await execute('age', [
      '-d',
      '-i',
      join(home, 'key'),
      '-o',
      join(home, 'by-age.tar'),
      join(home, 'ada.diary'),
    ])
    assert.ok((await readFile(join(home, 'by-age.tar'))).equals(Buffer.from(tar)))
  }
  await rm(home, { recursive: true })
})

const isThere = (command: string): Promise<boolean> =>
  execute(command, ['--version']).then(
    () => true,
    () => false,
  )

// Fails if the keeper's answer is ignored: half a diary would count as complete.
test('refuses a journal that differs from its announcement or is unreadable, and a file that changes meanwhile', async () => {
  const home = await temporary()
  const { recipient } = await newKeys()
  const { values, head } = createRecords(life(30))
  const outline = createOutline(recipient, head)
  const encodeRecords = (records: AsyncIterable<readonly Buffer[]>) =>
    rejection(joinPieces(sealDiary({ outline, records, media: [] })))
  assert.instance(await encodeRecords(paged(values.slice(0, -1))), Damaged)
  const readError = new Unavailable('the journal cannot be read')
  const throwError = async function* () {
    yield values.slice(0, 3)
    throw readError
  }
  assert.is(await encodeRecords(throwError()), readError)

  const sealRecords = (records: readonly Buffer[], media: Manifest['media'] = []) =>
    rejection(
      joinPieces(encryptDiary({ ...outline, media }, paged(records), (filename) => join(home, filename))),
    )
  const unlike = Buffer.concat([(values[7] as Buffer).subarray(0, -1), Buffer.of(0)])
  for (const records of [
    values.with(7, values[8] as Buffer),
    values.with(7, unlike),
    [...values, values[7] as Buffer],
    [],
  ])
    assert.instance(await sealRecords(records), Damaged)
  const media = await surveyDiary(await mediaIn(home, [10]))
  for (const size of [9, 11]) {
    await writeFile(join(home, media[0]?.filename ?? ''), Buffer.alloc(size))
    assert.instance(await sealRecords(values, [...media]), Unavailable)
  }
  await rm(home, { recursive: true })
})

test('stops the work and the reading of the journal when the reader stops', async () => {
  const home = await temporary()
  const keys = await newKeys()
  const { values, head } = createRecords(life(100, 20_000))
  let isClosed = false
  const records = async function* () {
    try {
      yield* paged(values, 10)
    } finally {
      isClosed = true
    }
  }
  const controller = new AbortController()
  let pieces = 0
  const readAll = async () => {
    for await (const _ of sealDiary({
      outline: createOutline(keys.recipient, head),
      records: records(),
      media: [],
      signal: controller.signal,
    })) {
      if (++pieces === 2) controller.abort(new Error('enough'))
    }
  }
  assert.is((await rejection(readAll()))?.message, 'enough')
  await waitFor('the journal to be released', () => isClosed)

  for await (const _ of sealDiary({
    outline: createOutline(keys.recipient, head),
    records: paged(values),
    media: [],
  }))
    break
  await rm(home, { recursive: true })
})

// Fails if the folder is left to the caller.
test('an aborted or failed decryption leaves no files', async () => {
  const home = await temporary()
  const keys = await newKeys()
  const { bytes } = await madeDiary(home, keys.recipient, life(1200, 2000), [])
  const path = join(home, 'ada.diary')
  await writeFile(path, bytes)
  const openFolder = join(home, 'trash')
  await mkdir(openFolder)
  const controller = new AbortController()
  const work = rejection(openDiary(path, keys.identity, openFolder, controller.signal))
  await waitFor('the first of it to be there', async () => (await readdir(openFolder)).length > 0)
  controller.abort(new Error('never mind'))
  assert.is((await work)?.message, 'never mind')
  assert.equal(await readdir(openFolder), [])
  assert.instance(await rejection(unseal(path, keys.identity, join(home, 'nowhere', 'at all'))), Unavailable)
  assert.instance(
    await rejection(unseal(join(home, 'nothing.diary'), keys.identity, join(openFolder, 'into'))),
    Unavailable,
  )
  await rm(home, { recursive: true })
})

test('detects an age file by its first bytes', async () => {
  const home = await temporary()
  const keys = await newKeys()
  const { bytes } = await madeDiary(home, keys.recipient, life(1), [])
  for (const [content, kind] of [
    [bytes, 'diary'],
    [bytes.subarray(0, 30), 'diary'],
    [bytes.subarray(0, 10), 'other'],
    [Buffer.alloc(0), 'other'],
    [Buffer.from('PK\x03\x04 a zip'), 'other'],
    [Buffer.from('-----BEGIN AGE ENCRYPTED FILE-----\n'), 'other'],
  ] as const) {
    await writeFile(join(home, 'file'), content)
    assert.is(await fileKindOfPath(join(home, 'file')), kind)
  }
  await rm(home, { recursive: true })
})

const rejection = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (error: Error) => error,
  )

test.run()
