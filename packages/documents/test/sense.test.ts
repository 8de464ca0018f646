/** Tests which organ a file belongs to, by its name and its bytes. */
import { readFile } from 'node:fs/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Sensed, senseFile as senseWith } from '../file-kind.ts'
import { usualLimits } from '../limits.ts'
import { packedIn } from '../packed.ts'
import { letterDocx, talkPptx } from './made-office.ts'
import { brandedPicture, pdf, phonePicture } from './made-others.ts'
import { file, withFile } from './place.ts'
import { zip } from './zip.ts'

/** Lists zips in this process. */
const senseFixture = (path: string, name: string): Promise<Sensed> =>
  senseWith(path, name, (zip) => packedIn(zip, usualLimits))

const bytes = (name: string): Promise<Buffer> => readFile(file(name))
const sense = async (name: string, content: Uint8Array | string | Promise<Buffer>): Promise<Sensed> => {
  const contentBytes = await content
  return withFile(contentBytes, (path) => senseFixture(path, name))
}
/** Returns the format, or a short form of the refusal. */
const summarize = (sensedFile: Sensed): string => {
  if (sensedFile.kind === 'contradiction') return `claims ${sensedFile.claims}, is ${sensedFile.is}`
  if (sensedFile.kind === 'binary') return `binary ${sensedFile.mime}`
  return sensedFile.kind === 'absent' ? 'absent' : `${sensedFile.kind} ${sensedFile.format}`
}

for (const [name, expected, mime] of [
  ['dot.png', 'image png', 'image/png'],
  ['dot.jpg', 'image jpeg', 'image/jpeg'],
  ['dot.gif', 'image gif', 'image/gif'],
  ['dot.webp', 'image webp', 'image/webp'],
  ['tone.wav', 'audio wav', 'audio/wav'],
  ['tone.mp3', 'audio mp3', 'audio/mpeg'],
  ['tone-untagged.mp3', 'audio mp3', 'audio/mpeg'],
  ['tone.m4a', 'audio m4a', 'audio/mp4'],
  ['tone.ogg', 'audio ogg', 'audio/ogg'],
  ['tone.oga', 'audio ogg', 'audio/ogg'],
  ['tone.opus', 'audio ogg', 'audio/ogg'],
  ['tone.webm', 'audio webm', 'audio/webm'],
  ['tone.flac', 'audio flac', 'audio/flac'],
  ['tone.aac', 'audio aac', 'audio/aac'],
  ['invoice.pdf', 'document pdf', 'application/pdf'],
  ['offer.docx', 'document docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['people.xlsx', 'document xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  [
    'garden.pptx',
    'document pptx',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  ['letter.odt', 'document odt', 'application/vnd.oasis.opendocument.text'],
  ['ledger.ods', 'document ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['talk.odp', 'document odp', 'application/vnd.oasis.opendocument.presentation'],
  ['tales.epub', 'document epub', 'application/epub+zip'],
  ['note.txt', 'document text', 'text/plain'],
  ['note-utf16.txt', 'document text', 'text/plain'],
] as const) {
  test(`detects ${name} as ${expected}, with and without its name`, async () => {
    const extension = name.slice(name.lastIndexOf('.'))
    for (const usedName of [name, `X${extension.toUpperCase()}`, 'photo', 'scan.dat', 'what.is-this']) {
      const sensedFile = await senseFixture(file(name), usedName)
      assert.is(summarize(sensedFile), expected, usedName)
      assert.is('mime' in sensedFile && sensedFile.mime, mime, usedName)
    }
  })
}

for (const [name, text] of [
  ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['page.html', '<!doctype html><title>Grüße</title>'],
  ['table.csv', 'Straße;Größe\n'],
  ['data.json', '{"a":1}'],
  ['feed.xml', '<?xml version="1.0"?><a/>'],
  ['main.ts', 'export const a = 1\n'],
  ['README', '# Hallo'],
  ['odd.xyz', 'words'],
  ['car.txt', 'BMW is a car'],
  ['tags.md', 'ID3 tags are frames'],
  ['log.txt', '\u001b[31mred\u001b[0m\n'],
] as const) {
  test(`detects ${name} as text`, async () => assert.is(summarize(await sense(name, text)), 'document text'))
}

test('detects text whose examined part ends within a character', async () => {
  assert.is(summarize(await sense('long', `a${'ü'.repeat(60_000)}`)), 'document text')
})

for (const [name, content, expected] of [
  ['photo.png', () => bytes('invoice.pdf'), 'claims a PNG picture, is a PDF document'],
  ['photo.png', () => bytes('dot.jpg'), 'claims a PNG picture, is a JPEG picture'],
  ['photo.jpeg', () => bytes('dot.webp'), 'claims a JPEG picture, is a WebP picture'],
  ['photo.jpg', () => phonePicture, 'claims a JPEG picture, is a HEIC picture'],
  ['photo.heif', () => brandedPicture('mif1', 'avif'), 'claims a HEIF picture, is an AVIF picture'],
  ['photo.webp', () => bytes('tone.wav'), 'claims a WebP picture, is a WAV recording'],
  ['paper.pdf', () => 'only words', 'claims a PDF document, is plain text'],
  ['words.txt', () => bytes('dot.png'), 'claims plain text, is a PNG picture'],
  ['words.md', () => bytes('invoice.pdf'), 'claims plain text, is a PDF document'],
  ['words.csv', () => bytes('people.xlsx'), 'claims plain text, is an Excel workbook'],
  ['tone.mp3', () => bytes('tone.ogg'), 'claims an MP3 recording, is an Ogg recording'],
  ['tone.wav', () => 'RIFFraff', 'claims a WAV recording, is plain text'],
  ['film.webm', () => bytes('film.mp4'), 'claims a WebM recording, is a file of the kind video/mp4'],
  ['letter.docx', () => zip([{ name: 'a.txt', bytes: 'a' }]), 'claims a Word document, is a zip archive'],
  ['letter.docx', () => bytes('people.xlsx'), 'claims a Word document, is an Excel workbook'],
  ['letter.docx', () => bytes('tales.epub'), 'claims a Word document, is an EPUB book'],
  ['letter.odt', () => bytes('ledger.ods'), 'claims an OpenDocument text, is an OpenDocument spreadsheet'],
  ['letter.docx', () => oldWord(), 'claims a Word document, is an old Word document (.doc)'],
  ['letter.docx', () => compound('Other'), 'claims a Word document, is a file of the kind application/x-cfb'],
  ['letter.docx', () => compound(mailStream), 'claims a Word document, is an Outlook mail'],
  ['mail.msg', () => oldWord(), 'claims an Outlook mail, is an old Word document (.doc)'],
  ['empty.png', () => '', 'claims a PNG picture, is nothing at all'],
  ['empty.zip', () => '', 'claims a file of the kind .zip, is nothing at all'],
  ['film.mp4', () => bytes('dot.png'), 'claims a file of the kind .mp4, is a PNG picture'],
  ['letter.doc', () => bytes('letter.docx'), 'claims a file of the kind .doc, is a Word document'],
  ['letter.exe', () => 'only words', 'claims a file of the kind .exe, is plain text'],
] as const) {
  test(`refuses ${name} whose bytes contradict its extension: ${expected}`, async () => {
    assert.is(summarize(await sense(name, content())), expected)
  })
}

/** Builds the header of a compound file, followed by the sector with its directory. */
const compound = (entry: string): Buffer => {
  const head = Buffer.alloc(2048)
  Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).copy(head)
  head.writeUInt16LE(9, 30)
  head.writeUInt32LE(1, 48)
  head.write(entry, 1024, 'utf16le')
  return head
}
const oldWord = (): Buffer => compound('WordDocument')
const mailStream = '__properties_version1.0'

for (const [name, content, expected] of [
  ['film.mp4', () => bytes('film.mp4'), 'binary video/mp4'],
  ['film', () => bytes('film.mp4'), 'binary video/mp4'],
  ['all.zip', () => zip([{ name: 'a.txt', bytes: 'a' }]), 'binary application/zip'],
  ['all', () => zip([]), 'binary application/zip'],
  ['letter.doc', () => oldWord(), 'binary application/msword'],
  ['table.xls', () => compound('Workbook'), 'binary application/vnd.ms-excel'],
  ['table', () => compound('Book'), 'binary application/vnd.ms-excel'],
  ['talk.ppt', () => compound('PowerPoint Document'), 'binary application/vnd.ms-powerpoint'],
  ['thumbs.db', () => compound('Catalog'), 'binary application/x-cfb'],
  [
    'noise.bin',
    () => Buffer.from(Array.from({ length: 999 }, (_, n) => (n * 7919) % 251)),
    'binary application/octet-stream',
  ],
  ['noise', () => Buffer.from([0, 1, 2, 3]), 'binary application/octet-stream'],
] as const) {
  test(`describes a file that no organ reads: ${name}, ${expected}`, async () =>
    assert.is(summarize(await sense(name, content())), expected))
}

for (const [name, content, expected] of [
  ['notes.rtf', () => '{\\rtf1 Hallo}', 'document rtf'],
  ['letter.doc', () => '{\\rtf1 Hallo}', 'document rtf'],
  ['notes.txt', () => '{\\rtf1 Hallo}', 'document rtf'],
  ['plain.rtf', () => 'only words', 'document rtf'],
  ['words.eml', () => 'only words', 'document mail'],
  ['words.msg', () => 'only words', 'document outlook'],
  ['mail.msg', () => 'From: a@b.example\nMIME-Version: 1.0\n\nHallo', 'document outlook'],
  ['mail.dat', () => compound(mailStream), 'document outlook'],
  ['mail', () => 'From: a@b.example\nMIME-Version: 1.0\n\nHallo', 'document mail'],
  ['notes', () => 'From: a@b.example\nSubject: me\n\nHallo', 'document text'],
  ['all.zip', () => bytes('letter.docx'), 'document docx'],
  ['letter.docm', () => bytes('letter.docx'), 'document docx'],
  ['IMG_0001.HEIC', () => phonePicture, 'image heic'],
  ['photo', () => phonePicture, 'image heic'],
  ['photo.heif', () => phonePicture, 'image heif'],
  ['photo.heic', () => brandedPicture('mif1'), 'image heic'],
  ['photo.avif', () => brandedPicture('avif', 'mif1'), 'image avif'],
  ['voice.mp4', () => bytes('tone.m4a'), 'audio m4a'],
  ['voice.m4a', () => bytes('film.mp4'), 'audio m4a'],
  ['late.pdf', async () => Buffer.concat([Buffer.from([0, 10]), await bytes('invoice.pdf')]), 'document pdf'],
] as const) {
  test(`accepts other formats that a name allows: ${name}, ${expected}`, async () =>
    assert.is(summarize(await sense(name, content())), expected))
}

// Problems that only reading reports: a password, a truncated file, too many parts, an old encoding.
for (const [name, content, expected] of [
  ['locked.docx', () => compound('EncryptedPackage'), 'document docx'],
  ['cut.msg', () => compound(mailStream).subarray(0, 600), 'document outlook'],
  ['cut.docx', () => zip(letterDocx).subarray(0, 3000), 'document docx'],
  ['cut.epub', () => zip(talkPptx).subarray(0, 1000), 'document epub'],
  ['cut.pdf', () => pdf(['<< >>']).subarray(0, 20), 'document pdf'],
  ['old.txt', () => Buffer.from('Größe', 'latin1'), 'document text'],
  ['empty.txt', () => '', 'document text'],
  ['empty', () => '', 'document text'],
] as const) {
  test(`accepts ${name} and lets the reader report problems: ${expected}`, async () =>
    assert.is(summarize(await sense(name, content())), expected))
}

test('does not detect text with a stream name as an encrypted compound file', async () => {
  assert.is(summarize(await sense('notes.txt', 'EncryptedPackage')), 'document text')
})

test('finds the parts of an office document in any order and case', async () => {
  const shuffled = letterDocx.toReversed().map((entry) => ({
    ...entry,
    name: entry.name === '[Content_Types].xml' ? '[content_types].XML' : entry.name,
  }))
  assert.is(summarize(await sense('letter.docx', zip(shuffled))), 'document docx')
})

test('reports a missing file', async () => {
  assert.equal(await senseFixture(file('nobody.png'), 'nobody.png'), { kind: 'absent' })
  assert.equal(await senseFixture(file('.'), 'folder.png'), { kind: 'absent' })
})

test.run()
