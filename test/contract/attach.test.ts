/** POST /api/persona/{persona_id}/attach, and the behaviour that both upload routes share. */
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openPersonaJournals } from '../../facts/persona-journal.ts'
import { openHomeStores } from '../../home/home-stores.ts'
import { readAudit } from '../audit-stream.ts'
import { waitFor } from '../calls.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { toForm } from '../forms.ts'
import { standIn } from '../http/stand-in.ts'
import { listenTo } from '../listener.ts'
import { personSource, toParts } from '../message-parts.ts'
import * as media from '../stand-ins/media.ts'
import { type Answer, invalidBody, joinKeys, notActive, shareSetup } from './setup.ts'
import {
  createFilePart,
  createUploads,
  getPersonaId,
  partNames,
  type UploadRoute,
  uploadRoutes,
} from './uploads.ts'

const setup = shareSetup(test, { env: { DAIMON_MAX_UPLOAD: '300000', DAIMON_MAX_MESSAGE: '2000' } })
const { send, sendFile, listMedia, listStaged, getUserMessages } = createUploads(setup)
const receivedReply: Answer = [200, { status: 'received' }]
const channelClosed: Answer = [400, { detail: 'Web channel not connected' }]
const captionPart = (content: string) => ({ name: 'caption', content })
const waitForEmptyTrash = () =>
  waitFor('the trash to be empty', async () => (await listStaged()).length === 0)

for (const endpoint of uploadRoutes)
  test(`${endpoint}: without a listener the web channel is not connected and nothing is stored; with one the file is received`, async () => {
    const personaPath = await setup.home()
    assert.equal(await send(personaPath, endpoint, [createFilePart(endpoint, media.png)]), channelClosed)
    assert.equal([await listMedia(personaPath), await getUserMessages(personaPath)], [[], []])
    const listener = await listenTo(setup.daemon.url, `/ws/${getPersonaId(personaPath)}`)
    assert.equal(
      await send(personaPath, endpoint, [
        captionPart('look'),
        createFilePart(endpoint, media.png),
        { name: 'odd', content: 'x' },
      ]),
      receivedReply,
    )
    const frame = await waitFor('the message frame', () =>
      listener.frames.find(({ type }) => type === 'person_message'),
    )
    listener.leave()
    const [message] = await getUserMessages(personaPath)
    assert.equal([message.content, joinKeys(message.media)], ['look', 'filename name mime url caption'])
    const { filename, name, url, caption: captionText } = message.media
    assert.equal([name, url, captionText], ['a.png', `${personaPath}/media/${filename}`, 'look'])
    assert.equal([frame.content, frame.media], ['look', message.media])
    assert.equal(await listMedia(personaPath), [filename])
    assert.equal(
      await readFile(join(setup.daemon.home, 'personas', getPersonaId(personaPath), 'media', filename)),
      media.png,
    )
    const { status, headers } = await setup.send({ path: url })
    assert.equal([status, headers['content-type']], [200, 'image/png'])
    await waitForEmptyTrash()
  })

test('opens the web channel for a request with a wait and returns the reply in the same response', async () => {
  const personaPath = await setup.home()
  for (const endpoint of uploadRoutes) {
    const [status, body] = await send(
      personaPath,
      endpoint,
      [createFilePart(endpoint, 'words', 'a.txt'), captionPart('read this')],
      '?wait=20',
    )
    assert.equal(
      [status, joinKeys(body), joinKeys(body.reply)],
      [200, 'status reply', 'id content media time'],
      endpoint,
    )
    assert.type(body.reply.content, 'string')
    const [badStatus, { detail }] = await send(
      personaPath,
      endpoint,
      [createFilePart(endpoint, 'words')],
      '?wait=abc',
    )
    assert.equal([badStatus, detail[0].loc], [422, ['query', 'wait']])
  }
})

test('detects the type of a file from its bytes, not from its name', async () => {
  const personaPath = await setup.home()
  const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')
  const uploads: readonly (readonly [
    content: string | Buffer,
    filename: string,
    mime: string,
    extension: string,
  ])[] = [
    [media.png, 'a.png', 'image/png', 'png'],
    [media.png, 'a.txt', 'image/png', 'txt'],
    [media.jpeg, 'PHOTO', 'image/jpeg', 'jpg'],
    [media.pdf, 'paper.PDF', 'application/pdf', 'pdf'],
    [media.ogg, 'voice.ogg', 'audio/ogg', 'ogg'],
    [zip, 'a.docx', 'application/zip', 'docx'],
    ['Grüße 🌱\n', 'a.md', 'text/plain', 'md'],
    ['', 'empty', 'text/plain', 'txt'],
    [`${'x'.repeat(65_535)}🌱`, 'long.txt', 'text/plain', 'txt'],
    [Buffer.from('Größe', 'latin1'), 'a.txt', 'text/plain', 'txt'],
    [Buffer.from([0x66, 0xff, 0x01, 0x66]), 'a.txt', 'application/octet-stream', 'txt'],
    ['words and a \0', 'noise', 'application/octet-stream', 'bin'],
  ]
  for (const [content, filename] of uploads)
    assert.is((await sendFile(personaPath, 'attach', content, filename))[0], 200, filename)
  assert.equal(
    (await getUserMessages(personaPath)).map(({ media: { name, mime, filename } }) => [
      name,
      mime,
      filename.split('.')[1],
    ]),
    uploads.map(([, filename, mime, extension]) => [filename, mime, extension]),
  )
})

test('reports the file name as it was sent, without its path', async () => {
  const personaPath = await setup.home()
  const names = {
    'Übergrößenträger 🌱.png': 'Übergrößenträger 🌱.png',
    '../../../etc/passwd': 'passwd',
    '..': 'file',
    'a%0D%0Ab.png': 'ab.png',
  }
  for (const filename of Object.keys(names))
    assert.is((await sendFile(personaPath, 'attach', media.png, filename))[0], 200, filename)
  const sentNames = (await getUserMessages(personaPath)).map(({ media: { name } }) => name)
  assert.equal(sentNames, Object.values(names))
  for (const filename of await listMedia(personaPath)) assert.match(filename, /^[0-9a-f]{32}\.[a-z0-9]{1,8}$/)
  assert.is((await listMedia(personaPath)).length, sentNames.length)
})

test('takes the first of two recordings and both of two files, and returns 422 for a form without one, also for a missing persona', async () => {
  const personaPath = await setup.home()
  for (const endpoint of uploadRoutes) {
    const name = partNames[endpoint]
    assert.equal(
      await send(
        personaPath,
        endpoint,
        [
          createFilePart(endpoint, 'one'),
          createFilePart(endpoint, 'two'),
          { ...createFilePart(endpoint, 'x'), name: 'photo' },
        ],
        '?wait=0',
      ),
      [200, { status: 'received', reply: null }],
    )
    for (const path of [personaPath, '/api/persona/nobody']) {
      assert.equal(
        await send(path, endpoint, [captionPart('x')]),
        invalidBody('missing', ['body', name], 'Field required', { input: null }),
      )
      const text = "Value error, Expected UploadFile, received: <class 'str'>"
      assert.equal(
        await send(path, endpoint, [{ name, content: 'x' }]),
        invalidBody('value_error', ['body', name], text, { input: 'x' }),
      )
      const { status, text: responseText } = await setup.send({ method: 'POST', path: `${path}/${endpoint}` })
      assert.equal([status, JSON.parse(responseText).detail[0].type], [422, 'missing'])
    }
  }
  assert.is((await listMedia(personaPath)).length, 3)
})

// Fails if each file is written in its own commit: a turn then begins with the first file.
test('records the files of one form in one commit with the caption on the first, answers in one turn, and deduplicates by key', async () => {
  const personaPath = await setup.home()
  const parts = ['one', 'two', 'three'].map((text) => createFilePart('attach', text, `${text}.txt`))
  const key = { 'idempotency-key': 'together' }
  for (const _ of [1, 2])
    assert.is((await send(personaPath, 'attach', [...parts, captionPart('which?')], '?wait=20', key))[0], 200)
  const messages = await getUserMessages(personaPath)
  assert.equal(
    messages.map(({ content, media }: { content: string; media: { name: string } }) => [media.name, content]),
    [
      ['one.txt', 'which?'],
      ['two.txt', ''],
      ['three.txt', ''],
    ],
  )
  assert.is((await listMedia(personaPath)).length, 3)
  const lines = await readAudit(setup.daemon.url, getPersonaId(personaPath))
  assert.is(new Set(lines.filter(({ type }) => type === 'MessageHeard').map(({ commit }) => commit)).size, 1)
  assert.is(lines.filter(({ type }) => type === 'TurnBegan').length, 1)
  await waitForEmptyTrash()
})

test('returns 409 and stores nothing when the persona is stopped or missing', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/stop`)
  for (const endpoint of uploadRoutes)
    for (const path of [personaPath, '/api/persona/nobody', '/api/persona/..%2f..'])
      for (const query of ['', '?wait=1'])
        assert.equal(await send(path, endpoint, [createFilePart(endpoint, media.png)], query), notActive)
  assert.equal(await listMedia(personaPath), [])
  await waitForEmptyTrash()
})

test('limits a caption to the size of a message and a file to the upload size', async () => {
  const personaPath = await setup.home()
  for (const endpoint of uploadRoutes) {
    assert.is(
      (
        await send(
          personaPath,
          endpoint,
          [createFilePart(endpoint, Buffer.alloc(300_000)), captionPart('x'.repeat(2000))],
          '?wait=0',
        )
      )[0],
      200,
    )
    const tooLarge = (part: string, maxBytes: number): Answer => [
      413,
      { detail: `The ${part} is too large: ${maxBytes} bytes at most.` },
    ]
    assert.equal(
      await send(personaPath, endpoint, [createFilePart(endpoint, Buffer.alloc(300_001))]),
      tooLarge('file', 300_000),
    )
    assert.equal(
      await send(personaPath, endpoint, [createFilePart(endpoint, 'x'), captionPart('x'.repeat(2001))]),
      tooLarge('caption', 2000),
    )
    const { headers } = toForm([])
    const earlyReply = await setup.send({
      method: 'POST',
      path: `${personaPath}/${endpoint}`,
      headers: { ...headers, 'Content-Length': '9000000' },
    })
    assert.equal([earlyReply.status, earlyReply.headers.connection], [413, 'close'])
  }
  assert.is((await listMedia(personaPath)).length, 2)
  await waitForEmptyTrash()
})

test('stores and records nothing when the client disconnects during the upload', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  for (const endpoint of uploadRoutes) {
    const { body, headers } = toForm([createFilePart(endpoint, Buffer.alloc(200_000)), captionPart('x')])
    const lines = Object.entries({ Host: 'localhost', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const socket = connect({ port: setup.daemon.port, host: '127.0.0.1' })
    socket.write(`POST ${personaPath}/${endpoint} HTTP/1.1\r\n${lines.join('')}\r\n`)
    socket.write(body.subarray(0, 150_000))
    await waitFor('a staged file', async () => (await listStaged()).length > 0)
    socket.destroy()
    await waitForEmptyTrash()
  }
  assert.equal([await listMedia(personaPath), (await getUserMessages(personaPath)).length], [[], 1])
})

// Fails if each repeated request stores its file.
test('records and stores a file once when it is sent again with the same key, on both routes', async () => {
  const personaPath = await setup.home()
  for (const endpoint of uploadRoutes) {
    const resend = () =>
      send(personaPath, endpoint, [createFilePart(endpoint, media.png), captionPart(endpoint)], '?wait=20', {
        'Idempotency-Key': `key ${endpoint}`,
      })
    const first = await resend()
    assert.equal(await resend(), first)
    const answers = await Promise.all([resend(), resend(), resend()])
    for (const answer of answers) assert.equal(answer, first)
  }
  const files = (await getUserMessages(personaPath)).map(({ media: { filename } }) => filename)
  assert.is(files.length, 2)
  assert.equal([...(await listMedia(personaPath))].sort(), files.sort())
})

test('accepts a file while the persona is starting', async () => {
  const personaPath = await setup.home()
  await setup.post(`${personaPath}/update`, { status: 'hibernate' })
  const usual = setup.models.probe
  let go = () => {}
  const probeEnd = new Promise<void>((resolve) => {
    go = resolve
  })
  let isProbed = false
  setup.models.probe = () => {
    isProbed = true
    return probeEnd
  }
  try {
    const pendingStart = setup.post(`${personaPath}/update`, { status: 'active' })
    await waitFor('the probe', () => isProbed)
    const pendingUpload = sendFile(personaPath, 'attach', media.png)
    await waitFor('the file to have come', async () => (await listStaged()).length > 0)
    go()
    assert.equal([(await pendingStart)[0], (await pendingUpload)[0]], [200, 200])
  } finally {
    setup.models.probe = usual
  }
})

test('records no message when the file cannot be written to disk', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello')
  const folder = join(setup.daemon.home, 'personas', getPersonaId(personaPath), 'media')
  await writeFile(folder, 'a file where her folder should be')
  for (const endpoint of uploadRoutes)
    assert.equal(await send(personaPath, endpoint, [createFilePart(endpoint, 'x')]), [
      500,
      { detail: 'JournalUnavailable: the file cannot be stored' },
    ])
  assert.is((await getUserMessages(personaPath)).length, 1)
  await rm(folder)
  await waitForEmptyTrash()
})

test('stores size and SHA-256 of the file in the fact', async () => {
  const home = await tempHome()
  const daemon = await startDaemon({ home, models: standIn() })
  const post = async (path: string, init: RequestInit): Promise<Answer[1]> =>
    (await fetch(`${daemon.url}${path}`, { method: 'POST', ...init })).json()
  const createOptions = {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', thinking_model: 'llama' }),
  }
  const { persona } = await post('/api/persona/create', createOptions)
  const upload = async (endpoint: UploadRoute, name: string, bytes: Buffer) => {
    const form = new FormData()
    form.append('caption', 'Grüße')
    form.append(partNames[endpoint], new Blob([bytes]), name)
    assert.equal(await post(`/api/persona/${persona.id}/${endpoint}?wait=0`, { body: form }), {
      status: 'received',
      reply: null,
    })
  }
  await upload('attach', 'Ä.png', media.png)
  await upload('hear', 'clip', media.webm)
  await daemon.close()
  const journals = openPersonaJournals({ stores: await openHomeStores(home), witness: async () => undefined })
  const journal = await journals.open(persona.id, 'reader')
  const facts = []
  for await (const { event } of journal.read({ kind: 'talk' }))
    if (event.type === 'MessageHeard') facts.push(event)
  await journal.close()
  await rm(home, { recursive: true })
  const describeFile = (bytes: Buffer) => ({
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    caption: 'Grüße',
  })
  assert.equal(
    facts.map(({ parts, key, media: file }) => [
      parts,
      key,
      { ...file, filename: file?.filename.split('.')[1] },
    ]),
    [
      [
        toParts('Grüße'),
        null,
        {
          filename: 'png',
          name: 'Ä.png',
          mime: 'image/png',
          voice: false,
          ...personSource,
          ...describeFile(media.png),
        },
      ],
      [
        toParts('Grüße'),
        null,
        {
          filename: 'webm',
          name: 'clip',
          mime: 'audio/webm',
          voice: true,
          ...personSource,
          ...describeFile(media.webm),
        },
      ],
    ],
  )
})

test.run()
