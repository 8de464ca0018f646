/** Tests the text of mails and RTF documents in various encodings. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { extract } from '../extract.ts'
import type { DocumentFormat } from '../formats.ts'
import { usualLimits } from '../limits.ts'
import { withFile } from './place.ts'

const read = async (bytes: Buffer | string, format: DocumentFormat): Promise<string> => {
  const extracted = await withFile(bytes, (path) => extract(path, format, usualLimits))
  return extracted.kind === 'text' ? `${extracted.text}${extracted.note ?? ''}` : extracted.reason
}

const base64Mail = `From: a@example.org
Subject: =?utf-8?Q?Treffen_in_K=C3=B6ln?=
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

VGhlIG1lZXRpbmcgaXMgbW92ZWQgdG8gVGh1cnNkYXkgaW4gS8O2bG4u
`

test('decodes the subject and the text of a mail', async () => {
  assert.is(
    await read(base64Mail, 'mail'),
    'Subject: Treffen in Köln\nFrom: a@example.org\n\nThe meeting is moved to Thursday in Köln.',
  )
})

test('reads a saved page without its style sheets', async () => {
  const page = `From: <Saved by Blink>
Subject: Garden
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary=b

--b
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<title>Garden</title><h1>B=C3=A4ume</h1><p>Eiche</p>
--b
Content-Type: text/css
Content-Transfer-Encoding: quoted-printable

h1 { color: red }
--b--
`
  const text = await read(page, 'mail')
  assert.match(text, /# Bäume\nEiche/)
  assert.not.match(text, /color/)
})

test('does not list a named inline picture as an attachment', async () => {
  const mail = `From: a@example.org
MIME-Version: 1.0
Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html

<p>Hello <img src="cid:logo"></p>
--b
Content-Type: image/png; name="logo.png"
Content-Disposition: inline; filename="logo.png"
Content-ID: <logo>

picture
--b--
`
  assert.is(await read(mail, 'mail'), 'From: a@example.org\nFiles that belong to the text: 1\n\nHello')
})

test('guesses and reports the encoding of 8-bit text without a declaration', async () => {
  const mail = Buffer.from('From: a@example.org\nSubject: Hi\n\nDie Größe der Bäume für München\n', 'latin1')
  const text = await read(mail, 'mail')
  assert.match(text, /Die Größe der Bäume für München/)
  assert.match(text, /Read as Windows-1252/)
})

test('reads plain text that is named as a mail or RTF unchanged', async () => {
  assert.is(await read('only words', 'mail'), 'only words')
  assert.is(await read('C:\\par {only} words', 'rtf'), 'C:\\par {only} words')
})

test('reads the complete parts of a truncated mail', async () => {
  const brokenMail = 'From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nStill here'
  assert.match(await read(brokenMail, 'mail'), /Still here/)
})

test('refuses mail parts and RTF groups that are nested too deeply', async () => {
  const parts = Array.from(
    { length: 400 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
  ).join('')
  assert.is(await read(`From: a@example.org\n${parts}`, 'mail'), 'bomb')
  assert.is(await read(`{\\rtf1 ${'{'.repeat(100_000)}`, 'rtf'), 'bomb')
})

test('skips a picture of several MB in RTF', async () => {
  const picture = `${'ab'.repeat(64)}\n`.repeat(20_000)
  assert.is(await read(`{\\rtf1 before {\\pict ${picture}}after\\par}`, 'rtf'), 'before after')
})

test.run()
