/** Tests Outlook mails: intact, in old encodings, with RTF only, damaged, hostile. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { decompressRtf } from '../compressed-rtf.ts'
import { extract } from '../extract.ts'
import { type Limits, usualLimits } from '../limits.ts'
import { compoundFile, type Storage } from './made-compound.ts'
import { helloRtf, invitationMail, properties } from './made-outlook.ts'
import { withFile } from './place.ts'

const read = async (bytes: Buffer | string, limits: Partial<Limits> = {}): Promise<string> => {
  const extracted = await withFile(bytes, (path) => extract(path, 'outlook', { ...usualLimits, ...limits }))
  return extracted.kind === 'text' ? extracted.text : extracted.reason
}

test('reads a mail that has only RTF, compressed and uncompressed', async () => {
  const mail = (rtf: Buffer) =>
    compoundFile(
      properties(32, [
        [0x0037, 'text', 'Hi'],
        [0x1000, 'text', ' \r\n'],
        [0x1009, 'binary', rtf],
      ]),
    )
  assert.is(await read(mail(helloRtf)), 'Subject: Hi\n\nhello world')
  const plain = Buffer.from('{\\rtf1 as it is}')
  const header = Buffer.alloc(16)
  header.writeUInt32LE(plain.length, 4)
  header.write('MELA', 8)
  assert.is(await read(mail(Buffer.concat([header, plain]))), 'Subject: Hi\n\nas it is')
  assert.is(await read(mail(Buffer.alloc(20))), 'damaged')
})

test('ignores the RTF of a mail that has another text format', async () => {
  const mail = compoundFile(
    properties(32, [
      [0x1000, 'text', 'The plain words'],
      [0x1009, 'binary', helloRtf],
    ]),
  )
  assert.is(await read(mail), 'The plain words')
})

test('decompresses repeated text and stops at the declared size', () => {
  assert.is(decompressRtf(helloRtf, 100).toString(), '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n')
  const bytes = Buffer.from(helloRtf)
  bytes.writeUInt32LE(8, 4)
  assert.is(decompressRtf(bytes, 100).toString(), '{\\rtf1\\a')
  bytes.writeUInt32LE(0xffff_ffff, 4)
  assert.throws(() => decompressRtf(bytes, 100), /too much in it/)
})

test('decodes non-Unicode texts by their code page or the language of the mail', async () => {
  const cyrillic = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])
  const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
  const mail = (subject: Buffer, id: number, value: number) =>
    compoundFile(
      properties(32, [
        [0x0037, 'ansi', subject],
        [0x1000, 'ansi', 'x'],
        [id, 'integer', value],
      ]),
    )
  assert.match(await read(mail(cyrillic, 0x3ffd, 1251)), 'Subject: Привет')
  assert.match(await read(mail(japanese, 0x3ff1, 1041)), 'Subject: 日本')
  const inRussian = compoundFile({
    ...properties(32, [[0x3ffd, 'integer', 1251]]),
    '__recip_version1.0_#00000000': properties(8, [
      [0x3001, 'ansi', cyrillic],
      [0x0c15, 'integer', 1],
    ]),
  })
  assert.is(await read(inRussian), 'To: Привет')
})

test('takes the date and its time zone from the transport header', async () => {
  const headers = 'Received: x\r\nDate: Thu, 7 May 2026 10:30:00 +0200\r\nFrom: a'
  const mail = properties(32, [
    [0x007d, 'text', headers],
    [0x0e06, 'time', new Date('2026-05-07T08:31:00Z')],
    [0x1000, 'text', 'Hi'],
  ])
  assert.is(await read(compoundFile(mail)), 'Date: Thu, 7 May 2026 10:30:00 +0200\n\nHi')
})

test('reads a .msg file that is an RFC 5322 mail or plain text', async () => {
  assert.match(await read('From: a@example.org\nSubject: Hi\n\nWords'), 'Subject: Hi')
  assert.is(await read('only words'), 'only words')
})

test('reports damage for a truncated mail and a compound file that is not a mail', async () => {
  for (const length of [8, 100, 600, 2000, 8000]) {
    const text = await read(invitationMail.subarray(0, length))
    assert.is(text, 'damaged', `${length} bytes`)
  }
  assert.is(await read(compoundFile({ WordDocument: Buffer.from('x') })), 'damaged')
})

test('reports damage if the text is shorter than the directory declares', async () => {
  const mail = compoundFile(properties(32, [[0x1000, 'text', 'Hi']]))
  assert.is(await read(mail), 'Hi')
  const body = mail.indexOf(Buffer.from('__substg1.0_1000001F', 'utf16le'))
  mail.writeUInt32LE(200, body + 120)
  assert.is(await read(mail), 'damaged')
})

/** Replaces each end mark in the sector tables with a sector number. */
const withLoops = (bytes: Buffer): Buffer => {
  const changedBytes = Buffer.from(bytes)
  for (let position = 512; position + 4 <= changedBytes.length; position += 4)
    if (changedBytes.readInt32LE(position) === -2) changedBytes.writeInt32LE(0, position)
  return changedBytes
}

test('reports damage if sector chains or directory entries form a cycle', async () => {
  assert.is(await read(withLoops(invitationMail)), 'damaged')
  const circle = Buffer.from(invitationMail)
  const root = circle.indexOf(Buffer.from('Root Entry', 'utf16le'))
  circle.writeInt32LE(1, root + 128 + 72)
  assert.is(await read(circle), 'damaged')
})

test('does not open mails that are nested too deeply', async () => {
  let mail: Storage = properties(24, [[0x0037, 'text', 'Inside']])
  for (let depth = 0; depth < 40; depth++)
    mail = {
      ...properties(24, [[0x0037, 'text', `Mail ${depth}`]]),
      '__attach_version1.0_#00000000': { ...properties(8, []), '__substg1.0_3701000D': mail },
    }
  assert.is(await read(compoundFile(mail), { depth: 50 }), 'bomb')
  assert.match(await read(compoundFile(mail), { depth: 100 }), 'Subject: Inside')
})

test.run()
