/** Secrets: kept by reference, gone at once when nothing refers to them. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openSecrets } from '../../journal/files/secrets.ts'
import { Unavailable, Unknown } from '../../journal/log/errors.ts'
import { temporary } from './engines.ts'

const inHome = async (prove: (home: string, file: string) => Promise<void>): Promise<void> => {
  const home = await temporary()
  try {
    await prove(home, join(home, 'personas', 'ada', 'secrets'))
  } finally {
    await rm(home, { recursive: true })
  }
}

const failure = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  )

test('gives back by its reference what was put, after closing too', () =>
  inHome(async (home) => {
    const secrets = await openSecrets(home, 'ada')
    assert.is(secrets.get('a'), undefined)
    await secrets.put('a', 'sk-one')
    await secrets.put('__proto__', 'sk-two 🌱')
    for (const opened of [secrets, await openSecrets(home, 'ada')]) {
      assert.equal(
        [opened.get('a'), opened.get('__proto__'), opened.get('b')],
        ['sk-one', 'sk-two 🌱', undefined],
      )
      assert.not(opened.damaged)
    }
  }))

test('lies in a file for its owner alone, with nothing beside it', () =>
  inHome(async (home, file) => {
    const secrets = await openSecrets(home, 'ada')
    await secrets.put('a', 'sk-one')
    assert.is((await stat(file)).mode & 0o777, 0o600)
    assert.is((await stat(join(home, 'personas', 'ada'))).mode & 0o777, 0o700)
    assert.equal(await readdir(join(home, 'personas', 'ada')), ['secrets'])
  }))

// Seen failing on a build whose sweep left the writing to the next put.
test('what was swept is gone from the disk at once', () =>
  inHome(async (home, file) => {
    const secrets = await openSecrets(home, 'ada')
    await secrets.put('a', 'sk-one')
    await secrets.put('b', 'sk-two')
    assert.ok((await readFile(file)).includes('sk-one'))
    await secrets.sweep(['b', 'c'])
    assert.not((await readFile(file)).includes('sk-one'))
    assert.equal([secrets.get('a'), secrets.get('b')], [undefined, 'sk-two'])
    await secrets.sweep([])
    assert.not((await readFile(file)).includes('sk-two'))
    assert.equal(await readdir(join(home, 'personas', 'ada')), ['secrets'])
  }))

test('what a crash left half written goes when it is opened', () =>
  inHome(async (home, file) => {
    await (await openSecrets(home, 'ada')).put('a', 'sk-one')
    await writeFile(`${file}.tmp`, 'sk-swept')
    assert.is((await openSecrets(home, 'ada')).get('a'), 'sk-one')
    assert.equal(await readdir(join(home, 'personas', 'ada')), ['secrets'])
  }))

// Seen failing on a build that wrote at once what was put at once: all but one were lost.
test('loses none of what is put at once', () =>
  inHome(async (home) => {
    const secrets = await openSecrets(home, 'ada')
    const refs = Array.from({ length: 20 }, (_, n) => `ref ${n}`)
    await Promise.all(refs.map((ref) => secrets.put(ref, `value of ${ref}`)))
    const again = await openSecrets(home, 'ada')
    for (const ref of refs) assert.is(again.get(ref), `value of ${ref}`)
  }))

test('a damaged file counts as absent, and says so', () =>
  inHome(async (home, file) => {
    await (await openSecrets(home, 'ada')).put('a', 'sk-one')
    const whole = await readFile(file)
    for (let place = 0; place < whole.length; place++) {
      const spoiled = Buffer.from(whole)
      spoiled.writeUInt8(spoiled.readUInt8(place) ^ 4, place)
      await writeFile(file, spoiled)
      const secrets = await openSecrets(home, 'ada')
      assert.ok(secrets.damaged)
      assert.is(secrets.get('a'), undefined)
    }
    for (const bytes of [Buffer.alloc(0), whole.subarray(0, -1)]) {
      await writeFile(file, bytes)
      assert.ok((await openSecrets(home, 'ada')).damaged)
    }
    const secrets = await openSecrets(home, 'ada')
    await secrets.put('b', 'sk-two')
    assert.is((await openSecrets(home, 'ada')).damaged, false)
  }))

// Seen failing with EISDIR taken for a file that cannot be read now: it never wakes again.
test('a folder in its place counts as a damaged file, and the next key is kept', () =>
  inHome(async (home, file) => {
    await mkdir(join(file, 'inside'), { recursive: true })
    const secrets = await openSecrets(home, 'ada')
    assert.ok(secrets.damaged)
    await secrets.put('k1', 'sk-1')
    assert.is((await openSecrets(home, 'ada')).get('k1'), 'sk-1')
  }))

test('keeps what it had when it cannot write, and writes again when it can', () =>
  inHome(async (home, file) => {
    const secrets = await openSecrets(home, 'ada')
    await secrets.put('a', 'sk-one')
    await rm(file)
    // A folder in the way of the rename stands for a disk that refuses.
    await mkdir(join(file, 'in the way'), { recursive: true })
    assert.instance(await failure(secrets.put('b', 'sk-two')), Unavailable)
    assert.is(secrets.get('b'), undefined)
    assert.equal(await readdir(join(home, 'personas', 'ada')), ['secrets'])
    await rm(file, { recursive: true })
    await secrets.put('c', 'sk-three')
    const again = await openSecrets(home, 'ada')
    assert.equal([again.get('a'), again.get('b'), again.get('c')], ['sk-one', undefined, 'sk-three'])
  }))

test('an error tells no secret, and an id is no path', () =>
  inHome(async (home, file) => {
    const secrets = await openSecrets(home, 'ada')
    await secrets.put('a', 'sk-one')
    await rm(file)
    await mkdir(join(file, 'in the way'), { recursive: true })
    const error = (await failure(secrets.put('b', 'sk-two'))) as Error
    assert.not.match(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`, /sk-/)
    assert.instance(await failure(openSecrets(home, '../ada')), Unknown)
  }))

test.run()
