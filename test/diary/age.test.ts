/** Compares our framing of the age format with its library, and with its command if installed. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Decrypter, Encrypter } from 'age-encryption'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decryptAge, encryptAge, fileKeyIn, nonceSize } from '../../src/diary/age.ts'
import { isWhole, printFigures } from '../ordeal.ts'
import { createChance } from '../random.ts'
import { newKeys, temporary } from './test-diary.ts'

const chunk = 64 * 1024
const sealedChunk = chunk + 16
const keys = await newKeys()

/** Yields the bytes in pieces of this size. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}

const joinPieces = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(Uint8Array.from(piece))
  return Buffer.concat(all)
}

const encrypt = (plaintext: Uint8Array, size = 10_000): Promise<Buffer> =>
  joinPieces(encryptAge(inPieces(plaintext, size), keys.recipient))

const getPayloadOffset = (file: Buffer): number => file.indexOf('\n', file.indexOf('\n--- ') + 1) + 1

const decryptFile = async (file: Buffer, size = 10_000): Promise<Buffer> => {
  const start = getPayloadOffset(file)
  const fileKey = await fileKeyIn(file.subarray(0, start), keys.identity)
  const chunks = file.subarray(start + nonceSize)
  return joinPieces(decryptAge(inPieces(chunks, size), fileKey, file.subarray(start, start + nonceSize)))
}

/** One byte before, at and after each chunk boundary. */
const sizes = [0, 1, 15, 16, 17, ...[1, 2, 3].flatMap((n) => [n * chunk - 1, n * chunk, n * chunk + 1])]

const byLibrary = {
  open: (file: Uint8Array): Promise<Uint8Array> => {
    const decrypter = new Decrypter()
    decrypter.addIdentity(keys.identity)
    return decrypter.decrypt(file)
  },
  seal: async (plaintext: Uint8Array): Promise<Buffer> => {
    const encrypter = new Encrypter()
    encrypter.addRecipient(keys.recipient)
    return Buffer.from(await encrypter.encrypt(plaintext))
  },
}

test('the library decrypts our files and we decrypt its files, at every chunk boundary', async () => {
  for (const size of sizes) {
    const plaintext = randomBytes(size)
    const ours = await encrypt(plaintext)
    const libraryFile = await byLibrary.seal(plaintext)
    assert.is(ours.length, libraryFile.length, `${size}`)
    assert.ok(plaintext.equals(await byLibrary.open(ours)), `${size}`)
    assert.ok(plaintext.equals(await decryptFile(libraryFile)), `${size}`)
  }
})

test('accepts pieces of any size', async () => {
  const plaintext = randomBytes(2 * chunk + 5)
  for (const size of [1000, chunk - 1, chunk, sealedChunk, sealedChunk + 1, 10 * chunk]) {
    assert.ok(plaintext.equals(await byLibrary.open(await encrypt(plaintext, size))), `${size}`)
    assert.ok(plaintext.equals(await decryptFile(await byLibrary.seal(plaintext), size)), `${size}`)
  }
  assert.ok(
    plaintext.subarray(0, 100).equals(await decryptFile(await encrypt(plaintext.subarray(0, 100), 1), 1)),
  )
})

// Fails if the nonce of the payload is constant.
test('no two files share encrypted bytes or a key', async () => {
  const plaintext = Buffer.alloc(3 * chunk)
  const firstCiphertext = await encrypt(plaintext)
  const otherCiphertext = await encrypt(plaintext)
  const start = getPayloadOffset(firstCiphertext)
  assert.not.ok(
    firstCiphertext.subarray(start, start + 16).equals(otherCiphertext.subarray(start, start + 16)),
  )
  const chunks = [firstCiphertext, otherCiphertext].flatMap((file) =>
    [0, 1, 2].map((n) => file.toString('hex', start + 16 + n * sealedChunk, start + 48 + n * sealedChunk)),
  )
  assert.is(new Set(chunks).size, chunks.length)
})

const refusal = async (file: Buffer): Promise<string> => {
  try {
    await decryptFile(file)
    return 'opened'
  } catch (error) {
    return error instanceof Error ? error.message : 'no error'
  }
}

// Fails if the last chunk's mark is not checked, or if an empty last chunk is allowed.
test('refuses chunks that are truncated, moved, missing, added, or wrongly marked as last', async () => {
  for (const size of [chunk, 3 * chunk, 3 * chunk - 100]) {
    const file = await encrypt(randomBytes(size))
    const start = getPayloadOffset(file) + nonceSize
    const first = file.subarray(0, start)
    const chunks: Buffer[] = []
    for (let offset = start; offset < file.length; offset += sealedChunk)
      chunks.push(file.subarray(offset, offset + sealedChunk))
    const expectRefusal = async (label: string, parts: readonly Buffer[]) =>
      assert.is.not(await refusal(Buffer.concat([first, ...parts])), 'opened', `${label}, ${size}`)
    assert.is(await refusal(Buffer.concat([first, ...chunks])), 'opened')
    for (let n = 0; n < chunks.length; n++) {
      const chunksBefore = chunks.slice(0, n)
      const current = chunks[n] ?? first
      const chunksAfter = chunks.slice(n + 1)
      await expectRefusal('cut at its edge', chunksBefore)
      await expectRefusal('cut behind its first byte', [...chunksBefore, current.subarray(0, 1)])
      await expectRefusal('cut within its tag', [...chunksBefore, current.subarray(0, 15)])
      await expectRefusal('a tag alone', [...chunksBefore, current.subarray(0, 16)])
      await expectRefusal('cut before its last byte', [...chunksBefore, current.subarray(0, -1)])
      await expectRefusal('twice', [...chunksBefore, current, current, ...chunksAfter])
      await expectRefusal('with another behind it', [...chunks, current])
      if (chunks.length > 1) await expectRefusal('left out', [...chunksBefore, ...chunksAfter])
      if (chunksAfter[0])
        await expectRefusal('swapped with the next', [
          ...chunksBefore,
          chunksAfter[0],
          current,
          ...chunksAfter.slice(1),
        ])
    }
    await expectRefusal('a byte more', [...chunks, Buffer.of(0)])
    await expectRefusal('nothing', [])
  }
})

/**
 * Encrypted correctly except for an empty last chunk: the owner of the key can create it, and the format
 * forbids it.
 */
test('refuses an empty last chunk, except in an empty file', async () => {
  const { createCipheriv, hkdfSync } = await import('node:crypto')
  const file = await encrypt(randomBytes(chunk))
  const start = getPayloadOffset(file)
  const fileKey = await fileKeyIn(file.subarray(0, start), keys.identity)
  const salt = file.subarray(start, start + nonceSize)
  const key = Buffer.from(hkdfSync('sha256', fileKey, salt, 'payload', 32))
  const encryptChunk = (plaintext: Uint8Array, number: number, last: number) => {
    const nonce = Buffer.from([...Array(10).fill(0), number, last])
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
    return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  }
  const full = randomBytes(chunk)
  const createFile = (...chunks: readonly Buffer[]) =>
    Buffer.concat([file.subarray(0, start + nonceSize), ...chunks])
  assert.is(await refusal(createFile(encryptChunk(full, 0, 0), encryptChunk(Buffer.of(1), 1, 1))), 'opened')
  assert.is.not(
    await refusal(createFile(encryptChunk(full, 0, 0), encryptChunk(Buffer.alloc(0), 1, 1))),
    'opened',
  )
  assert.is.not(
    await refusal(createFile(encryptChunk(full, 0, 0), encryptChunk(Buffer.of(1), 1, 0))),
    'opened',
  )
  assert.is(await refusal(createFile(encryptChunk(Buffer.alloc(0), 0, 1))), 'opened')
})

test('refuses exactly the damage that the library refuses', async () => {
  const chance = createChance('age: damages')
  const file = await encrypt(randomBytes(2 * chunk + 1000))
  const start = getPayloadOffset(file)
  const damages = isWhole ? 3000 : 300
  for (let n = 0; n < damages; n++) {
    // Half of them near a chunk boundary, or in the nonce.
    const edge = start + chance.pick([0, nonceSize, nonceSize + sealedChunk, nonceSize + 2 * sealedChunk])
    const near = Math.min(file.length - 1, Math.max(start, edge + chance.pickBetween(-20, 20)))
    const offset = chance.next() < 0.5 ? near : chance.pickBetween(start, file.length - 1)
    const flipped = Buffer.from(file)
    flipped.writeUInt8(flipped.readUInt8(offset) ^ (1 << chance.pickBetween(0, 7)), offset)
    const grownFile = Buffer.concat([
      file.subarray(0, offset),
      randomBytes(chance.pickBetween(1, 40)),
      file.subarray(offset),
    ])
    const damagedFile = chance.pick([flipped, file.subarray(0, offset), grownFile])
    assert.is.not(await refusal(damagedFile), 'opened', `byte ${offset}`)
    if (n % 20 === 0) assert.is(await byLibrary.open(damagedFile).catch(() => 'refused'), 'refused')
  }
  printFigures('age: damages', `${damages} damages`)
})

test('yields the chunks before the damage, and nothing of the damaged one', async () => {
  const plaintext = randomBytes(3 * chunk)
  const file = await encrypt(plaintext)
  const start = getPayloadOffset(file)
  const fileKey = await fileKeyIn(file.subarray(0, start), keys.identity)
  const body = Buffer.from(file.subarray(start + nonceSize))
  body.writeUInt8(body.readUInt8(2 * sealedChunk - 1) ^ 1, 2 * sealedChunk - 1)
  const receivedChunks: Buffer[] = []
  try {
    const nonce = file.subarray(start, start + nonceSize)
    for await (const piece of decryptAge(inPieces(body, 9999), fileKey, nonce)) receivedChunks.push(piece)
    assert.unreachable()
  } catch (error) {
    assert.match((error as Error).message, /authenticate/)
  }
  assert.ok(Buffer.concat(receivedChunks).equals(plaintext.subarray(0, chunk)))
})

const execute = promisify(execFile)
const hasCommand = await execute('age', ['--version']).then(
  () => true,
  () => false,
)

test('the age command decrypts our files, and we decrypt its files', async () => {
  if (!hasCommand) return
  const folder = await temporary()
  const [key, plain, file] = ['key', 'plain', 'file'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(key, `${keys.identity}\n`)
  for (const size of sizes) {
    const bytes = randomBytes(size)
    await writeFile(plain, bytes)
    await writeFile(file, await encrypt(bytes))
    const execOptions = { encoding: 'buffer', maxBuffer: 2 * size + chunk } as const
    const { stdout } = await execute('age', ['--decrypt', '--identity', key, file], execOptions)
    assert.ok(bytes.equals(stdout), `${size}`)
    await execute('age', ['--encrypt', '--recipient', keys.recipient, '--output', file, plain])
    assert.ok(bytes.equals(await decryptFile(await readFile(file))), `${size}`)
  }
})

test.run()
