/**
 * The complete path from a user on Telegram, Discord or Matrix to the persona and back, over the platforms'
 * own protocols.
 */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../calls.ts'
import { type Setup, shareSetup } from '../contract/setup.ts'
import { createDiscordStandIn } from '../stand-ins/discord.ts'
import { createMatrixStandIn } from '../stand-ins/matrix.ts'
import { createTelegramStandIn } from '../stand-ins/telegram.ts'
import { codeIn } from './platform.ts'

const telegram = await createTelegramStandIn()
const discord = await createDiscordStandIn()
const matrix = await createMatrixStandIn()
const lines: string[] = []
const env = {
  TELEGRAM_API_BASE_URL: telegram.url,
  DISCORD_API_BASE_URL: discord.url,
  DAIMON_LOG_LEVEL: 'trace',
}
const setup = shareSetup(test, { env, logTo: (line) => lines.push(line) })
test.after(async () => {
  await telegram.close()
  await discord.close()
  await matrix.close()
})

interface ChannelEnd {
  readonly type: 'telegram' | 'discord' | 'matrix'
  readonly token: string
  readonly chat: string
  readonly homeserver?: string
  listens(): boolean
  write(text: string): unknown
  getTexts(): readonly string[]
}

const talks = async (
  { post, get }: Setup,
  { type, token, chat, homeserver, listens, write, getTexts }: ChannelEnd,
) => {
  const id = await setup.born()
  const personaPath = `/api/persona/${id}`
  assert.equal(
    await post(`${personaPath}/channels`, {
      kind: type,
      credentials: { token, ...(homeserver && { homeserver }) },
    }),
    [200, { kind: type }],
  )
  await waitFor('the gateway', () => lines.some((line) => line.includes('is open') && line.includes(type)))
  await waitFor('the bot to be polled', listens)
  write('hello?')
  const code = await waitFor('a code', () => getTexts().map(codeIn).find(Boolean))
  const [status, { channel }] = await post(`${personaPath}/pair`, { code })
  assert.is(status, 200)
  assert.equal([channel.type, channel.name, channel.credentials.token], [type, chat, token])
  write('good morning')
  await waitFor('the answer', () => getTexts().some((text) => text.includes('You said: good morning')))
  const { messages } = await waitFor('the delivery', async () => {
    const [, conversation] = await get(`${personaPath}/conversation`)
    return conversation.messages.at(-1)?.delivery?.state === 'sent' && conversation
  })
  assert.equal(
    messages.map(({ content, channel }: { content: string; channel: object }) => [content, channel]),
    [
      ['good morning', { type, name: chat }],
      ['You said: good morning', { type, name: chat }],
    ],
  )
  const facts = await setup.facts(id)
  for (const text of [...facts, ...lines])
    assert.not.ok(text.includes(token) || text.includes(code ?? ''), text)
  assert.is((await post(`${personaPath}/delete`))[0], 200)
}

test('a persona answers on Telegram', () =>
  talks(setup, {
    type: 'telegram',
    token: telegram.token,
    chat: '99',
    listens: () => telegram.polling() > 0,
    write: (text) => telegram.write({ text }),
    getTexts: () => telegram.sentMessages.map(({ text }) => text),
  }))

test('a persona answers on Discord', async () => {
  const chat = '1190000000000099999'
  discord.addChannel(chat, 'direct')
  await talks(setup, {
    type: 'discord',
    token: discord.token,
    chat,
    listens: () => discord.gateway.some(({ op }) => op === 'identify'),
    write: (content) => discord.write(chat, { content }),
    getTexts: () => discord.posts.map(({ body }) => String(body.content ?? '')),
  })
})

test('a persona answers on Matrix', async () => {
  const ada = matrix.register('ada')
  const nelly = matrix.register('nelly')
  const chat = nelly.createRoom({ is_direct: true, invite: [ada.id] })
  const isIn = () => matrix.server.membership(matrix.server.findRoom(chat), ada.id) === 'join'
  await talks(setup, {
    type: 'matrix',
    token: matrix.createToken(ada.id),
    chat,
    homeserver: matrix.url,
    listens: isIn,
    write: (text) => nelly.send(chat, text),
    getTexts: () => matrix.sentBy(ada.id, chat).map(({ content }) => String(content.body ?? '')),
  })
})

test.run()
