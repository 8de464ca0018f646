/** Talking to a persona on a platform, over real HTTP, with a simulated platform. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { SendError } from '../../src/channels/platform.ts'
import { waitFor } from '../calls.ts'
import { json, shareSetup } from '../contract/setup.ts'
import { personSource } from '../message-parts.ts'
import { createFakePlatform, createFile, createToken } from './platform.ts'

const names = Array.from({ length: 20 }, (_, n) => `bot_${n}`)
const telegram = createFakePlatform('telegram', names)
const lines: string[] = []
const setup = shareSetup(test, {
  platforms: [telegram],
  logTo: (line) => lines.push(line),
  env: { DAIMON_LOG_LEVEL: 'trace', DAIMON_MAX_UPLOAD: '2000' },
  random: () => 0,
})
const { get, post, view } = setup
test.before.each(() => {
  telegram.onSend = () => undefined
})

let usedCount = 0
/** A persona whose bot is paired with a chat. */
const createPaired = async (fields: object = {}) => {
  const bot = createToken(names[usedCount] ?? '')
  const chat = `${7000 + usedCount++}`
  const id = await setup.born({ telegram_token: bot, ...fields })
  const personaPath = `/api/persona/${id}`
  await telegram.write(bot, chat, 'is anybody there?')
  const [status] = await post(`${personaPath}/pair`, { code: await telegram.code(chat) })
  assert.is(status, 200)
  await waitFor('the greeting', () => telegram.getTextsTo(chat).length === 2)
  return {
    id,
    at: personaPath,
    bot,
    chat,
    write: (content: string, overrides?: object) => telegram.write(bot, chat, content, overrides),
  }
}
const messages = async (personaPath: string) => (await get(`${personaPath}/conversation`))[1].messages
const waitForAnswer = (chat: string, text: string) =>
  waitFor(text, () => telegram.getTextsTo(chat).includes(text))
const deliveries = async (personaPath: string) =>
  (await messages(personaPath)).flatMap(({ content, delivery }: { content: string; delivery: unknown }) =>
    delivery ? [[content, delivery]] : [],
  )

test('stores a message of the paired chat once and answers it there; earlier messages are unknown', async () => {
  const { at, chat, write } = await createPaired()
  await write('good morning', { key: 'telegram:1:same' })
  await write('good morning', { key: 'telegram:1:same' })
  await waitForAnswer(chat, 'You said: good morning')
  await waitFor('the delivery', async () =>
    (await deliveries(at)).some(([, { state }]: [string, { state: string }]) => state === 'sent'),
  )
  const channel = { type: 'telegram', name: chat }
  assert.equal(
    (await messages(at)).map(({ role, content, channel, delivery }: Record<string, unknown>) => [
      role,
      content,
      channel,
      delivery,
    ]),
    [
      ['person', 'good morning', channel, null],
      ['assistant', 'You said: good morning', channel, { state: 'sent', reason: null }],
    ],
  )
  assert.ok(telegram.typingTargets.includes(chat))
})

test('sends the help for a user in danger once, after the answer, as a notice', async () => {
  const { at, chat, write } = await createPaired()
  const body = JSON.stringify({ country: 'DE', help: true })
  await setup.send({ method: 'PUT', path: `${at}/care`, body, headers: json })
  await write('I want to die')
  await waitFor('the help', () => telegram.getTextsTo(chat).some((text) => text.includes('0800 1110111')))
  assert.match(
    telegram.getTextsTo(chat).join('\n'),
    /You said: I want to die\n⚠ If you want to talk to a person now:\nTelefonSeelsorge: /,
  )
  await write('I really want to die')
  await waitForAnswer(chat, 'You said: I really want to die')
  assert.is(telegram.getTextsTo(chat).filter((text) => text.includes('1110111')).length, 1)
})

// Seen failing when groups were given codes.
test('strangers get a code and nothing else, groups get nothing, and their messages are not stored', async () => {
  const { at, bot, chat, write } = await createPaired()
  const sentCount = telegram.messages.length
  await telegram.write(bot, '666', 'SECRETWORDSOFASTRANGER')
  await telegram.write(bot, '666', '/start', { command: 'start' })
  await telegram.write(bot, '666', '', {
    files: [createFile('SECRETWORDSOFASTRANGER.txt', Buffer.from('SECRETWORDSOFASTRANGER'))],
  })
  await write('who was that?')
  await waitForAnswer(chat, 'You said: who was that?')
  assert.is(telegram.messages.length, sentCount + 1)

  const unpaired = createToken(names[usedCount++] ?? '')
  const id = await setup.born({ telegram_token: unpaired })
  await telegram.write(unpaired, '-5', 'SECRETWORDSOFASTRANGER', { direct: false })
  await telegram.write(unpaired, '5', 'SECRETWORDSOFASTRANGER')
  const code = await telegram.code('5')
  assert.is(telegram.getTextsTo('-5').length, 0)
  await telegram.write(unpaired, '5', 'SECRETWORDSOFASTRANGER')
  await waitFor('a fresh code', async () => telegram.getTextsTo('5').length === 2)
  assert.is((await post(`/api/persona/${id}/pair`, { code }))[0], 400)
  const facts = [...(await setup.facts(id)), ...lines].join('\n')
  for (const secretText of ['SECRETWORDSOFASTRANGER', code, await telegram.code('5'), unpaired])
    assert.not(facts.includes(secretText), secretText)
  assert.equal((await get(`/api/persona/${id}/conversation`))[1].messages, [])
  assert.not((await messages(at)).some(({ content }: { content: string }) => content.includes('STRANGER')))
})

test('stores files like uploads on the page; a note replaces a file that is not available', async () => {
  const { at, chat, write } = await createPaired()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const large = createFile('film.mp4', Buffer.alloc(3000))
  const goneFile = {
    name: 'gone.pdf',
    voice: false,
    ...personSource,
    bytes: () => {
      throw new SendError('It is gone.', { lasting: true })
    },
  }
  await write('look', {
    files: [
      createFile('../../kite.png', png),
      createFile('note.ogg', Buffer.from('OggS'), true),
      large,
      goneFile,
    ],
    key: 'telegram:1:files',
  })
  const messagesOfUser = (await messages(at)).filter(({ role }: { role: string }) => role === 'person')
  assert.equal(
    messagesOfUser.map(
      ({ content, media }: { content: string; media: { name: string; mime: string } | null }) => [
        content,
        media?.name,
        media?.mime,
      ],
    ),
    [
      [
        'look\n[A file came with this that could not be taken. It is larger than 0 MiB.]\n[A file came with this that could not be taken. It is gone.]',
        ...['kite.png', 'image/png'],
      ],
      ['', 'note.ogg', 'audio/ogg'],
    ],
  )
  const { status } = await setup.send({ path: messagesOfUser[0].media.url })
  assert.is(status, 200)
  await waitFor('an answer', () => telegram.getTextsTo(chat).length > 2)
})

test('requests a file that may be available later again before its message is stored', async () => {
  const { at, write } = await createPaired()
  let callCount = 0
  const lateMessage = {
    name: 'a.txt',
    voice: false,
    ...personSource,
    async *bytes() {
      if (++callCount === 1) throw new SendError('The connection was cut.', { lasting: false })
      yield Buffer.from('hello')
    },
  }
  const incoming = { files: [lateMessage], key: 'telegram:1:late' }
  await write('see', incoming).then(
    () => assert.unreachable('it was accepted'),
    (error: unknown) => assert.instance(error, SendError),
  )
  assert.equal(await messages(at), [])
  await write('see', incoming)
  assert.is((await messages(at))[0].media.name, 'a.txt')
})

test('/stop ends the current turn, /restart restarts the persona, /help and /start list the commands', async () => {
  const { id, chat, write } = await createPaired()
  let isThinking = false
  setup.models.think = () => {
    isThinking = true
    return new Promise(() => {})
  }
  await write('think long')
  await waitFor('her to think', () => isThinking)
  await write('/stop', { command: 'stop' })
  await waitForAnswer(chat, 'I stop.')
  setup.models.think = async () => {}
  await write('/stop', { command: 'stop' })
  await waitForAnswer(chat, 'There is nothing to stop.')
  await write('/restart', { command: 'restart' })
  await waitForAnswer(chat, 'I have restarted.')
  await write('/help', { command: 'help' })
  await write('/start', { command: 'start' })
  await waitFor(
    'both answers',
    () => telegram.getTextsTo(chat).filter((text) => text.includes('/restart')).length === 2,
  )
  const facts = (await setup.facts(id)).join('\n')
  assert.match(facts, /"outcome":"hushed"/)
  assert.match(facts, /"title":"RestartAsked"/)
  assert.not.match(facts, /person_message.*\/(?:stop|help)/)
})

test('sends long messages in parts and in order, and waits as long as a platform requests', async () => {
  const { chat, write } = await createPaired()
  let refusals = 2
  telegram.onSend = (target) => {
    if (target === chat && refusals-- > 0)
      throw new SendError('Too many messages.', { lasting: false, wait: 20 })
  }
  const text = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ')
  await write(text)
  await write('second')
  const getWholeText = () => telegram.getTextsTo(chat).slice(2).join(' ')
  await waitFor(
    'all of it',
    () => getWholeText().endsWith('You said: second') || getWholeText().endsWith('second'),
  )
  assert.ok(getWholeText().startsWith(`You said: ${text}`), getWholeText())
  for (const part of telegram.getTextsTo(chat)) assert.ok(part.length <= 200)
})

test('a message that the platform refuses permanently fails with its reason, and the next one is sent', async () => {
  const { at, chat, write } = await createPaired()
  telegram.onSend = (target, text) => {
    if (target === chat && text.includes('first'))
      throw new SendError('The chat does not accept this message.', { lasting: true })
  }
  await write('first')
  await waitFor(
    'the failure',
    async () => (await deliveries(at)).length === 1 && (await deliveries(at))[0][1].state === 'failed',
  )
  await write('second')
  await waitForAnswer(chat, 'You said: second')
  await waitFor('both', async () =>
    (await deliveries(at)).every(([, { state }]: [string, { state: string }]) => state !== 'waiting'),
  )
  assert.equal(await deliveries(at), [
    ['You said: first', { state: 'failed', reason: 'The chat does not accept this message.' }],
    ['You said: second', { state: 'sent', reason: null }],
  ])
})

test('gives up a message that fails in the daemon each time, notifies the chat, and reads the next one', async () => {
  const { at, chat, write } = await createPaired()
  const brokenMessage = { key: 'telegram:1:broken', parts: null as never }
  for (let times = 1; times < 6; times++)
    await write('', brokenMessage).then(
      () => assert.unreachable('it was accepted'),
      (error: unknown) => assert.instance(error, TypeError),
    )
  await write('', brokenMessage)
  await waitFor('the words', () =>
    telegram
      .getTextsTo(chat)
      .some((text) => text.startsWith('⚠ The daemon could not read your last message')),
  )
  await write('good morning')
  await waitForAnswer(chat, 'You said: good morning')
  assert.is((await messages(at)).filter(({ role }: { role: string }) => role === 'person').length, 1)
})

// Verified to fail if the text goes to the chat without its topic.
test('gives up a message of a topic in that topic when the daemon fails each time', async () => {
  const { chat, write } = await createPaired()
  const tornMessage = { key: 'telegram:1:torn', parts: null as never, topic: '7' }
  for (let times = 1; times < 6; times++) await write('', tornMessage).catch(() => {})
  await write('', tornMessage)
  await waitFor('the error message', () =>
    telegram.getTextsTo(`${chat}/7`).some((text) => text.startsWith('⚠ The daemon could not read')),
  )
})

test('a message that the daemon fails to send each time fails, and the next one is sent', async () => {
  const { at, chat, write } = await createPaired()
  let tries = 0
  telegram.onSend = (target, text) => {
    if (target !== chat || !text.includes('first')) return
    tries++
    throw new TypeError('not a function')
  }
  await write('first')
  await write('second')
  await waitForAnswer(chat, 'You said: second')
  assert.is(tries, 8)
  const [[, first]] = await deliveries(at)
  assert.equal(first, {
    state: 'failed',
    reason: 'It could not be sent: something in the daemon failed each time.',
  })
})

test('a gateway is open while its persona runs: stop, hibernate and delete close it, a restart keeps it', async () => {
  const { at, bot } = await createPaired()
  const open = () => telegram.getOpened().includes(bot)
  for (const [path, body] of [['stop'], ['update', { status: 'hibernate' }]] as const) {
    assert.is((await post(`${at}/${path}`, body))[0], 200)
    await waitFor('it is closed', () => !open())
    assert.is((await post(`${at}/start`))[0], 200)
    await waitFor('it is open', open)
  }
  assert.is((await post(`${at}/restart`))[0], 200)
  await waitFor('it is open', open)
  assert.is((await post(`${at}/delete`))[0], 200)
  await waitFor('it is closed', () => !open())
})

// Seen failing when the last persona came first.
test('opens one gateway per token: the second persona is told who uses it, and takes over when the first is removed', async () => {
  const first = await createPaired({ name: 'Ida' })
  const second = await setup.born({ name: 'Eva', telegram_token: first.bot })
  const personaPath = `/api/persona/${second}`
  const channels = async () => (await get(`${personaPath}/diagnose`))[1].channels
  const trouble = await waitFor('her trouble', async () => (await channels())[0]?.reason ?? false)
  assert.is(trouble, 'this bot is already used by Ida')
  assert.is((await channels())[0].state, 'failing')
  assert.is(telegram.getOpened().filter((token) => token === first.bot).length, 1)
  await first.write('hello Ida')
  await waitForAnswer(first.chat, 'You said: hello Ida')
  assert.equal((await get(`${personaPath}/conversation`))[1].messages, [])

  await post(`${first.at}/stop`)
  await waitFor('it is hers', async () => (await channels())[0].reason === null)
  const messagesBefore = telegram.getTextsTo(first.chat).length
  await telegram.write(first.bot, first.chat, 'hello Eva')
  await waitFor('a code of the other', () => telegram.getTextsTo(first.chat).length > messagesBefore)
  assert.match(telegram.getTextsTo(first.chat).at(-1) ?? '', /^[0-9A-Z]{8}$/m)
})

test('shows troubles on the page, and removes them after recovery', async () => {
  const { id, at, bot } = await createPaired()
  const state = async () => (await get(`${at}/diagnose`))[1].channels[0]
  telegram.listener(bot).onTrouble(`The token ${bot} was revoked.`)
  await waitFor('the trouble', async () => (await state()).reason === 'The token *** was revoked.')
  assert.equal((await view(id)).channels[0].verified, true)
  telegram.listener(bot).onRecovery()
  await waitFor('the recovery', async () => (await state()).state === 'well')
  assert.not((await setup.facts(id)).join('\n').includes(bot))
  assert.not(lines.join('\n').includes(bot))
})

test('messages for a removed channel are not sent', async () => {
  const { at, chat, write } = await createPaired()
  telegram.onSend = (target) => {
    if (target === chat) throw new SendError('Not now.', { lasting: false, wait: 60_000 })
  }
  await write('too late')
  await waitFor('that it waits', async () => (await deliveries(at))[0]?.[1].state === 'waiting')
  const { status } = await setup.send({ method: 'DELETE', path: `${at}/channels/${chat}` })
  assert.is(status, 200)
  await waitFor('that it failed', async () => (await deliveries(at))[0]?.[1].state === 'failed')
  assert.is((await deliveries(at))[0][1].reason, 'The channel was removed before this could be sent.')
})

test('notify sends the same text to the page and to every paired chat', async () => {
  const { id, at, chat } = await createPaired()
  setup.models.calls.push({ name: 'notify', input: { text: 'The kettle boils.' } })
  await post(`${at}/read?wait=20`, { message: 'tell me everywhere' })
  await waitForAnswer(chat, 'The kettle boils.')
  const replies = (await messages(at)).filter(
    ({ content }: { content: string }) => content === 'The kettle boils.',
  )
  assert.equal(
    replies.map(({ channel }: { channel: object }) => channel),
    [
      { type: 'web', name: id },
      { type: 'telegram', name: chat },
    ],
  )
})

test.run()
