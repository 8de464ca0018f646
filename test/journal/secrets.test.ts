/** Secrets are stored by reference and removed as soon as nothing refers to them. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openSecrets } from '../../home/secrets.ts'
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

const failure = async (operation: Promise<unknown>): Promise<unknown> =>
  operation.then(
    () => undefined,
    (error: unknown) => error,
  )

test('returns a stored secret by its reference, also after reopening', () =>
  inHome(async (home) => {
    const secrets = await openSecrets(home, 'ada')
    assert.is(secrets.get('a'), undefined)
    await secrets.put('a', 'sk-one')
    await secrets.put('__proto__', 'sk-two 🌱')
    for (const secretFile of [secrets, await openSecrets(home, 'ada')]) {
      assert.equal(
        [secretFile.get('a'), secretFile.get('__proto__'), secretFile.get('b')],
        ['sk-one', 'sk-two 🌱', undefined],
      )
      assert.not(secretFile.damaged)
    }
  }))

test('writes one file that only the owner can read', () =>
  inHome(async (home, file) => {
    const secrets = await openSecrets(home, 'ada')
    await secrets.put('a', 'sk-one')
    assert.is((await stat(file)).mode & 0o777, 0o600)
    assert.is((await stat(join(home, 'personas', 'ada'))).mode & 0o777, 0o700)
    assert.equal(await readdir(join(home, 'personas', 'ada')), ['secrets'])
  }))

// Fails if `sweep` leaves the write to the next put.
test('removes swept secrets from the disk immediately', () =>
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

test('deletes a partial file of a crash when it is opened', () =>
  inHome(async (home, file) => {
    await (await openSecrets(home, 'ada')).put('a', 'sk-one')
    await writeFile(`${file}.tmp`, 'sk-swept')
    assert.is((await openSecrets(home, 'ada')).get('a'), 'sk-one')
    assert.equal(await readdir(join(home, 'personas', 'ada')), ['secrets'])
  }))

// Fails without a queue: of concurrent puts all but one are lost.
test('loses none of several concurrent puts', () =>
  inHome(async (home) => {
    const secrets = await openSecrets(home, 'ada')
    const refs = Array.from({ length: 20 }, (_, n) => `ref ${n}`)
    await Promise.all(refs.map((ref) => secrets.put(ref, `value of ${ref}`)))
    const reopened = await openSecrets(home, 'ada')
    for (const ref of refs) assert.is(reopened.get(ref), `value of ${ref}`)
  }))

test('treats a damaged file as missing and reports it', () =>
  inHome(async (home, file) => {
    await (await openSecrets(home, 'ada')).put('a', 'sk-one')
    const intact = await readFile(file)
    for (let place = 0; place < intact.length; place++) {
      const flipped = Buffer.from(intact)
      flipped.writeUInt8(flipped.readUInt8(place) ^ 4, place)
      await writeFile(file, flipped)
      const secrets = await openSecrets(home, 'ada')
      assert.ok(secrets.damaged)
      assert.is(secrets.get('a'), undefined)
    }
    for (const bytes of [Buffer.alloc(0), intact.subarray(0, -1)]) {
      await writeFile(file, bytes)
      assert.ok((await openSecrets(home, 'ada')).damaged)
    }
    const secrets = await openSecrets(home, 'ada')
    await secrets.put('b', 'sk-two')
    assert.is((await openSecrets(home, 'ada')).damaged, false)
  }))

// Fails if EISDIR counts as a temporary read error: the persona never starts again.
test('treats a folder in its place as a damaged file and stores the next key', () =>
  inHome(async (home, file) => {
    await mkdir(join(file, 'inside'), { recursive: true })
    const secrets = await openSecrets(home, 'ada')
    assert.ok(secrets.damaged)
    await secrets.put('k1', 'sk-1')
    assert.is((await openSecrets(home, 'ada')).get('k1'), 'sk-1')
  }))

test('keeps the old secrets if a write fails, and writes again later', () =>
  inHome(async (home, file) => {
    const secrets = await openSecrets(home, 'ada')
    await secrets.put('a', 'sk-one')
    await rm(file)
    // A folder at the target of the rename simulates a failing disk.
    await mkdir(join(file, 'in the way'), { recursive: true })
    assert.instance(await failure(secrets.put('b', 'sk-two')), Unavailable)
    assert.is(secrets.get('b'), undefined)
    assert.equal(await readdir(join(home, 'personas', 'ada')), ['secrets'])
    await rm(file, { recursive: true })
    await secrets.put('c', 'sk-three')
    const reopened = await openSecrets(home, 'ada')
    assert.equal([reopened.get('a'), reopened.get('b'), reopened.get('c')], ['sk-one', undefined, 'sk-three'])
  }))

test('errors contain no secret, and ids are not paths', () =>
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
