import OpenAI from 'openai'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createAnthropic } from './anthropic.ts'
import { createGemini } from './gemini.ts'
import { gif, ogg, pdf, png } from './media.ts'
import { createOpenAi } from './openai.ts'
import type { Answer, HeardRequest, StandIn } from './provider.ts'
import { createXai } from './xai.ts'

const test = suite<{ open: StandIn[] }>('stand-ins', { open: [] })
test.after.each(async ({ open }) => {
  for (const standIn of open.splice(0)) await standIn.close()
})

const key = 'sk-right-key'
const keyHeaders = {
  anthropic: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  bearer: { authorization: `Bearer ${key}` },
  gemini: { 'x-goog-api-key': key },
}

const post = async (standIn: StandIn, path: string, headers: Record<string, string>, body: unknown) => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  const response = await fetch(`${standIn.url}${path}`, init)
  return { status: response.status, text: await response.text() }
}

/** Each case sends a valid request with one change. */
const refusals = async (
  standIn: StandIn,
  path: string,
  headers: Record<string, string>,
  validRequest: object,
  rows: readonly (readonly [object, string])[],
) => {
  const fine = await post(standIn, path, headers, validRequest)
  assert.is(fine.status, 200, fine.text)
  for (const [changed, words] of rows) {
    const { status, text } = await post(standIn, path, headers, { ...validRequest, ...changed })
    assert.is(status, 400, `${JSON.stringify(changed)}: ${text}`)
    assert.ok(text.includes(words), `${words}\n${text}`)
  }
}

const hi = { role: 'user', content: 'hi' }
const use = (id: string) => ({ type: 'tool_use', id, name: 'recall', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })
const tools = [{ name: 'recall', input_schema: { type: 'object', properties: {} } }]
const picture = (media_type: string, bytes: Buffer) => ({
  type: 'image',
  source: { type: 'base64', media_type, data: bytes.toString('base64') },
})

test('refuses the same requests as Anthropic', async ({ open }) => {
  const anthropic = await createAnthropic()
  open.push(anthropic)
  const turn = (...blocks: object[]) => [
    hi,
    { role: 'assistant', content: [use('a'), use('b')] },
    { role: 'user', content: blocks },
  ]
  await refusals(
    anthropic,
    '/v1/messages',
    keyHeaders.anthropic,
    { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [hi], tools },
    [
      [{ max_tokens: undefined }, 'max_tokens: Field required'],
      [{ messages: [] }, 'at least one message is required'],
      [{ messages: [{ role: 'system', content: 'be good' }, hi] }, 'Unexpected role'],
      [{ messages: [{ role: 'assistant', content: 'hello' }, hi] }, 'first message must use the'],
      [{ messages: [hi, { role: 'assistant', content: 'hello' }] }, 'must end with a user message'],
      [{ messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, 'text content blocks must'],
      [{ messages: [{ role: 'user', content: '' }] }, 'must have non-empty content'],
      [{ messages: [{ role: 'user', content: [picture('image/bmp', png)] }] }, 'media_type'],
      [
        { messages: [{ role: 'user', content: [picture('image/jpeg', png)] }] },
        'does not match the provided media type',
      ],
      [{ messages: turn(result('a')) }, 'without `tool_result` blocks immediately after: b'],
      [
        { messages: turn({ type: 'text', text: 'so' }, result('a'), result('b')) },
        'without `tool_result` blocks',
      ],
      [{ messages: turn(result('a'), result('b'), result('c')) }, 'unexpected `tool_use_id`'],
      [{ messages: turn({ ...result('a'), tool_use_id: 'a:0' }, result('b')) }, 'should match pattern'],
      [{ messages: turn(result('a'), result('b')), tools: [] }, 'must define tools'],
      [{ tools: [...tools, ...tools] }, 'must be unique'],
      [{ tools: [{ name: 'recall', input_schema: {} }] }, 'input_schema'],
      [{ frobnicate: true }, 'Extra inputs are not permitted'],
      [
        {
          messages: [
            {
              role: 'user',
              content: Array(5).fill({ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }),
            },
          ],
        },
        'A maximum of 4',
      ],
    ],
  )
  const messages = turn(result('a'), result('b'), { type: 'text', text: 'so' })
  assert.is(
    (
      await post(anthropic, '/v1/messages', keyHeaders.anthropic, {
        model: 'claude-sonnet-4-5',
        max_tokens: 1,
        messages,
        tools,
      })
    ).status,
    200,
  )
})

const call = (id: string) => ({ id, type: 'function', function: { name: 'recall', arguments: '{}' } })
const dataUrl = (mime: string, bytes: Buffer) => `data:${mime};base64,${bytes.toString('base64')}`

test('refuses the same requests as OpenAI and xAI', async ({ open }) => {
  const openai = await createOpenAi()
  const xai = await createXai()
  open.push(openai, xai)
  const callMessage = { role: 'assistant', content: null, tool_calls: [call('a')] }
  const answer = { role: 'tool', tool_call_id: 'a', content: 'x' }
  const rows: readonly (readonly [object, string])[] = [
    [{ messages: [] }, 'empty array'],
    [{ messages: [hi, callMessage] }, 'did not have response messages: a'],
    [{ messages: [hi, callMessage, hi] }, 'did not have response messages: a'],
    [{ messages: [hi, answer] }, "must be a response to a preceeding message with 'tool_calls'"],
    [
      { messages: [hi, callMessage, { ...answer, tool_call_id: 'b' }] },
      "must be a response to a preceeding message with 'tool_calls'",
    ],
    [{ messages: [hi, { ...callMessage, tool_calls: [call('a'.repeat(41))] }] }, 'string too long'],
    [{ messages: [hi, { role: 'assistant', content: null }] }, 'expected a string, got null'],
    [{ messages: [{ role: 'narrator', content: 'x' }] }, 'messages[0].role'],
    [
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: dataUrl('image/bmp', png) } }] },
        ],
      },
      'unsupported image',
    ],
    [
      {
        messages: [
          { role: 'user', content: [{ type: 'file', file: { file_data: dataUrl('application/pdf', pdf) } }] },
        ],
      },
      'file',
    ],
    [{ tools: [] }, 'empty array'],
    [{ stream_options: { include_usage: true } }, "only allowed when 'stream' is enabled"],
    [{ frobnicate: true }, 'Unrecognized request argument supplied: frobnicate'],
  ]
  await refusals(openai, '/v1/chat/completions', keyHeaders.bearer, { model: 'gpt-4o', messages: [hi] }, rows)
  await refusals(openai, '/v1/chat/completions', keyHeaders.bearer, { model: 'gpt-5', messages: [hi] }, [
    [{ max_tokens: 5 }, 'max_completion_tokens'],
    [{ temperature: 0.5 }, 'temperature'],
  ])
  await refusals(xai, '/v1/chat/completions', keyHeaders.bearer, { model: 'grok-4', messages: [hi] }, [
    ...rows,
    [
      {
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: dataUrl('image/gif', gif) } }] },
        ],
      },
      'unsupported image',
    ],
    [{ messages: [{ role: 'user', content: '' }] }, 'at least one content element'],
  ])
  assert.is(
    (
      await post(openai, '/v1/chat/completions', keyHeaders.bearer, {
        model: 'gpt-4o',
        messages: [hi, callMessage, answer],
      })
    ).status,
    200,
  )
})

test('refuses the same requests as Gemini', async ({ open }) => {
  const gemini = await createGemini({ answer: () => ({ calls: [{ name: 'recall' }] }) })
  open.push(gemini)
  const userContent = { role: 'user', parts: [{ text: 'hi' }] }
  const callContent = { role: 'model', parts: [{ functionCall: { name: 'recall', args: {} } }] }
  const toResult = (response: unknown) => ({
    role: 'user',
    parts: [{ functionResponse: { name: 'recall', response } }],
  })
  const inline = (mimeType: string, bytes: Buffer) => ({
    role: 'user',
    parts: [{ inlineData: { mimeType, data: bytes.toString('base64') } }],
  })
  const declare = (parameters: object) => ({
    tools: [{ functionDeclarations: [{ name: 'recall', description: 'x', parameters }] }],
  })
  const path = '/v1beta/models/gemini-2.5-flash:generateContent'
  await refusals(gemini, path, keyHeaders.gemini, { contents: [userContent] }, [
    [{ contents: [] }, 'contents is not specified'],
    [{ contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }, 'use a valid role'],
    [{ contents: [{ role: 'user', parts: [{ text: '' }] }] }, "required oneof field 'data'"],
    [{ contents: [callContent, toResult({})] }, 'comes immediately after a user turn'],
    [{ contents: [userContent, toResult({})] }, 'comes immediately after a function call turn'],
    [{ contents: [userContent, callContent, userContent] }, 'number of function response parts'],
    [{ contents: [userContent, callContent, toResult('a word')] }, 'Invalid value at'],
    [{ contents: [inline('image/gif', gif)] }, 'Unsupported MIME type: image/gif'],
    [{ contents: [inline('image/png', gif)] }, 'Unable to process input image'],
    [declare({ type: 'OBJECT', properties: {} }), 'should be non-empty for OBJECT type'],
    [
      declare({ type: 'OBJECT', properties: { a: { type: 'STRING' } }, additionalProperties: false }),
      'Unknown name \\"additionalProperties\\"',
    ],
    [{ generationConfig: { responseModalities: ['AUDIO'] } }, 'not supported by the model'],
    [{ frobnicate: true }, 'Unknown name \\"frobnicate\\"'],
  ])
  const newer = '/v1beta/models/gemini-3-pro-preview:generateContent'
  await refusals(gemini, newer, keyHeaders.gemini, { contents: [userContent] }, [
    [{ contents: [userContent, callContent, toResult({})] }, 'missing a thought_signature'],
  ])
  const { text } = await post(gemini, newer, keyHeaders.gemini, { contents: [userContent] })
  const ownContent = JSON.parse(text).candidates[0].content
  assert.is(
    (await post(gemini, newer, keyHeaders.gemini, { contents: [userContent, ownContent, toResult({})] }))
      .status,
    200,
  )
})

test('all refuse a missing key, a wrong one, and an unknown model', async ({ open }) => {
  const rows = [
    {
      standIn: await createAnthropic(),
      path: '/v1/messages',
      body: { model: 'nobody', max_tokens: 1, messages: [hi] },
      header: 'x-api-key',
      statuses: [401, 401, 404],
    },
    {
      standIn: await createOpenAi(),
      path: '/v1/chat/completions',
      body: { model: 'nobody', messages: [hi] },
      header: 'authorization',
      statuses: [401, 401, 404],
    },
    {
      standIn: await createXai(),
      path: '/v1/chat/completions',
      body: { model: 'nobody', messages: [hi] },
      header: 'authorization',
      statuses: [401, 400, 404],
    },
    {
      standIn: await createGemini(),
      path: '/v1beta/models/nobody:generateContent',
      body: { contents: [] },
      header: 'x-goog-api-key',
      statuses: [403, 400, 404],
    },
  ]
  for (const { standIn, path, body, header, statuses } of rows) {
    open.push(standIn)
    const receivedStatuses: number[] = []
    for (const value of [undefined, 'sk-wrong', key]) {
      const headers = {
        'anthropic-version': '2023-06-01',
        ...(value ? { [header]: header === 'authorization' ? `Bearer ${value}` : value } : {}),
      }
      receivedStatuses.push((await post(standIn, path, headers, body)).status)
    }
    assert.equal(receivedStatuses, statuses)
    assert.equal(
      standIn.log.map((entry) => entry.key),
      ['none', 'wrong', 'right'],
    )
    assert.not.ok(JSON.stringify(standIn.log).includes(key))
  }
})

const client = (standIn: StandIn) => new OpenAI({ apiKey: key, baseURL: `${standIn.url}/v1`, maxRetries: 0 })

test('works with the official client of OpenAI, in chunks that split characters', async ({ open }) => {
  const script = ({ messages }: HeardRequest): Answer =>
    messages.length === 1
      ? {
          text: 'Grüße, 🦊 ist da',
          calls: [{ name: 'recall', input: { query: 'Füchse' } }, { name: 'plan' }],
          usage: { input: 70, output: 9, cached: 64 },
        }
      : { text: `so: ${messages.at(-1)?.results[0]?.content}` }
  const openai = await createOpenAi({ answer: script, faults: { chunk: 3 } })
  open.push(openai)
  const runner = client(openai).chat.completions.stream({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'hi' }],
    stream_options: { include_usage: true },
  })
  const { choices, usage } = await runner.finalChatCompletion()
  assert.is(choices[0]?.message.content, 'Grüße, 🦊 ist da')
  assert.equal(
    choices[0]?.message.tool_calls?.map((toolCall) =>
      toolCall.type === 'function' ? [toolCall.function.name, JSON.parse(toolCall.function.arguments)] : [],
    ),
    [
      ['recall', { query: 'Füchse' }],
      ['plan', {}],
    ],
  )
  assert.is(usage?.prompt_tokens_details?.cached_tokens, 64)
  assert.is(openai.log[0]?.keyIn, 'authorization')
})

test('transcribes, speaks and draws for the official client of OpenAI', async ({ open }) => {
  const openai = await createOpenAi({ answer: () => 'guten Tag' })
  open.push(openai)
  const { audio, images } = client(openai)
  const file = new File([new Uint8Array(ogg)], 'voice.ogg', { type: 'audio/ogg' })
  assert.is((await audio.transcriptions.create({ file, model: 'whisper-1' })).text, 'guten Tag')
  assert.equal(openai.log[0]?.form.map(({ name }) => name).sort(), ['file', 'model'])
  assert.equal(openai.log[0]?.conversation?.messages[0]?.files[0]?.bytes, ogg)
  const speech = await audio.speech.create({ input: 'hallo', model: 'tts-1', voice: 'alloy' })
  assert.is(speech.headers.get('content-type'), 'audio/mpeg')
  const image = await images.generate({ model: 'gpt-image-1', prompt: 'a fox' })
  assert.equal(Buffer.from(image.data?.[0]?.b64_json ?? '', 'base64'), png)
})

test.run()
