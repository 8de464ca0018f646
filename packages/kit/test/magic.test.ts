/** Detects file types by their first bytes, without unpacking and without reading the rest. */
import { open } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { typeOfFile } from '../../documents/media-types.ts'
import { brandedPicture } from '../../documents/test/made-others.ts'
import { file, withFile } from '../../documents/test/place.ts'
import { zip } from '../../documents/test/zip.ts'
import { detectMagic, detectMagicOfFile } from '../files/magic.ts'

for (const [name, mime] of [
  ['offer.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['people.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['garden.pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['letter.odt', 'application/vnd.oasis.opendocument.text'],
  ['ledger.ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['talk.odp', 'application/vnd.oasis.opendocument.presentation'],
  ['tales.epub', 'application/epub+zip'],
  ['invoice.pdf', 'application/pdf'],
  ['dot.png', 'image/png'],
  ['tone.flac', 'audio/flac'],
] as const)
  test(`knows ${name} as ${mime}`, async () => {
    assert.equal(await detectMagicOfFile(file(name)), {
      mime,
      extension: name.slice(name.lastIndexOf('.') + 1),
    })
  })

test('recognizes other zip files and gzip by their signature', async () => {
  assert.equal(await detectMagic(zip([{ name: 'word/a.txt', bytes: 'a' }])), {
    mime: 'application/zip',
    extension: 'zip',
  })
  assert.equal(await detectMagic(zip([])), { mime: 'application/zip', extension: 'zip' })
  assert.equal(await detectMagic(gzipSync(Buffer.alloc(1_000_000))), {
    mime: 'application/gzip',
    extension: 'gz',
  })
})

for (const [brands, mime, extension] of [
  [['heic', 'mif1', 'heic'], 'image/heic', 'heic'],
  [['heix', 'mif1'], 'image/heic', 'heic'],
  [['mif1', 'miaf', 'heic'], 'image/heic', 'heic'],
  [['mif1', 'miaf', 'avif'], 'image/avif', 'avif'],
  [['mif1', 'miaf'], 'image/heif', 'heif'],
  [['avif', 'mif1'], 'image/avif', 'avif'],
  [['hevc', 'msf1'], 'image/heic-sequence', 'heic'],
  [['msf1'], 'image/heif-sequence', 'heif'],
  [['M4A ', 'mp42', 'isom'], 'audio/x-m4a', 'm4a'],
  [['isom', 'heic'], 'video/mp4', 'mp4'],
] as const)
  test(`knows a file of the brands ${brands.join(', ')} as ${mime}`, async () => {
    const [first, ...otherBrands] = brands
    assert.equal(await detectMagic(brandedPicture(first, ...otherBrands)), { mime, extension })
  })

test('finds audio after a tag with a picture, and a TIFF whose directory is at its end', async () => {
  const tag = Buffer.alloc(200_010)
  tag.write('ID3\u0004')
  // Seven bits a byte.
  for (const [n, position] of [6, 7, 8, 9].entries()) tag[position] = (200_000 >> (7 * (3 - n))) & 0x7f
  const flac = Buffer.concat([tag, Buffer.from('fLaC'), Buffer.alloc(100)])
  assert.is(await withFile(flac, async (path) => (await detectMagicOfFile(path))?.mime), 'audio/flac')
  assert.is(await withFile(tag, async (path) => (await detectMagicOfFile(path))?.mime), 'audio/mpeg')
  const tiff = Buffer.alloc(100_000)
  tiff.write('II*\0')
  tiff.writeUInt32LE(90_000, 4)
  assert.is((await detectMagic(tiff))?.mime, 'image/tiff')
})

test('does not allocate the size that a zip entry claims', async () => {
  const size = 800_000_000
  const entry = Buffer.alloc(30 + 8)
  entry.write('PK\u0003\u0004')
  entry.writeUInt16LE(8, 8)
  entry.writeUInt32LE(size, 18)
  entry.writeUInt32LE(size, 22)
  entry.writeUInt16LE(8, 26)
  entry.write('mimetype', 30)
  await withFile(entry, async (path) => {
    const sparse = await open(path, 'r+')
    await sparse.truncate(entry.length + size)
    await sparse.close()
    const rssBefore = process.resourceUsage().maxRSS
    assert.is((await typeOfFile(path)).mime, 'application/zip')
    assert.ok(process.resourceUsage().maxRSS - rssBefore < 100_000)
  })
})

test.run()
