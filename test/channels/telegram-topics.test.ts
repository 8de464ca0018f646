/** Everything that the daemon sends to a topic of a Telegram chat, from the pairing code on. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { MindError } from '../../packages/models/mind.ts'
import { defineTool, type Tool } from '../../src/mind/tools/tool.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { startDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { createTelegramStandIn } from '../stand-ins/telegram.ts'
import { codeIn } from './platform.ts'
import { createSetup, neverAborts, telegramSuite } from './telegram-house.ts'

const minute = 60_000
const topic = { message_thread_id: 7, is_topic_message: true }
const internalError = { code: 500, description: 'Internal Server Error' }

const test = suite<{ ends: (() => unknown)[] }>('telegram topics', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A daemon with an unpaired persona, and a tool that needs the user's approval. */
const unpaired = async (ends: (() => unknown)[]) => {
  const telegram = await createTelegramStandIn()
  const home = await tempHome()
  const models = standIn()
  const clock = createFakeClock()
  const sendTool: Tool = {
    ...defineTool({
      name: 'post__send',
      description: 'Send a letter.',
      input: z.object({ to: z.string() }),
      acts: true,
      run: () => ({ ok: true, output: { sent: true } }),
    }),
    permission: { server: 'post', tool: 'send', definition: '1'.repeat(64) },
  }
  const env = { TELEGRAM_API_BASE_URL: telegram.url }
  const daemon = await startDaemon({ home, models, clock, env, random: () => 0, tools: [sendTool] })
  ends.push(telegram.close, () => rm(home, { recursive: true, force: true }), daemon.close)
  const { body } = await call(daemon.url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'llama',
    telegram_token: telegram.token,
  })
  const personaPath = `/api/persona/${body.persona.id}`
  await waitFor('a poll', () => telegram.polling() > 0)
  const findSent = (start: string) =>
    waitFor(start, async () => {
      await clock.advance(1000)
      return telegram.sentMessages.find(({ text }) => text.startsWith(start))
    })
  return {
    telegram,
    models,
    clock,
    at: personaPath,
    sent: findSent,
    topicOf: async (start: string) => (await findSent(start)).params.message_thread_id,
    pair: async () => {
      const code = await waitFor('a code', () =>
        telegram.sentMessages.map(({ text }) => codeIn(text)).findLast(Boolean),
      )
      assert.is((await call(daemon.url, 'POST', `${personaPath}/pair`, { code })).status, 200)
    },
  }
}

// Verified to fail if the code or the greeting goes to the chat without its topic.
test('sends the pairing code and the greeting to the topic that asked for the code', async ({ ends }) => {
  const { telegram, pair, topicOf } = await unpaired(ends)
  telegram.write({ text: 'hello?', ...topic })
  assert.is(await topicOf('To talk with me here'), '7')
  await pair()
  assert.is(await topicOf('We are paired'), '7')
})

test('sends the code to the chat when it is asked for there after a topic', async ({ ends }) => {
  const { telegram, pair, topicOf } = await unpaired(ends)
  telegram.write({ text: 'hello?', ...topic })
  await topicOf('To talk with me here')
  telegram.write({ text: 'hello again?' })
  await waitFor('the second code', () => telegram.sentMessages.length === 2)
  assert.is(telegram.sentMessages[1]?.params.message_thread_id, undefined)
  await pair()
  assert.is(await topicOf('We are paired'), undefined)
})

// Verified to fail if codes for waiting chats are sent without their topic.
test('sends a code that could not be sent at first to its topic', async ({ ends }) => {
  const { telegram, clock, topicOf } = await unpaired(ends)
  telegram.fail('sendMessage', internalError)
  telegram.write({ text: 'hello?', ...topic })
  await waitFor('the failure', () => telegram.calls('sendMessage') === 1)
  await clock.advance(minute)
  assert.is(await topicOf('To talk with me here'), '7')
})

test('asks for approval and answers in the topic, also after a press', async ({ ends }) => {
  const { telegram, models, pair, sent, topicOf } = await unpaired(ends)
  telegram.write({ text: 'hello?' })
  await pair()
  models.calls.push({ name: 'post__send', input: { to: 'Ines' } })
  telegram.write({ text: 'send it', ...topic })
  assert.is((await sent('May I use')).params.message_thread_id, '7')
  const [id, shown] = [...telegram.shownMessages].find(([, { buttons }]) => buttons.length > 0) ?? []
  telegram.press({ message: id ?? 0, data: shown?.buttons[0] ?? '' })
  assert.is(await topicOf('You said:'), '7')
})

test('reports in the topic that a turn failed', async ({ ends }) => {
  const { telegram, models, pair, sent } = await unpaired(ends)
  telegram.write({ text: 'hello?' })
  await pair()
  await sent('We are paired')
  models.think = () => Promise.reject(new MindError('barred', 'The key is wrong.'))
  telegram.write({ text: 'anyone?', ...topic })
  const error = await waitFor('the error', () => telegram.sentMessages[2])
  assert.is(error.params.message_thread_id, '7')
})

test.run()

const gateway = telegramSuite('files and signs in topics')

gateway(
  'sends files and typing to the topic, and files to the chat if the topic is gone',
  async (context) => {
    const { telegram, listener, connect } = await createSetup(context)
    const home = await tempHome()
    context.open.push({ close: () => rm(home, { recursive: true, force: true }) })
    const file = async (name: string, mime: string, voice = false) => {
      const path = join(home, name)
      await writeFile(path, name.endsWith('.png') ? Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') : 'OggS')
      return { path, name, mime, caption: '', voice }
    }
    telegram.write({ text: 'hello' })
    const { sendFile, typing } = connect(listener())
    const files = [
      await file('a.png', 'image/png'),
      await file('a.ogg', 'audio/ogg', true),
      await file('a.mp3', 'audio/mpeg'),
      await file('a.pdf', 'application/pdf'),
    ]
    for (const filename of files) await sendFile('99/7', filename, 'n', neverAborts)
    assert.equal(
      telegram.sentMessages.map(({ method, params }) => [method, params.message_thread_id]),
      ['sendPhoto', 'sendVoice', 'sendAudio', 'sendDocument'].map((method) => [method, '7']),
    )
    telegram.fail('sendPhoto', { code: 400, description: 'Bad Request: message thread not found' })
    if (files[0]) await sendFile('99/7', files[0], 'n', neverAborts)
    assert.is(telegram.sentMessages.at(-1)?.params.message_thread_id, undefined)
    typing('99/7')
    const sign = await waitFor('a sign', () => telegram.log.find(({ method }) => method === 'sendChatAction'))
    assert.is(sign.params.message_thread_id, '7')
  },
)

gateway.run()
