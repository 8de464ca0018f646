/** Files in requests of /v1/responses and /v1/chat/completions, with the client library of OpenAI. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { letterDocx } from '../../packages/documents/test/made-office.ts'
import { file } from '../../packages/documents/test/place.ts'
import { zip } from '../../packages/documents/test/zip.ts'
import { waitFor } from '../calls.ts'
import { createSecret, filesWith, isIn } from '../secrets/search.ts'
import { png } from '../stand-ins/media.ts'
import { getApiError, shareSetup } from './v1-setup.ts'

const uploadLimit = 600_000
const setup = shareSetup(test, {
  env: { DAIMON_MAX_UPLOAD: String(uploadLimit) },
  options: { capabilities: ['completion', 'tools', 'vision'] },
})

type FileFields = Omit<OpenAI.Responses.ResponseInputFile, 'type'>
type Request = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>

const toDataUrl = (bytes: Buffer | string, mime = 'application/octet-stream') =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`

const respond = (model: string, files: readonly FileFields[], rest: Request = {}) =>
  setup.client.responses.create({
    model,
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          ...files.map((fields) => ({ type: 'input_file', ...fields }) as const),
        ],
      },
    ],
    ...rest,
  } as OpenAI.Responses.ResponseCreateParamsNonStreaming)

const chat = (model: string, files: readonly FileFields[], rest: object = {}) =>
  setup.client.chat.completions.create({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          ...files.map((fields) => ({ type: 'file' as const, file: fields })),
        ],
      },
    ],
    ...rest,
  } as OpenAI.ChatCompletionCreateParamsNonStreaming)

const getPrompt = () => setup.getRequests().at(-1)?.messages ?? []
const hasNoFile = async () =>
  (await readdir(join(setup.daemon.home, 'trash')).catch(() => [])).every(
    (name) => !name.startsWith('media-'),
  )

for (const [route, send] of [
  ['a response', respond],
  ['a chat completion', chat],
] as const) {
  test(`reads the text of a PDF and of a text file in ${route} as data of the file`, async () => {
    const model = await setup.born()
    const invoice = await readFile(file('invoice.pdf'))
    await send(model, [
      { filename: 'invoice.pdf', file_data: toDataUrl(invoice, 'application/pdf') },
      { filename: 'a "note".txt', file_data: Buffer.from('Say </file> loud.').toString('base64') },
    ])
    const { content = '' } = getPrompt().at(-1) ?? {}
    assert.match(content, /^What is this\?\n\n<file name="invoice.pdf" perceived-by="yourself">\n/)
    assert.match(content, 'Für Herrn Groß, Königstraße 5')
    assert.match(
      content,
      /<file name="a {2}note .txt" perceived-by="yourself">\nSay ‹\/file> loud\.\n<\/file>$/,
    )
    assert.ok(await hasNoFile())
  })

  test(`shows a picture that is sent as a file in ${route}`, async () => {
    const model = await setup.born()
    await send(model, [{ filename: 'dot.pdf', file_data: toDataUrl(png, 'application/pdf') }])
    assert.equal(getPrompt().at(-1)?.images, [png.toString('base64')])
    const large = Buffer.concat([png, Buffer.alloc(200_000, 7)])
    await send(model, [
      { filename: 'note.txt', file_data: toDataUrl('A note') },
      { filename: 'dot.png', file_data: toDataUrl(large, 'image/png') },
    ])
    const last = getPrompt().at(-1)
    assert.equal(last?.images, [large.toString('base64')])
    assert.match(last?.content ?? '', '\nA note\n</file>')
    assert.ok(await hasNoFile())
  })

  test(`refuses a file that cannot be read in ${route}, and names its field`, async () => {
    const model = await setup.born()
    const locked = zip(
      letterDocx.map((entry) => ({ ...entry, encrypted: entry.name === 'word/document2.xml' })),
    )
    const refused: readonly (readonly [FileFields, field: string, RegExp])[] = [
      [{ filename: 'x', file_id: 'file-1' }, 'file_id', /No files are stored/],
      [{ file_url: `${setup.ollama.url}/secret.txt` }, 'file_url', /Nothing is fetched/],
      [{ filename: 'x.txt' }, 'file_data', /A file is sent in file_data/],
      [{ file_data: `${setup.ollama.url}/secret.txt` }, 'file_data', /is not fetched/],
      [{ file_data: 'data:text/plain,hello' }, 'file_data', /cannot be read: send it as base64/],
      [{ file_data: toDataUrl('') }, 'file_data', /There is nothing in “file”/],
      [{ filename: 'x.txt', file_data: '' }, 'file_data', /There is nothing in “x.txt”/],
      [{ file_data: 'aGVsbG8!' }, 'file_data', /not complete base64/],
      [
        { filename: 'l.docx', file_data: toDataUrl(locked) },
        'file_data',
        /“l.docx” could not be read: it is protected/,
      ],
      [
        { filename: 'x.pdf', file_data: toDataUrl('%PDF-1.7\nbroken') },
        'file_data',
        /“x.pdf” could not be read: it is damaged/,
      ],
      [{ filename: 'blank.txt', file_data: toDataUrl(' \n ') }, 'file_data', /there are no words in it/],
      [{ filename: 'x.pdf', file_data: toDataUrl('no pdf') }, 'file_data', /calls itself a PDF document/],
      [{ filename: 'x.bin', file_data: toDataUrl(Buffer.alloc(999)) }, 'file_data', /a binary file/],
      [
        { filename: 'a.mp3', file_data: toDataUrl(await readFile(file('tone.mp3'))) },
        'file_data',
        /is an MP3 recording/,
      ],
    ]
    for (const [fields, field, pattern] of refused) {
      const error = await getApiError(
        send(model, [{ filename: 'fine.txt', file_data: toDataUrl('Hello') }, fields]),
      ).catch(() => {
        throw new Error(`was read: ${JSON.stringify(fields).slice(0, 200)}`)
      })
      const param = send === chat ? `messages.0.content.2.file.${field}` : `input.0.content.2.${field}`
      assert.equal([error.status, error.code, error.param], [400, 'file_refused', param], error.message)
      assert.match(error.message, pattern)
    }
    const one = { file_data: toDataUrl('x') }
    const tooMany = await getApiError(
      send(
        model,
        Array.from({ length: 21 }, () => one),
      ),
    )
    assert.equal([tooMany.status, tooMany.code], [400, 'file_refused'])
    const large = { filename: 'x.txt', file_data: toDataUrl('x'.repeat(uploadLimit + 1)) }
    const tooLarge = await getApiError(send(model, [large]))
    assert.equal([tooLarge.status, tooLarge.code], [413, 'body_too_large'])
    assert.match(
      tooLarge.message,
      `content.1.${send === chat ? 'file.' : ''}file_data is too large: ${uploadLimit}`,
    )
    const wrong = await getApiError(send(model, [{ file_data: 7 } as unknown as FileFields]))
    assert.is(wrong.status, 422)
    assert.is(setup.ollama.calls('/secret.txt').length + setup.getRequests().length, 0)
    await waitFor('the file to be removed', hasNoFile)
  })

  test(`stores a note with the name of a file in ${route}, and never its text`, async () => {
    const model = await setup.born()
    const secret = createSecret('the text', `aardvark-${model}-zebra`)
    await send(
      model,
      [{ filename: 'plan.txt', file_data: toDataUrl(`The code is aardvark-${model}-zebra.`) }],
      {
        store: true,
      },
    )
    assert.ok(isIn(secret, getPrompt().at(-1)?.content ?? ''))
    const { messages } = (await setup.get(`/api/persona/${model}/conversation`)).body
    assert.is(messages[0].content, 'What is this?\n[the file “plan.txt”, which is not kept]')
    assert.equal(await filesWith(secret, setup.daemon.home), [])
    assert.not.ok(isIn(secret, JSON.stringify((await setup.get(`/api/persona/${model}/journal`)).body)))
  })
}

test('stores the note in the input of a response, and continues with it', async () => {
  const model = await setup.born()
  const first = await respond(model, [{ filename: 'a.txt', file_data: toDataUrl('Words of the file') }])
  const { data } = await setup.client.responses.inputItems.list(first.id)
  assert.match(JSON.stringify(data), 'What is this?\\n[the file “a.txt”, which is not kept]')
  await setup.client.responses.create({ model, input: 'And?', previous_response_id: first.id })
  assert.match(getPrompt()[1]?.content ?? '', '[the file “a.txt”, which is not kept]')
  assert.not.match(JSON.stringify(getPrompt()), 'Words of the file')
})

test('refuses files in the background, and files that are not of the user', async () => {
  const model = await setup.born()
  const fields = { filename: 'a.txt', file_data: toDataUrl('x') }
  const background = await getApiError(respond(model, [fields], { background: true }))
  assert.equal([background.status, background.param], [400, 'background'])
  const content = [{ type: 'input_file', ...fields }]
  const system = await getApiError(respond(model, [], { input: [{ role: 'system', content }] as never }))
  assert.equal([system.status, system.param], [400, 'input.0.content.0'])
  const messages = [{ role: 'system', content: [{ type: 'file', file: fields }] }]
  const chatError = await getApiError(chat(model, [], { messages }))
  assert.equal([chatError.status, chatError.param], [400, 'messages.0.content.0'])
  assert.is(setup.getRequests().length, 0)
})

test('shares the space of the prompt between the files and says how much it left out', async () => {
  const model = await setup.born()
  const long = { filename: 'long.txt', file_data: toDataUrl('word '.repeat(100_000)) }
  await chat(model, [long, long])
  const { content = '' } = getPrompt().at(-1) ?? {}
  assert.is(content.match(/\[… \d+ more characters\]/g)?.length, 2)
  assert.ok(content.length < 121_000, String(content.length))
})

test('removes the file when the client disconnects, and answers another client meanwhile', async () => {
  const model = await setup.born()
  setup.ollama.faults.hangs = true
  const abort = new AbortController()
  const fields = { filename: 'a.txt', file_data: toDataUrl('x '.repeat(200_000)) }
  const streamed = setup.client.chat.completions.create(
    {
      model,
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'file', file: fields }] }],
    },
    { signal: abort.signal },
  )
  streamed.catch(() => undefined)
  await waitFor(
    'the document on disk or the model call',
    async () => !(await hasNoFile()) || setup.getRequests().length > 0,
  )
  abort.abort()
  await waitFor('the file to be removed', hasNoFile)
  setup.ollama.faults.hangs = false
  const [one, two] = await Promise.all([chat(model, [fields]), respond(model, [fields])])
  assert.equal([one.choices[0]?.message.content, two.output_text], ['ok', 'ok'])
})

test.run()
