/** Forms with a file: accepted, ignored and refused parts, and the removal of unused files. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request as open } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { stageMedia } from '../../home/media.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { HttpRefused } from '../../src/http/refused.ts'
import { createSlowUploadGuard } from '../../src/http/server/slow-upload.ts'
import { checkForm, createFormReader, FilePart } from '../../src/http/server/upload-form.ts'
import { pause, waitFor } from '../calls.ts'
import { startDaemon } from '../daemon.ts'
import { type Part, toForm } from '../forms.ts'
import { standIn } from './stand-in.ts'
import { ask, type Reply, readingBodies, withHandlers } from './try.ts'

const Parcel = z.object({ file: FilePart, caption: z.string().default(''), note: z.string().optional() })
const limits = { json: 1000, bodies: 100_000, message: 2000, upload: 100_000, chat: 1000, archive: 100_000 }

interface Desk {
  readonly port: number
  readonly trash: () => Promise<readonly string[]>
  readonly send: (parts: readonly Part[], headers?: Record<string, string>) => Promise<[number, unknown]>
  readonly post: (body: string | Buffer, headers: Record<string, string>) => Promise<[number, unknown]>
}

/** Runs a test with a handler that returns the form as JSON, with the size and hash of the file. */
const atDesk =
  (
    act: (desk: Desk) => Promise<void>,
    pace = createSlowUploadGuard(60_000),
    bodies = readingBodies(),
    message = limits.message,
  ) =>
  async (): Promise<void> => {
    const home = await mkdtemp(join(tmpdir(), 'uploads-'))
    const stageFile = (chunks: AsyncIterable<Uint8Array>) => stageMedia(home, chunks, systemClock())
    const parseForm = createFormReader(Parcel, limits.upload, {
      personas: { stageMedia: stageFile },
      config: { limits: { ...limits, message } },
      pace,
      bodies,
    })
    const take: RequestHandler = async (request, response) => {
      const form = await parseForm(request, response)
      try {
        const result = checkForm(Parcel, form)
        if ('items' in result) throw new HttpRefused({ code: 'invalid', items: result.items })
        const { file, ...texts } = result.value
        assert.is(hashBytes(await readFile(file.staged.path)), file.staged.measured.sha256)
        response.json({ name: file.name, ...file.staged.measured, ...texts })
      } finally {
        await form.drop()
      }
    }
    const trash = () => readdir(join(home, 'trash')).catch(() => [])
    await withHandlers([take], async (port) => {
      const post: Desk['post'] = async (body, headers) =>
        toAnswer(await ask(port, { method: 'POST', body, headers }))
      await act({
        port,
        trash,
        post,
        send: (parts, headers = {}) => {
          const { body, headers: ownHeaders } = toForm(parts)
          return post(body, { ...ownHeaders, ...headers })
        },
      })
      await waitFor('the trash to be empty', async () => (await trash()).length === 0)
    })
    await rm(home, { recursive: true })
  }

const toAnswer = ({ status, text }: Reply): [number, unknown] => [status, JSON.parse(text)]
const hashBytes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const getName = ([, body]: [number, unknown]) => (body as { name?: string }).name

const file = (fields: Partial<Part> = {}): Part => ({
  name: 'file',
  filename: 'a.png',
  type: 'image/png',
  content: 'bytes',
  ...fields,
})
const caption = (content: string | Buffer, fields: Partial<Part> = {}): Part => ({
  name: 'caption',
  content,
  ...fields,
})
const acceptedForm = (fields: object = {}) => [
  200,
  { name: 'a.png', bytes: 5, sha256: hashBytes(Buffer.from('bytes')), caption: '', ...fields },
]
const createMissing = (loc: string) => ({
  type: 'missing',
  loc: ['body', loc],
  msg: 'Field required',
  input: null,
})
const invalid = (...detail: unknown[]) => [422, { detail }]
const brokenForm = (error: string) =>
  invalid({
    type: 'value_error',
    loc: ['body'],
    msg: 'Value error, There was an error parsing the body',
    input: null,
    ctx: { error },
  })

test(
  'reads a file with its name, size and hash, before or after other parts',
  atDesk(async ({ send }) => {
    assert.equal(await send([file()]), acceptedForm())
    assert.equal(await send([caption('look'), file()]), acceptedForm({ caption: 'look' }))
    assert.equal(await send([file(), caption('look')]), acceptedForm({ caption: 'look' }))
    assert.equal(
      await send([file({ content: '' })]),
      acceptedForm({ bytes: 0, sha256: hashBytes(Buffer.alloc(0)) }),
    )
    const noise = Buffer.from(Array.from({ length: 99_000 }, (_, n) => (n * 7919) & 255))
    assert.equal(
      await send([file({ content: noise })]),
      acceptedForm({ bytes: noise.length, sha256: hashBytes(noise) }),
    )
  }),
)

test(
  'ignores other files and unknown fields, and uses the last text and the first file of a name',
  atDesk(async ({ send }) => {
    const extraParts = [
      file({ name: 'photo' }),
      { name: 'odd', content: 'x' },
      { name: 'a[b][c]', content: 'x' },
      { name: '__proto__[x]', content: '1' },
    ]
    assert.equal(
      await send([...extraParts, file(), caption('look'), ...extraParts]),
      acceptedForm({ caption: 'look' }),
    )
    assert.equal(await send([file(), file({ filename: 'b.png', content: 'other' })]), acceptedForm())
    assert.equal(await send([caption('one'), file(), caption('two')]), acceptedForm({ caption: 'two' }))
    assert.equal(
      await send([caption('one'), { name: 'caption[more]', content: 'x' }, file()]),
      acceptedForm({ caption: 'one' }),
    )
    assert.equal(await send([file(), caption('a caption as a file', { filename: 'c.txt' })]), acceptedForm())
    assert.equal(await send([{ name: 'file', content: 'as a text' }, file()]), acceptedForm())
    assert.is(Reflect.get({}, 'x'), undefined)
  }),
)

test(
  'reports a missing file, and a text in its place in the words of Pydantic',
  atDesk(async ({ send, post }) => {
    const { headers, body } = toForm([caption('look')])
    const boundary = { 'Content-Type': 'multipart/form-data; boundary=frame' }
    for (const parts of [[], [caption('look')], [file({ name: 'photo' })]])
      assert.equal(await send(parts), invalid(createMissing('file')))
    // As a browser sends a form in which no file was chosen.
    assert.equal(
      await send([file({ filename: '', type: 'application/octet-stream', content: '' })]),
      invalid(createMissing('file')),
    )
    assert.equal(await post('', boundary), invalid(createMissing('file')))
    for (const type of [
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      '',
      'multipart',
    ])
      assert.equal(
        await post(body, { ...headers, 'Content-Type': type }),
        invalid(createMissing('file')),
        type,
      )
    assert.equal(
      await send([{ name: 'file', content: 'a.png' }]),
      invalid({
        type: 'value_error',
        loc: ['body', 'file'],
        msg: "Value error, Expected UploadFile, received: <class 'str'>",
        input: 'a.png',
      }),
    )
    const [, responseBody] = await send([{ name: 'file', content: '{"api_key": "sk-very-secret"}' }])
    assert.not.match(JSON.stringify(responseBody), 'sk-very-secret')
  }),
)

test(
  'reduces a file name to the last part of its path, without control characters and never empty',
  atDesk(async ({ send, post }) => {
    const uploadName = async (filename: string) => getName(await send([file({ filename })]))
    assert.is(await uploadName('Grüße 🌱 %22ä%22.png'), 'Grüße 🌱 "ä".png')
    assert.is(await uploadName('../../etc/passwd'), 'passwd')
    assert.is(await uploadName('C:\\\\fakepath\\\\ä.jpg'), 'ä.jpg')
    assert.is(await uploadName('/abs/olute.txt'), 'olute.txt')
    assert.is(await uploadName('50%.pdf'), '50%.pdf')
    assert.is(await uploadName('a%0D%0Ab\u202egnp.exe'), 'abgnp.exe')
    for (const emptyName of ['..', '.', '../', 'folder/', ' ', '%0A', '/', '\\\\'])
      assert.is(await uploadName(emptyName), 'file', emptyName)
    assert.is(await uploadName(`${'x'.repeat(400)}.pdf`), `${'x'.repeat(251)}.pdf`)
    assert.is(await uploadName(`${'🌱'.repeat(200)}.md`), `${'🌱'.repeat(126)}.md`)
    assert.is(await uploadName('.env'), '.env')
    const { headers, body } = toForm([file({ filename: 'NAME' })])
    const encodedBody = body
      .toString()
      .replace('filename="NAME"', `filename="x.png"; filename*=UTF-8''na%C3%AFve%2Fa.txt`)
    assert.is(
      getName(await post(encodedBody, { ...headers, 'Content-Length': String(encodedBody.length) })),
      'a.txt',
    )
  }),
)

test(
  'limits a text to the size of a message, and the number of fields',
  atDesk(async ({ send }) => {
    const tooLarge = (part: string) => [413, { detail: `The ${part} is too large: 2000 bytes at most.` }]
    for (const letter of ['x', 'ä', '🌱']) {
      const full = letter.repeat(limits.message / Buffer.byteLength(letter))
      assert.equal(await send([caption(full), file()]), acceptedForm({ caption: full }))
      for (const parts of [
        [caption(`${full}x`), file()],
        [file(), caption(`${full}x`)],
        [caption(`${full}x`)],
      ])
        assert.equal(await send(parts), tooLarge('caption'))
    }
    // One byte per letter as sent in latin1, two as stored in UTF-8.
    assert.equal(
      await send([caption(Buffer.alloc(1500, 0xe4), { type: 'text/plain; charset=latin1' }), file()]),
      tooLarge('caption'),
    )
    assert.equal(await send([{ name: 'odd', content: 'x'.repeat(2001) }, file()]), tooLarge('field'))
    const fields = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: `field ${n}`, content: 'x' }))
    assert.equal(await send([...fields(64), file()]), acceptedForm())
    const msg = 'Value error, Too many fields. Maximum number of fields is 64.'
    assert.equal(
      await send([...fields(65), file()]),
      invalid({ type: 'value_error', loc: ['body'], msg, input: null }),
    )
  }),
)

// Fails with the texts of the parser: it accepts invalid UTF-8 with a replacement character for each broken
// letter.
test(
  'rejects a text that is not UTF-8 and decodes one that declares its charset',
  atDesk(async ({ send }) => {
    const unreadable = 'Input should be a valid string, unable to parse raw data as a unicode string'
    for (const bytes of [
      Buffer.from([0x61, 0xff]),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('ä', 'latin1'),
    ]) {
      const [status, body] = await send([caption(bytes), file()])
      const [{ input: _, ...item }] = (body as { detail: [{ input: string }] }).detail
      assert.equal(
        [status, item],
        [422, { type: 'string_unicode', loc: ['body', 'caption'], msg: unreadable }],
      )
    }
    assert.equal(
      await send([caption('what is this: \ufffd?'), file()]),
      acceptedForm({ caption: 'what is this: \ufffd?' }),
    )
    assert.equal(
      await send([caption('ä🌱\u0000\u202e'), file()]),
      acceptedForm({ caption: 'ä🌱\u0000\u202e' }),
    )
    assert.equal(
      await send([caption('ä', { type: 'text/plain; charset=UTF-8' }), file()]),
      acceptedForm({ caption: 'ä' }),
    )
    const latin = caption(Buffer.from('ä', 'latin1'), { type: 'text/plain; charset=ISO-8859-1' })
    assert.equal(await send([latin, file()]), acceptedForm({ caption: 'ä' }))
    const halfCaption = caption(Buffer.from([0x61, 0x00, 0x00, 0xd8]), {
      type: 'text/plain; charset=utf-16le',
    })
    assert.is((await send([halfCaption, file()]))[0], 422)
  }),
)

test(
  'reports a broken form without quoting it, and removes its files',
  atDesk(async ({ post, trash }) => {
    const { headers, body } = toForm([file({ content: 'x'.repeat(5000) }), caption('look')])
    const sendPart = (length: number) =>
      post(body.subarray(0, length), { ...headers, 'Content-Length': String(length) })
    for (const length of [1, 20, 60, 2000, body.length - 5])
      assert.equal(await sendPart(length), brokenForm('Unexpected end of form'), String(length))
    const postTyped = (type: string) => post(body, { ...headers, 'Content-Type': type })
    assert.equal(await postTyped('multipart/form-data'), brokenForm('Boundary not found'))
    assert.equal(await postTyped('multipart/mixed; boundary=frame'), brokenForm('Unsupported content type'))
    assert.equal(await postTyped('multipart/form-data; boundary=other'), brokenForm('Unexpected end of form'))
    const nameless = Buffer.from(body.toString().replace('name="caption"', 'nome="sk-1"'))
    assert.equal(
      await post(nameless, { ...headers, 'Content-Length': String(nameless.length) }),
      brokenForm('A part has no name that can be read'),
    )
    const badBody = Buffer.from(body.toString().replace('Content-Type: image/png', 'Content Type\u0000 sk-1'))
    assert.equal(
      await post(badBody, { ...headers, 'Content-Length': String(badBody.length) }),
      brokenForm('Malformed part header'),
    )
    await waitFor('the trash to be empty', async () => (await trash()).length === 0)
  }),
)

// Fails if the size of the whole body is not counted: the request then never ends.
test(
  'refuses a too large file by its declared length, else while it arrives',
  atDesk(async ({ port, send, trash }) => {
    const tooLarge = [413, { detail: 'The file is too large: 100000 bytes at most.' }]
    const full = Buffer.alloc(limits.upload)
    assert.equal(
      await send([file({ content: full })]),
      acceptedForm({ bytes: full.length, sha256: hashBytes(full) }),
    )
    assert.equal(await send([file({ content: Buffer.alloc(limits.upload + 1) })]), tooLarge)
    const { headers } = toForm([])
    const earlyReply = await ask(port, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': '3000000', Expect: '100-continue' },
    })
    assert.equal([toAnswer(earlyReply), earlyReply.headers.connection], [tooLarge, 'close'])
    // An endless body. Ignored parts count, too.
    for (const part of [file({ name: 'photo' }), file()])
      assert.match(await sendEndless(port, part), /^HTTP\/1\.1 413 [\s\S]*The file is too large/)
    await waitFor('the trash to be empty', async () => (await trash()).length === 0)
  }),
)

/** Sends a part that never ends. Returns the response. */
const sendEndless = (port: number, part: Part): Promise<string> =>
  new Promise((resolve) => {
    const { headers, body } = toForm([{ ...part, content: '' }])
    const begin = body.subarray(0, body.indexOf('\r\n--frame--'))
    const socket = connect({ port, host: '127.0.0.1' })
    const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    const sendMore = () => {
      while (socket.writable && socket.write(chunk));
    }
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    socket
      .on('drain', sendMore)
      .on('error', () => {})
      .on('close', () => resolve(answer))
    const type = headers['Content-Type']
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`)
    socket.write(`${begin.length.toString(16)}\r\n${begin.toString()}\r\n`)
    sendMore()
  })

test(
  'removes the files of a client that disconnects, before or after the file is complete',
  atDesk(async ({ port, trash }) => {
    const { headers, body } = toForm([file({ content: Buffer.alloc(50_000) }), caption('look')])
    for (const length of [30_000, body.length - 40]) {
      const socket = connect({ port, host: '127.0.0.1' })
      const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${head.join('')}\r\n`)
      socket.write(body.subarray(0, length))
      await waitFor('a staged file', async () => (await trash()).length === 1)
      socket.destroy()
      await waitFor('the trash to be empty', async () => (await trash()).length === 0)
    }
  }),
)

test(
  'sends 100 Continue for a form that is needed',
  atDesk(async ({ send, port }) => {
    assert.equal(await send([file()], { Expect: '100-continue' }), acceptedForm())
    const { headers, body } = toForm([file()])
    const chunkedHeaders = { 'Content-Type': headers['Content-Type'] ?? '', 'Transfer-Encoding': 'chunked' }
    assert.equal(toAnswer(await ask(port, { method: 'POST', body, headers: chunkedHeaders })), acceptedForm())
  }),
)

// Fails if the parser is not ended: the staged file then stays.
test(
  'returns 408 to a client that sends almost nothing',
  atDesk(async ({ port, trash }) => {
    const { headers, body } = toForm([file({ content: Buffer.alloc(50_000) })])
    const socket = connect({ port, host: '127.0.0.1' })
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    })
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${headers['Content-Type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.subarray(0, 20_000))
    await waitFor('the answer', () => answer.includes('\r\n\r\n'))
    assert.match(answer, /^HTTP\/1\.1 408 [\s\S]*Connection: close/i)
    await waitFor('the trash to be empty', async () => (await trash()).length === 0)
    socket.destroy()
  }, createSlowUploadGuard(100)),
)

test(
  'refuses a form whose texts are too long in total',
  atDesk(
    async ({ send }) => {
      const texts = Array.from({ length: 56 }, () => caption('x'.repeat(20_000)))
      const detail = 'The form is too large: 1068576 bytes at most.'
      assert.equal(await send([...texts, file()]), [413, { detail }])
    },
    undefined,
    undefined,
    20_000,
  ),
)

const fullBudget = readingBodies({ maxBytes: 1 })
test(
  'holds a form with long texts until the budget has room, and not one with short texts',
  atDesk(
    async ({ send }) => {
      const heldBudget = await fullBudget.budget.take(1, fullBudget.closing)
      const texts = Array.from({ length: 40 }, () => caption('x'.repeat(2000)))
      let isTaken = false
      const longForm = send([...texts, file()]).finally(() => {
        isTaken = true
      })
      await waitFor('it to wait', () => fullBudget.budget.getWaitingCount() === 1)
      assert.equal(await send([caption('short'), file()]), acceptedForm({ caption: 'short' }))
      assert.not(isTaken)
      heldBudget.release()
      assert.equal(await longForm, acceptedForm({ caption: 'x'.repeat(2000) }))
      await waitFor('all bytes to be given back', () => fullBudget.budget.getHeldBytes() === 0)
    },
    undefined,
    fullBudget,
  ),
)

// Fails if the exception in an event of the parser is not caught: it ends the daemon.
test(
  'treats a text in an unknown encoding as missing',
  atDesk(async ({ send }) => {
    const oddCaption = { ...caption('short'), type: 'text/plain; charset=utf-99' }
    assert.equal(await send([oddCaption, file()]), acceptedForm({}))
  }),
)

// Fails with the request timeout of Node alone: 408, although the file is still arriving.
test('allows an upload to take longer than any other request as long as bytes arrive', async () => {
  const request = 2000
  const daemon = await startDaemon({
    models: standIn(),
    timeouts: { headers: 2000, request, idle: 9000, stalled: 9000, look: 100 },
  })
  try {
    const createOptions = {
      method: 'POST',
      path: '/api/persona/create',
      headers: { 'Content-Type': 'application/json' },
    }
    const { persona } = JSON.parse(
      (await ask(daemon.port, { ...createOptions, body: '{"name":"Ada","thinking_model":"llama"}' })).text,
    )
    const { headers, body } = toForm([file({ content: 'CONTENT' })])
    const [begin, end] = body.toString().split('CONTENT')
    const upload = open({
      host: '127.0.0.1',
      port: daemon.port,
      method: 'POST',
      path: `/api/persona/${persona.id}/attach?wait=0`,
      agent: false,
      headers: { 'Content-Type': headers['Content-Type'] },
    })
    const status = new Promise((resolve, reject) => {
      upload.on('response', ({ statusCode }) => resolve(statusCode))
      upload.on('error', reject)
    })
    upload.write(begin)
    const startedAt = performance.now()
    while (performance.now() - startedAt < 2 * request) {
      upload.write(Buffer.alloc(0x8000))
      await pause(20)
    }
    upload.end(end)
    assert.is(await status, 200)
  } finally {
    await daemon.close()
  }
})

test.run()
