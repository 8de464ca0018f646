/** POST /api/persona/{persona_id}/hear: the behaviour that differs from attach. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as media from '../stand-ins/media.ts'
import { shareSetup } from './setup.ts'
import { createUploads } from './uploads.ts'

const setup = shareSetup(test)
const { sendFile, getUserMessages } = createUploads(setup)

const mp4 = Buffer.concat([
  Buffer.from([0, 0, 0, 0x18]),
  Buffer.from('ftypisom\0\0\0\0isomiso2'),
  Buffer.alloc(8),
])
const m4a = Buffer.concat([
  Buffer.from([0, 0, 0, 0x18]),
  Buffer.from('ftypM4A \0\0\0\0M4A mp42'),
  Buffer.alloc(8),
])

test('keeps any extension and uses webm if there is none', async () => {
  const personaPath = await setup.home()
  const names = {
    'a.ogg': 'ogg',
    'A.MP3': 'mp3',
    'clip.webm': 'webm',
    'clip.exe': 'exe',
    clip: 'webm',
    'clip.': 'webm',
    'a.extraordinary': 'webm',
  }
  for (const filename of Object.keys(names))
    assert.is((await sendFile(personaPath, 'hear', 'no clip at all', filename))[0], 200, filename)
  const extensions = (await getUserMessages(personaPath)).map(({ media: { name, filename } }) => [
    name,
    filename.split('.')[1],
  ])
  assert.equal(extensions, Object.entries(names))
})

test('detects the audio type from the bytes, then from the name, else uses webm', async () => {
  const personaPath = await setup.home()
  const uploads: readonly (readonly [content: string | Buffer, filename: string, mime: string])[] = [
    [media.webm, 'clip.webm', 'audio/webm'],
    [media.webm, 'clip.mp4', 'audio/webm'],
    [mp4, 'clip.webm', 'audio/mp4'],
    [m4a, 'clip.m4a', 'audio/x-m4a'],
    [media.ogg, 'clip', 'audio/ogg'],
    [media.mp3, 'clip.webm', 'audio/mpeg'],
    [media.wav, 'a.png', 'audio/wav'],
    ['nothing that sounds', 'clip.flac', 'audio/flac'],
    ['nothing that sounds', 'clip.opus', 'audio/ogg'],
    ['nothing that sounds', 'clip.txt', 'audio/webm'],
    [media.png, 'clip', 'audio/webm'],
    ['', 'clip', 'audio/webm'],
  ]
  for (const [content, filename] of uploads)
    assert.is((await sendFile(personaPath, 'hear', content, filename))[0], 200, filename)
  assert.equal(
    (await getUserMessages(personaPath)).map(({ media: { mime } }) => mime),
    uploads.map(([, , mime]) => mime),
  )
})

test.run()
