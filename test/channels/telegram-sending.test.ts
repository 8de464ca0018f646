import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { SendError } from '../../src/channels/platform.ts'
import { toTelegramHtml } from '../../src/channels/telegram/html.ts'
import { waitFor } from '../calls.ts'
import { createChance } from '../random.ts'
import { readHtml } from '../stand-ins/telegram-form.ts'
import { type Context, catchError, createSetup, neverAborts, telegramSuite } from './telegram-house.ts'

const test = telegramSuite('telegram sending')

/** A chat exists because a user has written. */
const openTalkingGateway = async (context: Context) => {
  const gatewaySetup = await createSetup(context)
  gatewaySetup.telegram.write({ text: 'hello' })
  const gateway = gatewaySetup.connect(gatewaySetup.listener())
  const failure = (sentFile: Promise<unknown>) => catchError<SendError>(sentFile, gatewaySetup.words)
  const folder = await mkdtemp(join(tmpdir(), 'telegram-'))
  context.open.push({ close: () => rm(folder, { recursive: true }) })
  const file = async (
    name: string,
    bytes: string | Uint8Array,
    mime: string,
    overrides: { caption?: string; voice?: boolean } = {},
  ) => {
    const path = join(folder, `${Math.random()}`)
    await writeFile(path, bytes)
    return { path, name, mime, caption: '', voice: false, ...overrides }
  }
  return { ...gatewaySetup, gateway, failure, file }
}

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('picture')])

test("converts Markdown to Telegram's formatting", () => {
  const rows: readonly [string, string | null][] = [
    ['just words, 2*3*4 and snake_case_name & 3 < 4', null],
    [
      '**bold** and *soft* and _soft_ and ~~gone~~',
      '<b>bold</b> and <i>soft</i> and <i>soft</i> and <s>gone</s>',
    ],
    ['`a < b`, **see `**` *x* there**', '<code>a &lt; b</code>, <b>see <code>**</code> <i>x</i> there</b>'],
    [
      '[the **page**](https://a.de/x_(y)?a=1&b=2)',
      '<a href="https://a.de/x_(y)?a=1&amp;b=2">the <b>page</b></a>',
    ],
    ['[no](javascript:alert)', null],
    ['## Plan\n- one\n  * *two*\n---\n* * *', '<b>Plan</b>\n• one\n  • <i>two</i>\n---\n* * *'],
    [
      '```ts\nconst a = "**1**" < 2\n```\nend',
      '<pre><code class="language-ts">const a = &quot;**1**&quot; &lt; 2</code></pre>\nend',
    ],
    ['```\nplain\n\ntwo\n```', '<pre>plain\n\ntwo</pre>'],
    ['```ts\nnever closed **x', null],
    ['**not closed, *either', null],
    ['__init__ stays', null],
  ]
  for (const [markdown, html] of rows) assert.is(toTelegramHtml(markdown), html, markdown)
})

test('loses no text by formatting, and writes only valid HTML', () => {
  const chance = createChance('markdown for telegram')
  const bits = [
    'a',
    'bü',
    '🦊',
    ' ',
    '\n',
    '*',
    '**',
    '_',
    '`',
    '```',
    '```\n',
    '```ts\n',
    '~~',
    '[',
    '](https://x.de/',
    ')',
    '<b>',
    '&amp;',
    '"',
    '#',
    '# ',
    '- ',
    '1',
  ] as const
  const marks = /[*_`~[\]()#\s•-]|https:\/\/x\.de\//g
  for (let round = 0; round < 4000; round++) {
    const markdown = Array.from({ length: chance.pickBetween(1, 24) }, () => chance.pick(bits)).join('')
    const html = toTelegramHtml(markdown)
    if (html === null) continue
    const formed = readHtml(html)
    if (typeof formed === 'string') throw new Error(`${formed}: ${JSON.stringify({ markdown, html })}`)
    assert.ok(formed.text.length <= markdown.length, markdown)
    // URLs and languages are still present in the tags.
    const sentText = `${formed.text}${formed.tags.map((tag) => tag.replace(/^\S+ ?(language-)?/, '')).join('')}`
    assert.is(
      [...sentText.replace(marks, '')].sort().join(''),
      [...markdown.replace(marks, '')].sort().join(''),
      markdown,
    )
  }
})

test('handles long nonsense quickly', () => {
  for (const bit of ['*', '**', '_a ', '`', '[a', '**a', '*a ', '~~a', '[a](https://x(', '```\n'])
    assert.type(String(toTelegramHtml(bit.repeat(Math.floor(4096 / bit.length)))), 'string')
})

test('sends formatted text, or plain text if Telegram cannot parse it', async (context) => {
  const { telegram, gateway } = await openTalkingGateway(context)
  await gateway.send('99', 'a **b** <c>', 'n1', neverAborts)
  await gateway.send('99', 'plain & simple', 'n2', neverAborts)
  telegram.fail('sendMessage', {
    code: 400,
    description: 'Bad Request: can\'t parse entities: Unsupported start tag "b" at byte offset 2',
  })
  await gateway.send('99', '**d**', 'n3', neverAborts)
  await gateway.send('99', `half ${'🦊'.slice(0, 1)} a fox`, 'n4', neverAborts)
  assert.equal(
    telegram.sentMessages.map(({ text, tags, params }) => [text, tags, params.parse_mode]),
    [
      ['a b <c>', ['b'], 'HTML'],
      ['plain & simple', [], undefined],
      ['**d**', [], undefined],
      ['half \ufffd a fox', [], undefined],
    ],
  )
  assert.equal(JSON.parse(telegram.sentMessages[0]?.params.link_preview_options ?? ''), { is_disabled: true })
})

test("sends messages up to Telegram's limit", async (context) => {
  const { telegram, gateway, failure } = await openTalkingGateway(context)
  const { text } = gateway.limits
  await gateway.send('99', `**${'🦊'.repeat((text - 4) / 2)}**`, 'n1', neverAborts)
  await gateway.send('99', '<'.repeat(text), 'n2', neverAborts)
  const { lasting } = await failure(gateway.send('99', 'x'.repeat(text + 1), 'n3', neverAborts))
  assert.ok(lasting)
  assert.is(telegram.sentMessages.length, 2)
})

test('distinguishes permanent failures from temporary ones', async (context) => {
  const { telegram, gateway, failure } = await openTalkingGateway(context)
  const attempt = async (target = '99', signal = neverAborts) => {
    const error = await failure(gateway.send(target, 'hello', 'n', signal))
    assert.instance(error, SendError)
    return [error.lasting, error.wait, error.message]
  }
  assert.equal(await attempt('123'), [
    true,
    null,
    'Telegram does not deliver this: Bad Request: chat not found.',
  ])
  telegram.fail('sendMessage', {
    code: 429,
    description: 'Too Many Requests: retry after 12',
    parameters: { retry_after: 12 },
  })
  assert.equal(await attempt(), [false, 12_000, 'Telegram asks for a pause before it takes more.'])
  telegram.fail('sendMessage', { code: 500, description: 'Internal Server Error' })
  assert.equal(await attempt(), [false, null, 'Telegram reports an internal error: Internal Server Error.'])
  telegram.fail('sendMessage', 'babble')
  assert.is((await attempt())[0], false)
  telegram.fail('sendMessage', 'cut')
  assert.match(
    String((await attempt())[2]),
    /^Telegram could not be reached at 127[\d.:]+: the connection was cut\.$/,
  )
  telegram.fail('sendMessage', {
    code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: -1009 },
  })
  assert.match(String((await attempt()).join()), /^true,.*Pair the bot there again/)
  telegram.fail('sendMessage', 'hang')
  const stop = new AbortController()
  const brokenSend = attempt('99', stop.signal)
  const callCountBefore = telegram.calls('sendMessage')
  await waitFor('it to be on its way', () => telegram.calls('sendMessage') > callCountBefore)
  stop.abort()
  assert.equal(await brokenSend, [false, null, 'The request was cancelled.'])
  telegram.block(99)
  assert.equal(await attempt(), [
    true,
    null,
    'Telegram does not deliver this: Forbidden: bot was blocked by the user.',
  ])
  telegram.rekey('4242:AAH-another_token_of_this_bot_012345678')
  assert.match(String((await attempt()).join()), /^true,.*no longer accepts the token/)
  await telegram.leave()
  assert.is((await attempt())[0], false)
})

test('sends each file with its type, name and caption', async (context) => {
  const { telegram, gateway, file } = await openTalkingGateway(context)
  const sendings = [
    await file('fern; "big".png', png, 'image/png', { caption: 'my **fern** & me' }),
    await file('hello.ogg', 'OggS', 'audio/ogg', { voice: true }),
    await file('hello.mp3', 'ID3', 'audio/mpeg', { voice: true }),
    await file('hello.wav', 'RIFF', 'audio/wav', { voice: true }),
    await file('song.mp3', 'ID3', 'audio/mpeg'),
    await file('Übersicht 1.pdf', '%PDF', 'application/pdf', { caption: '.' }),
    await file('large.png', Buffer.concat([png, Buffer.alloc(11 * 1024 * 1024)]), 'image/png'),
  ]
  for (const sentFile of sendings) await gateway.sendFile('99', sentFile, 'n', neverAborts)
  assert.equal(
    telegram.sentMessages.map(({ method, text, tags, file: sentFile }) => [
      method,
      sentFile?.name,
      text,
      tags.join(),
    ]),
    [
      ['sendPhoto', 'fern; _big_.png', 'my fern & me', 'b'],
      ['sendVoice', 'hello.ogg', '', ''],
      ['sendVoice', 'hello.mp3', '', ''],
      ['sendDocument', 'hello.wav', '', ''],
      ['sendAudio', 'song.mp3', '', ''],
      ['sendDocument', 'Übersicht 1.pdf', '.', ''],
      ['sendDocument', 'large.png', '', ''],
    ],
  )
  assert.equal(telegram.sentMessages[0]?.file?.bytes, png)
})

test('sends a file as a document if Telegram rejects it as a picture or a voice note', async (context) => {
  const { telegram, gateway, file } = await openTalkingGateway(context)
  await gateway.sendFile(
    '99',
    await file('odd.png', 'no picture', 'image/png', { caption: '*look*' }),
    'n',
    neverAborts,
  )
  telegram.fail('sendVoice', { code: 400, description: 'Bad Request: VOICE_MESSAGES_FORBIDDEN' })
  await gateway.sendFile('99', await file('hi.ogg', 'OggS', 'audio/ogg', { voice: true }), 'n', neverAborts)
  telegram.fail('sendPhoto', { code: 400, description: "Bad Request: can't parse entities: no" })
  await gateway.sendFile('99', await file('a.png', png, 'image/png', { caption: '*so*' }), 'n', neverAborts)
  assert.equal(
    telegram.sentMessages.map(({ method, text }) => [method, text]),
    [
      ['sendDocument', 'look'],
      ['sendDocument', ''],
      ['sendPhoto', '*so*'],
    ],
  )
})

test('reports which file cannot be sent, and why', async (context) => {
  const { telegram, gateway, file, failure } = await openTalkingGateway(context)
  const getReason = async (sentFile: Awaited<ReturnType<typeof file>>) => {
    const { lasting, message } = await failure(gateway.sendFile('99', sentFile, 'n', neverAborts))
    return `${lasting} ${message}`
  }
  assert.is(
    await getReason({ ...(await file('gone.txt', 'x', 'text/plain')), path: '/nowhere/at/all' }),
    'true The file gone.txt is no longer there.',
  )
  assert.match(
    await getReason(await file('empty.txt', '', 'text/plain')),
    /^true The file empty\.txt is empty/,
  )
  assert.match(
    await getReason(await file('big.bin', new Uint8Array(50 * 1024 * 1024 + 1), 'application/zip')),
    /^true .*50 MB/,
  )
  assert.match(
    await getReason(
      await file('a.txt', 'x', 'text/plain', { caption: 'x'.repeat(gateway.limits.caption + 1) }),
    ),
    /^true .*caption is too long/,
  )
  telegram.fail('sendDocument', {
    code: 429,
    description: 'Too Many Requests',
    parameters: { retry_after: 3 },
  })
  assert.match(await getReason(await file('a.txt', 'x', 'text/plain')), /^false/)
  telegram.fail('sendDocument', 'cut')
  assert.match(
    await getReason(await file('a.txt', Buffer.alloc(3_000_000), 'text/plain')),
    /^false Telegram could not be reached/,
  )
  assert.is(telegram.sentMessages.length, 0)
})

test('shows a typing indicator, and ignores its failure', async (context) => {
  const { telegram, gateway } = await openTalkingGateway(context)
  gateway.typing('99')
  await waitFor('the sign', () => telegram.calls('sendChatAction') === 1)
  telegram.fail('sendChatAction', 'cut')
  await waitFor('a sign that fails', () => {
    gateway.typing('99')
    return telegram.calls('sendChatAction') > 1
  })
  gateway.typing('nobody')
  await waitFor('the one without a target', () =>
    telegram.log.some(({ params }) => params.chat_id === 'nobody'),
  )
  await gateway.close()
  const chatActions = telegram.calls('sendChatAction')
  gateway.typing('7')
  assert.is(telegram.calls('sendChatAction'), chatActions)
  assert.is(telegram.sentMessages.length, 0)
})

test('the simulated Telegram refuses the same requests as the real one', async (context) => {
  const { telegram } = await openTalkingGateway(context)
  const { url, token } = telegram
  const ask = async (path: string, body?: object | string) => {
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
    const form = typeof body === 'string' ? body : JSON.stringify(body ?? {})
    const init = { method: 'POST', headers: { 'content-type': type }, body: form }
    const response = await fetch(`${url}/bot${path}`, init)
    const {
      ok,
      error_code: code,
      description,
    } = (await response.json()) as { ok: boolean; error_code?: number; description?: string }
    assert.is(ok, response.ok)
    return ok ? 'ok' : `${code} ${description}`
  }
  const say = (overrides: object) => ask(`${token}/sendMessage`, { chat_id: 99, text: 'x', ...overrides })
  assert.is(await ask('4242:AAH-wrong_token_of_this_bot_0123456789/getMe'), '401 Unauthorized')
  assert.is(await ask('nonsense/getMe'), '404 Not Found')
  assert.is(await ask(`${token}/dance`), '404 Not Found: method not found')
  assert.is(await ask(`${token}/sendMessage`, 'chat_id=99&text=by+form'), 'ok')
  assert.is(await say({ text: ' ' }), '400 Bad Request: message text is empty')
  assert.is(await say({ text: 'x'.repeat(4097) }), '400 Bad Request: message is too long')
  assert.is(await say({ text: `<b>${'🦊'.repeat(2048)}</b>`, parse_mode: 'HTML' }), 'ok')
  assert.is(await say({ text: '\ud83e' }), '400 Bad Request: strings must be encoded in UTF-8')
  assert.is(await say({ chat_id: 5 }), '400 Bad Request: chat not found')
  for (const [html, why] of [
    ['<x>a</x>', 'Unsupported start tag'],
    ['a < b', 'Unsupported start tag'],
    ['<b>a', "Can't find end tag"],
    ['<b><i>a</b></i>', 'Unmatched end tag'],
  ])
    assert.match(
      await say({ text: html, parse_mode: 'HTML' }),
      `400 Bad Request: can't parse entities: ${why}`,
    )
  assert.is(
    await ask(`${token}/sendPhoto`, { chat_id: 99 }),
    '400 Bad Request: there is no photo in the request',
  )
  assert.is(
    await ask(`${token}/sendChatAction`, { chat_id: 99, action: 'dancing' }),
    '400 Bad Request: wrong parameter action in request',
  )
  assert.is(await ask(`${token}/getFile`, { file_id: 'x' }), '400 Bad Request: invalid file_id')
  telegram.webhook('https://elsewhere.example')
  assert.match(
    await ask(`${token}/getUpdates`),
    /^409 Conflict: can't use getUpdates method while webhook is active/,
  )
  assert.is(await ask(`${token}/deleteWebhook`), 'ok')
  assert.is(await ask(`${token}/getUpdates`), 'ok')
})

test.run()
