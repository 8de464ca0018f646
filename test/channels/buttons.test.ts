/** Approval questions with buttons in a chat, over the platforms' own protocols. */
import { rm } from 'node:fs/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import { defineTool, type Tool } from '../../src/mind/tools/tool.ts'
import { call, waitFor } from '../calls.ts'
import { createFakeClock, type FakeClock } from '../clock.ts'
import { startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { standIn } from '../http/stand-in.ts'
import { createDiscordStandIn } from '../stand-ins/discord.ts'
import { createTelegramStandIn } from '../stand-ins/telegram.ts'
import { codeIn } from './platform.ts'

const minute = 60_000
const hour = 3_600_000
const room = '1190000000000099999'
const lateText = 'This question is closed'
/** SUPPRESS_EMBEDS of Discord's message flags. */
const withoutEmbeds = 1 << 2

type Ends = (() => unknown)[]
const test = suite<{ ends: Ends }>('buttons', { ends: [] })
test.after.each(async ({ ends }) => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A daemon that can be restarted, and a tool that counts its calls. */
const stage = async (ends: Ends, { clock }: { readonly clock?: FakeClock } = {}) => {
  const telegram = await createTelegramStandIn()
  const discord = await createDiscordStandIn()
  const home = await tempHome()
  const models = standIn()
  const inputs: unknown[] = []
  const lines: string[] = []
  const sendTool: Tool = {
    ...defineTool({
      name: 'post__send',
      description: 'Send a letter.',
      input: z.object({ to: z.string(), api_key: z.string().optional() }),
      acts: true,
      run: ({ to }) => {
        inputs.push(to)
        return { ok: true, output: { sent: to } }
      },
    }),
    permission: { server: 'post', tool: 'send', definition: '1'.repeat(64) },
  }
  const env = {
    TELEGRAM_API_BASE_URL: telegram.url,
    DISCORD_API_BASE_URL: discord.url,
    DAIMON_LOG_LEVEL: 'trace',
  }
  let daemon: TestDaemon
  const start = async () => {
    daemon = await startDaemon({
      home,
      env,
      models,
      random: () => 0,
      tools: [sendTool],
      ...(clock && { clock }),
      logTo: (line) => lines.push(line),
    })
  }
  await start()
  const ask = async (method: 'GET' | 'POST', path: string, body?: object) =>
    (await call(daemon.url, method, path, body)).body
  const { persona } = await ask('POST', '/api/persona/create', { name: 'Ada', thinking_model: 'llama' })
  const personaPath = `/api/persona/${persona.id}`
  ends.push(
    telegram.close,
    discord.close,
    () => rm(home, { recursive: true, force: true }),
    () => daemon.close(),
  )
  const pair = async (
    kind: 'telegram' | 'discord',
    write: () => unknown,
    getTexts: () => readonly string[],
  ) => {
    const { token } = kind === 'telegram' ? telegram : discord
    await ask('POST', `${personaPath}/channels`, { kind, credentials: { token } })
    await waitFor('somebody to listen', () =>
      kind === 'telegram' ? telegram.polling() > 0 : discord.gateway.some(({ op }) => op === 'identify'),
    )
    write()
    const code = await waitFor('a code', () => getTexts().map(codeIn).find(Boolean))
    assert.is((await call(daemon.url, 'POST', `${personaPath}/pair`, { code })).status, 200)
    await waitFor('the greeting', () => getTexts().length === 2)
  }
  return {
    telegram,
    discord,
    models,
    used: inputs,
    lines,
    at: personaPath,
    ask,
    start,
    end: () => daemon.close(),
    onTelegram: () =>
      pair(
        'telegram',
        () => telegram.write({ text: 'hello?' }),
        () => telegram.sentMessages.map(({ text }) => text),
      ),
    onDiscord: () => {
      discord.addChannel(room, 'direct')
      const getTexts = () => discord.posts.map(({ body }) => String(body.content ?? ''))
      return pair('discord', () => discord.write(room, { content: 'hello?' }), getTexts)
    },
    /** The next answer of the model uses the tool. */
    wants: (input: object) => void models.calls.push({ name: 'post__send', input }),
    approvals: async (): Promise<readonly { id: number }[]> =>
      (await ask('GET', `${personaPath}/approvals`)).approvals,
    /** The decisions in the journal, each with its channel. */
    decisions: async () => {
      const response = await fetch(`${daemon.url}${personaPath}/journal?type=ApprovalSettled`)
      return (await response.text())
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .flatMap(({ payload, fact, event }) => {
          const { decision, channel } = payload ?? fact ?? event ?? {}
          return decision ? [[decision, channel?.type ?? null]] : []
        })
    },
  }
}
type Stage = Awaited<ReturnType<typeof stage>>

/** The question with buttons on Telegram: its message id and the data of each button. */
const questionOn = ({ telegram }: Stage, n = 0) =>
  waitFor('a question', () => {
    const [id, message] =
      [...telegram.shownMessages].filter(([, { text }]) => text.startsWith('May I use'))[n] ?? []
    return id !== undefined && message ? { id, ...message } : undefined
  })
const data = (approval: number | undefined, decision: string) => `a:${approval}:${decision}`

test('a chat turn asks in the chat with buttons; a press is stored before it is answered, and the turn continues', async ({
  ends,
}) => {
  const talkStage = await stage(ends)
  const { telegram, used, at, ask } = talkStage
  await talkStage.onTelegram()
  talkStage.wants({ to: 'Ines', api_key: 'sk-marked-secret' })
  telegram.write({ text: 'send it' })
  const { id, text, buttons } = await questionOn(talkStage)
  const [approval] = await talkStage.approvals()
  assert.equal(
    buttons,
    ['once', 'always', 'no'].map((decision) => data(approval?.id, decision)),
  )
  assert.match(text, 'May I use send of post')
  assert.match(text, '"to": "Ines"')
  assert.match(text, 'After a day it counts as no.')
  assert.not(text.includes('sk-marked-secret'))
  assert.equal(used, [])

  telegram.press({ message: id, data: data(approval?.id, 'once') })
  await waitFor('its use', () => used.length === 1)
  await waitFor('the result below it', () =>
    telegram.shownMessages.get(id)?.text.endsWith('You allowed this once.'),
  )
  await waitFor('the sign', () => telegram.answers.length === 1)
  assert.equal(telegram.shownMessages.get(id)?.buttons, [])
  assert.equal(telegram.answers, ['You allowed this once.'])
  assert.equal(used, ['Ines'])
  assert.equal(await talkStage.decisions(), [['once', 'telegram']])
  const { messages } = await ask('GET', `${at}/conversation`)
  const question = messages.find(({ content }: { content: string }) => content.startsWith('May I use'))
  assert.is(question.turn, null)
})

// Seen failing when the text was cut at 300 characters.
test('shows a long argument completely in several messages, with the buttons below the last', async ({
  ends,
}) => {
  const talkStage = await stage(ends)
  const { discord, used } = talkStage
  await talkStage.onDiscord()
  const link = `https://a.example/?${Array.from({ length: 700 }, (_, n) => n).join('-')}`
  const countBefore = discord.posts.length
  talkStage.wants({ to: link })
  discord.write(room, { content: 'send it' })
  const last = await waitFor('the buttons', () =>
    discord.posts.find(({ body }) => body.components?.length > 0),
  )
  const parts = discord.posts.slice(countBefore)
  assert.ok(parts.length > 1)
  assert.is(last, parts.at(-1))
  const shownText = parts.map(({ body }) => body.content.replaceAll(/\n?```(?:json\n)?/g, '')).join('')
  assert.ok(shownText.includes(link))
  assert.ok(parts.every(({ body }) => body.flags === withoutEmbeds))
  const [approval] = await talkStage.approvals()
  discord.press({ channel: room, message: last.id, data: data(approval?.id, 'once') })
  await waitFor('its use', () => used.length === 1)
})

test('asks on Discord with its own buttons, and acknowledges a press within three seconds', async ({
  ends,
}) => {
  const talkStage = await stage(ends)
  const { discord, used } = talkStage
  await talkStage.onDiscord()
  talkStage.wants({ to: 'Ines' })
  discord.write(room, { content: 'send it' })
  const question = await waitFor('a question', () =>
    discord.posts.find(({ body }) => String(body.content).startsWith('May I use')),
  )
  const [approval] = await talkStage.approvals()
  assert.equal(
    question.body.components[0].components.map(({ label, custom_id }: Record<string, string>) => [
      label,
      custom_id,
    ]),
    [
      ['Yes, once', data(approval?.id, 'once')],
      ['Always', data(approval?.id, 'always')],
      ['No', data(approval?.id, 'no')],
    ],
  )
  discord.press({ channel: room, message: question.id, data: data(approval?.id, 'no') })
  const getQuestion = () => discord.getMessage(room, question.id)
  await waitFor('the result below it', () => getQuestion().content.endsWith('You did not allow this.'))
  assert.equal(getQuestion().components, [])
  assert.is(getQuestion().flags, withoutEmbeds)
  assert.equal(discord.interacted, [{ recipient: 'callback', body: { type: 6 } }])
  assert.equal(used, [])
  assert.equal(await talkStage.decisions(), [['no', 'discord']])

  discord.press({ channel: room, message: question.id, data: data(approval?.id, 'once') })
  const whispered = await waitFor('a word on the second press', () =>
    discord.interacted.find(({ recipient }) => recipient === 'whisper'),
  )
  assert.match(whispered.body.content, lateText)
  assert.is(whispered.body.flags, 64 | withoutEmbeds)
  assert.ok(getQuestion().content.endsWith('You did not allow this.'))
  assert.not(talkStage.lines.some((line) => line.includes('aW50ZXJhY3Rpb24')))
})

// Seen failing when settled questions kept their buttons.
test('a turn on the page asks in every paired chat, and a decision in one removes the buttons in the others', async ({
  ends,
}) => {
  const talkStage = await stage(ends)
  const { telegram, discord, used, at, ask } = talkStage
  await talkStage.onTelegram()
  await talkStage.onDiscord()
  talkStage.wants({ to: 'Ines' })
  // Keeps the turn open while the request waits.
  await ask('POST', `${at}/read?wait=1`, { message: 'send it' })
  const { id } = await questionOn(talkStage)
  const questionMessage = await waitFor('a question', () =>
    discord.posts.find(({ body }) => String(body.content).startsWith('May I use')),
  )
  const [approval] = await talkStage.approvals()
  discord.press({ channel: room, message: questionMessage.id, data: data(approval?.id, 'once') })
  await waitFor('its use', () => used.length === 1)
  await waitFor('no buttons there', () => telegram.shownMessages.get(id)?.buttons.length === 0)

  talkStage.wants({ to: 'Otto' })
  await ask('POST', `${at}/read?wait=1`, { message: 'send another' })
  const second = await questionOn(talkStage, 1)
  const [open] = await talkStage.approvals()
  await ask('POST', `${at}/approvals/${open?.id}`, { decision: 'no' })
  await waitFor('no buttons there', () => telegram.shownMessages.get(second.id)?.buttons.length === 0)
  assert.equal(used, ['Ines'])
})

// Seen failing without the check of the paired chat, and when a question of another chat could be settled.
test('a press by a stranger, a forged, repeated or foreign press decides nothing', async ({ ends }) => {
  const talkStage = await stage(ends)
  const { telegram, discord, used } = talkStage
  await talkStage.onTelegram()
  await talkStage.onDiscord()
  const waitUntilTaken = () => waitFor('all presses to be taken', () => telegram.getPending().length === 0)

  talkStage.wants({ to: 'Ines' })
  discord.write(room, { content: 'send it' })
  await waitFor('a question', () =>
    discord.posts.some(({ body }) => String(body.content).startsWith('May I use')),
  )
  const [elsewhere] = await talkStage.approvals()
  telegram.press({ message: 1, data: data(elsewhere?.id, 'once') })
  await waitFor('a word', () => telegram.answers.length === 1)
  assert.match(telegram.answers[0] ?? '', lateText)

  talkStage.wants({ to: 'Otto' })
  telegram.write({ text: 'send it' })
  const { id } = await questionOn(talkStage)
  const approval = (await talkStage.approvals()).find((item) => item.id !== elsewhere?.id)
  telegram.press({ message: id, data: data(approval?.id, 'once'), chat: 666 })
  await waitFor('a sign', () => telegram.answers.length === 2)
  assert.is(telegram.answers[1], null)
  const forged = [
    'a:1:once',
    'a:999999:once',
    data(approval?.id, 'expired'),
    data(approval?.id, 'constructor'),
    'x',
  ]
  for (const wrong of [...forged, `a:${approval?.id}:once; a`, `a:0${approval?.id}:once`])
    telegram.press({ message: 1, data: wrong })
  await waitUntilTaken()
  await waitFor('a word on each', () => telegram.answers.length === 9)
  assert.ok(telegram.answers.slice(2).every((text) => text?.startsWith(lateText)))
  assert.equal(used, [])
  assert.is((await talkStage.approvals()).length, 2)
  assert.is(telegram.shownMessages.get(id)?.buttons.length, 3)

  telegram.press({ message: id, data: data(approval?.id, 'once') })
  telegram.press({ message: id, data: data(approval?.id, 'no') })
  await waitFor('a word on both', () => telegram.answers.length === 11)
  assert.equal(
    telegram.answers.slice(9).map((text) => text?.startsWith(lateText)),
    [false, true],
  )
  await waitFor('its use', () => used.length === 1)
  assert.equal(await talkStage.decisions(), [['once', 'telegram']])
})

test('a press counts after a restart, also if it was made while the daemon was down', async ({ ends }) => {
  const talkStage = await stage(ends)
  const { telegram, used } = talkStage
  await talkStage.onTelegram()
  for (const [n, meanwhile] of [false, true].entries()) {
    talkStage.wants({ to: `Ines ${n}` })
    telegram.write({ text: 'send it' })
    const { id } = await questionOn(talkStage, n)
    const [approval] = await talkStage.approvals()
    await talkStage.end()
    if (meanwhile) telegram.press({ message: id, data: data(approval?.id, 'once') })
    await talkStage.start()
    if (!meanwhile) telegram.press({ message: id, data: data(approval?.id, 'once') })
    await waitFor('its use', () => used.length === n + 1)
    await waitFor('the result below it', () => telegram.shownMessages.get(id)?.buttons.length === 0)
  }
  assert.equal(used, ['Ines 0', 'Ines 1'])
})

test('after a day the buttons are removed, and a later press is answered as too late', async ({ ends }) => {
  const clock = createFakeClock()
  const talkStage = await stage(ends, { clock })
  const { telegram, used } = talkStage
  await talkStage.onTelegram()
  talkStage.wants({ to: 'Ines' })
  telegram.write({ text: 'send it' })
  const { id } = await questionOn(talkStage)
  const [approval] = await talkStage.approvals()
  clock.leap(25 * hour)
  await clock.advance(minute)
  await waitFor('its end', async () => (await talkStage.approvals()).length === 0)
  await waitFor('no buttons', () => telegram.shownMessages.get(id)?.buttons.length === 0)
  telegram.press({ message: id, data: data(approval?.id, 'once') })
  await waitFor('a word', () => telegram.answers.length === 1)
  assert.match(telegram.answers[0] ?? '', lateText)
  assert.equal(used, [])
  assert.equal(await talkStage.decisions(), [['expired', null]])
})

// Seen failing when a question was sent without checking its approval.
test('a question that is settled before it could be sent is not sent', async ({ ends }) => {
  const clock = createFakeClock()
  const talkStage = await stage(ends, { clock })
  const { telegram, at, ask } = talkStage
  await talkStage.onTelegram()
  telegram.fail('sendMessage', { code: 500, description: 'Internal Server Error' }, 1)
  talkStage.wants({ to: 'Ines' })
  telegram.write({ text: 'send it' })
  const [approval] = await waitFor('a question', async () => {
    const open = await talkStage.approvals()
    return open.length > 0 && open
  })
  await waitFor('an attempt', () => telegram.calls('sendMessage') === 3)
  await ask('POST', `${at}/approvals/${approval?.id}`, { decision: 'no' })
  const fate = async () => {
    await clock.advance(1000)
    const { messages } = await ask('GET', `${at}/conversation`)
    return messages.find(({ content }: { content: string }) => content.startsWith('May I use'))?.delivery
  }
  await waitFor('its fate', async () => (await fate())?.state === 'failed')
  assert.is((await fate()).reason, 'It was decided before this could be sent.')
  assert.not([...telegram.shownMessages.values()].some(({ text }) => text.startsWith('May I use')))
})

test.run()
