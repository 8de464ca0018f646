/** Files of encrypted rooms: the format of other clients, and damaged files. */
import { test } from 'uvu'
import { equal, instance, is, match, not } from 'uvu/assert'
import { loadCryptoLibrary } from '../crypto/crypto-library.ts'
import { decryptFile, encryptFile, FileDamaged } from '../crypto/encrypted-file.ts'

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}
const collect = async (source: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of source) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const encrypt = async (clear: Uint8Array) => {
  const { bytes, file } = await encryptFile(clear)
  return { encrypted: bytes, file }
}
const getFailure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

const clear = Buffer.from(Array.from({ length: 100_003 }, (_, i) => (i * 7) % 251))

test('decrypts a file that it encrypted, in chunks of any size', async () => {
  const { encrypted, file } = await encrypt(clear)
  is(encrypted.length, clear.length)
  not.equal(encrypted, clear)
  for (const size of [1, 17, 65_536, 200_000])
    equal(await collect(decryptFile(inChunks(encrypted, size), file)), clear)
  const empty = await encrypt(Buffer.alloc(0))
  is((await collect(decryptFile(inChunks(empty.encrypted, 10), empty.file))).length, 0)
})

test('uses another key for each file', async () => {
  const [first, second] = [await encrypt(clear), await encrypt(clear)]
  not(first.file.key.k === second.file.key.k)
  not(first.file.iv === second.file.iv)
})

test('has the format of the library of other clients', async () => {
  const { library } = await loadCryptoLibrary()
  const { encrypted, file } = await encrypt(clear)
  const attachment = new library.EncryptedAttachment(encrypted, JSON.stringify({ ...file, url: 'mxc://a/b' }))
  equal(Buffer.from(library.Attachment.decrypt(attachment)), clear)
  const theirs = library.Attachment.encrypt(clear)
  const info = JSON.parse(theirs.mediaEncryptionInfo ?? '{}')
  equal(await collect(decryptFile(inChunks(theirs.encryptedData, 999), info)), clear)
})

test('throws at the end of a file that was changed, cut off or extended, or with another key', async () => {
  const { encrypted, file } = await encrypt(clear)
  const changedBytes = Buffer.from(encrypted)
  changedBytes[50_000] = (changedBytes[50_000] ?? 0) ^ 1
  const extended = Buffer.concat([encrypted, Buffer.from('x')])
  for (const wrongInput of [changedBytes, extended, encrypted.subarray(0, -1), Buffer.alloc(0)])
    instance(await getFailure(collect(decryptFile(inChunks(wrongInput, 4096), file))), FileDamaged)
  const other = await encrypt(clear)
  const failure = await getFailure(collect(decryptFile(inChunks(encrypted, 4096), other.file)))
  match(String(failure), /cut off or changed/)
})

test('refuses descriptions that do not have the form of the specification', async () => {
  const { encrypted, file } = await encrypt(clear)
  const wrongInput: unknown[] = [
    null,
    { ...file, v: 'v1' },
    { ...file, iv: 'AAAA' },
    { ...file, hashes: {} },
    { ...file, hashes: { sha256: 'short' } },
    { ...file, key: { ...file.key, k: 'short' } },
    { ...file, key: { ...file.key, alg: 'A128CTR' } },
  ]
  for (const description of wrongInput)
    match(
      String(await getFailure(collect(decryptFile(inChunks(encrypted, 4096), description)))),
      /no valid key/,
    )
})

test('passes on an error of the source', async () => {
  const { file } = await encrypt(clear)
  const broken = async function* () {
    yield new Uint8Array(10)
    throw new Error('connection lost')
  }
  match(String(await getFailure(collect(decryptFile(broken(), file)))), /connection lost/)
})

test.run()
