/**
 * Between two changes of the prompt's base, each request to the model repeats the previous one and only adds
 * messages. Random lives with tools, approvals, edits, other answers, hidden messages, failures, a second
 * channel, pauses, crashes, and more statements than the system prompt has room for.
 */
import { rm } from 'node:fs/promises'
import pLimit from 'p-limit'
import { test } from 'uvu'
import { ok } from 'uvu/assert'
import * as z from 'zod'
import type { PersonaEvent } from '../../facts/facts.ts'
import { MindError, type Prompt } from '../../packages/models/mind.ts'
import { defineTool, type Tool } from '../../src/mind/tools/tool.ts'
import { allTools } from '../../src/mind/tools/tool-table.ts'
import type { Command } from '../../src/persona/rules/decide.ts'
import type { AmendMemory } from '../../src/persona/rules/memory.ts'
import { calls, createWordParts, filterFacts, openStage, type Script, type Stage } from '../agents/stage.ts'
import { createFakeClock } from '../clock.ts'
import { toParts } from '../message-parts.ts'
import { scaleSize } from '../ordeal.ts'
import { type Chance, chanceFrom, getSeed } from '../random.ts'

const lifeCount = scaleSize(500, 50)
const actionsPerLife = 12
/** Most of the time of a life is waiting for the disk. */
const parallelLives = 4

/** A tool of a server, which the user has to approve. */
const send: Tool = {
  ...defineTool({
    name: 'post__send',
    description: 'Send a letter.',
    input: z.object({ to: z.string() }),
    acts: true,
    run: ({ to }) => ({
      ok: true,
      output: { origin: { server: 'post', tool: 'send' }, text: `sent to ${to}` },
    }),
  }),
  permission: { server: 'post', tool: 'send', definition: '1'.repeat(64) },
}
const servers: Command = {
  type: 'SetToolServers',
  servers: [{ name: 'post', server: { transport: 'stdio', command: 'post', args: [], cwd: null, env: [] } }],
}

/** What a prompt cache compares: tools, system prompt, messages. */
const toText = ({ tools, system, messages }: Prompt): string =>
  JSON.stringify([tools, system, ...messages]).slice(0, -1)

/** Facts after which the prompt may begin anew. */
const renewing: ReadonlySet<PersonaEvent['type']> = new Set<PersonaEvent['type']>([
  'SleepEnded',
  'OrganReplaced',
  'CharacterSet',
  'LineUnmarked',
  'MemoryForgotten',
  'MemoryPinned',
  'MessagesHidden',
  'MessagesShown',
])

/** A mind that answers by the words of the newest message, so that a repeated call has the same answer. */
const createScript = (chance: Chance, failedPrompts: Set<Prompt>): Script =>
  function* (prompt) {
    const last = prompt.messages.at(-1)
    const text = String(last?.content)
    if (last?.role === 'tool') return yield* createWordParts(`I did that. ${text.slice(0, 20)}`)
    if (text.includes('fail') && chance.next() < 0.5) {
      failedPrompts.add(prompt)
      throw new MindError('unreachable', 'It is away.')
    }
    if (text.includes('remember'))
      return yield* calls(
        'remember',
        { op: 'keep', document: 'person', text: `They said ${text.slice(-12)}` },
        'Noted.',
      )
    if (text.includes('plan'))
      return yield* calls('plan', { kind: 'reminder', in_minutes: 30, content: text.slice(-12) })
    if (text.includes('recall')) return yield* calls('recall', { query: text.slice(-12) })
    if (text.includes('send')) return yield* calls('post__send', { to: text.slice(-6) })
    yield* createWordParts(`You said: ${text.slice(-40)}`)
  }

const words = ['hello', 'remember', 'plan', 'recall', 'send', 'fail', 'garden'] as const

interface Life {
  readonly stage: Stage & { readonly home: string }
  readonly chance: Chance
  readonly restart: () => Promise<void>
}

const hear = ({ stage, chance }: Life, channel: 'web' | 'telegram', count: number) => {
  const content = `${chance.pick(words)} number ${count} ${'word '.repeat(chance.pickBetween(0, 30))}`
  return channel === 'web'
    ? stage.hear(content)
    : stage.execute({
        type: 'Hear',
        channel: { type: 'telegram', name: 'bot/1' },
        parts: toParts(content),
        media: null,
        key: null,
      })
}

/** The entries are attached to messages that contain a word of the talk. */
const setCharacter = ({ stage, chance }: Life, count: number) =>
  stage.execute({
    type: 'SetCharacter',
    text: `You are number ${count}.`,
    lore: [
      { keys: [chance.pick(words)], text: `An entry of character ${count}.` },
      { keys: ['word'], text: 'Words have an entry, too.' },
    ],
    card: chance.pick([null, 'Vera']),
  })

const editMemory = async ({ stage }: Life, count: number, document: 'person' | 'self' = 'person') =>
  stage.execute({
    type: 'KeepMemory',
    id: `edit${count}`,
    document,
    text: `A statement that the user wrote, number ${count}.`,
    sources: [],
    origin: 'person',
  })

/** Some topics are in words of messages. */
const topics = ['remember', 'garden', 'boat', 'number'] as const

/** More than the system prompt has room for. In one commit, because each one is synced. */
const learn = ({ stage, chance }: Pick<Life, 'stage' | 'chance'>) =>
  stage.execute({
    type: 'Consolidate',
    life: 1,
    after: 0,
    upTo: 1,
    lessons: Array.from({ length: 24 }, (_, n) => ({
      type: 'KeepMemory',
      id: `old${n}`,
      document: 'person',
      text: `They said about ${chance.pick(topics)}: ${`thing-${n} `.repeat(chance.pickBetween(24, 30))}`,
      sources: [],
      origin: 'person',
    })),
    carry: null,
    summary: null,
    borrowed: [],
    calls: [],
  })

const settleApprovals = async ({ stage, chance }: Life) => {
  const facts = await stage.facts()
  const settledSeqs = new Set(filterFacts(facts, 'ApprovalSettled').map(({ approval }) => approval))
  for (const [n, event] of facts.entries())
    if (event.type === 'ApprovalAsked' && !settledSeqs.has(n + 1))
      await stage
        .execute({
          type: 'SettleApproval',
          approval: n + 1,
          decision: chance.pick(['once', 'no']),
          channel: null,
          described: null,
        })
        .catch(() => undefined)
}

/** Another answer to the last exchange, or the rest of it. */
const askAnswer = async ({ stage, chance }: Life) => {
  const facts = await stage.facts()
  const turn = facts.findLastIndex((event) => event.type === 'TurnBegan') + 1
  const turnBegan = facts[turn - 1]
  if (turnBegan?.type !== 'TurnBegan') return
  const { channel, stimuli } = turnBegan
  const spoken = facts.flatMap((event, n) =>
    event.type === 'MessageSpoken' && event.turn === turn ? { seq: n + 1, turn, answer: turn } : [],
  )
  const exchange = { channel, after: stimuli.after, upTo: stimuli.upTo, spoken }
  const mode = chance.pick(['again', 'continue'] as const)
  await stage.execute({ type: 'AskAnswer', turn, mode, exchange }).catch(() => undefined)
}

/** Hides a message, or shows it again. */
const hideMessage = async ({ stage, chance }: Life) => {
  const facts = await stage.facts()
  const seqs = facts.flatMap(({ type }, n) =>
    type === 'MessageHeard' || type === 'MessageSpoken' ? n + 1 : [],
  )
  const [first, ...others] = seqs
  if (first === undefined) return
  const message = chance.pick([first, ...others])
  const event = facts[message - 1]
  const of =
    event?.type === 'MessageHeard'
      ? { inbox: event.channel }
      : { turn: event?.type === 'MessageSpoken' ? event.turn : null }
  const hidden = chance.next() < 0.7
  await stage.execute({ type: 'HideMessage', message, of, hidden }).catch(() => undefined)
}

const markLine = async ({ stage, chance }: Life) => {
  const facts = await stage.facts()
  const seqs = facts.flatMap(({ type }, n) => (type === 'MessageSpoken' ? n + 1 : []))
  const [first, ...others] = seqs
  if (first === undefined) return
  const message = chance.pick([first, ...others])
  await stage.execute({ type: 'MarkLine', message, marked: chance.next() < 0.8 }).catch(() => undefined)
}

const amend = async ({ stage, chance }: Life, change: Partial<AmendMemory>) =>
  stage
    .execute({
      type: 'AmendMemory',
      id: `old${chance.pickBetween(0, 24)}`,
      text: null,
      forgotten: null,
      ...change,
    })
    .catch(() => undefined)

const usualActions = [
  ...(['hear', 'hear', 'hear', 'two', 'other', 'edit', 'self'] as const),
  ...(['character', 'approve', 'pause', 'restart', 'night', 'answer'] as const),
] as const
const rareActions = ['revise', 'forget', 'pin', 'hide', 'mark'] as const
type Action = (typeof usualActions)[number] | (typeof rareActions)[number]
const allActions: readonly Action[] = [...new Set([...usualActions, ...rareActions])]

const chooseAction = (chance: Chance): Action =>
  chance.pick([...usualActions, ...(chance.next() < 0.2 ? rareActions : [])])

const act = async (life: Life, action: Action, count: number): Promise<void> => {
  const { stage, chance } = life
  switch (action) {
    case 'hear':
      await hear(life, 'web', count)
      break
    case 'two':
      await Promise.all([hear(life, 'web', count), hear(life, 'telegram', count)])
      break
    case 'other':
      await hear(life, 'telegram', count)
      break
    case 'edit':
      await editMemory(life, count)
      break
    case 'revise':
      await amend(life, { text: `Another text about ${chance.pick(topics)}, number ${count}.` })
      break
    case 'forget':
      await amend(life, { forgotten: true })
      break
    case 'pin':
      await amend(life, { pinned: chance.next() < 0.5 })
      break
    case 'self':
      await editMemory(life, count, 'self')
      break
    case 'answer':
      await askAnswer(life)
      break
    case 'hide':
      await hideMessage(life)
      break
    case 'mark':
      await markLine(life)
      break
    case 'character':
      await setCharacter(life, count)
      break
    case 'approve':
      await settleApprovals(life)
      break
    case 'pause':
      stage.clock.leap(chance.pickBetween(1, 300) * 60_000)
      break
    case 'restart':
      await life.restart()
      break
    case 'night':
      // It may wait for the model, whose pauses need the clock.
      void stage.agents.sleep('ada').catch(() => undefined)
      break
  }
}

/** Resolves when no fact was added for a moment. */
const settle = async (stage: Stage): Promise<void> => {
  for (let stableRounds = 0, count = -1; stableRounds < 3; ) {
    await stage.clock.advance(2000)
    await stage.quiet()
    const { length } = await stage.facts()
    stableRounds = length === count ? stableRounds + 1 : 0
    count = length
  }
}

/** Fails with both texts from the first difference on. */
const checkPrefix = (previousPrompt: Prompt, prompt: Prompt): void => {
  const [earlier, later] = [previousPrompt, prompt].map(toText) as [string, string]
  let offset = 0
  while (offset < earlier.length && earlier[offset] === later[offset]) offset++
  ok(
    offset === earlier.length,
    `the next request differs at ${offset} of ${earlier.length}:\n${earlier.slice(offset - 80, offset + 200)}\n${later.slice(offset - 80, offset + 200)}`,
  )
}

test('only adds messages to a request until its base changes', async () => {
  const seed = getSeed('append-only requests')
  console.log(`\n· append-only requests | SEED=${seed}`)
  let comparedCount = 0
  let attachedCount = 0
  const liveOnce = async (n: number): Promise<void> => {
    const chance = chanceFrom(seed + n)
    const clock = createFakeClock()
    // No cache has them.
    const failedPrompts = new Set<Prompt>()
    const options = {
      script: createScript(chance, failedPrompts),
      clock,
      tools: allTools,
      outside: async () => [send],
      contextWindow: 8192,
    }
    let stage = await openStage(options)
    let earlier: Prompt | null = null
    let seenCount = 0
    let isRenewed = false
    let window: number | undefined
    const compare = async () => {
      let all: readonly PersonaEvent[]
      let promptLength: number
      // The facts before the last prompt must be among them.
      do {
        promptLength = stage.prompts.length
        all = await stage.facts()
      } while (stage.prompts.length > promptLength)
      const facts = all.slice(seenCount)
      seenCount += facts.length
      attachedCount += filterFacts(facts, 'TurnBegan').filter(({ known }) => known !== undefined).length
      const windows = filterFacts(facts, 'TurnBegan').flatMap((turnBegan) => turnBegan.window ?? [])
      isRenewed ||=
        facts.some(({ type }) => renewing.has(type)) ||
        windows.some((first) => window !== undefined && first !== window)
      window = windows.at(-1) ?? window
      const prompts = stage.prompts
        .splice(0)
        .filter((prompt) => prompt.tools.length > 0 && !failedPrompts.has(prompt))
      for (const prompt of prompts) {
        if (earlier && !isRenewed) {
          checkPrefix(earlier, prompt)
          comparedCount++
        }
        earlier = prompt
      }
      // A night that gave way to a message ends after its turn began: the next prompt has another base.
      const lastRenewal = facts.findLastIndex(({ type }) => renewing.has(type))
      if (prompts.length > 0)
        isRenewed = lastRenewal > facts.findLastIndex(({ type }) => type === 'TurnBegan')
    }
    const restart = async () => {
      await compare()
      const home = await stage.crashed()
      await stage.close()
      stage = await openStage({ ...options, home })
    }
    try {
      await stage.execute(servers)
      if (n % 3 === 0) {
        await learn({ stage, chance })
        // The user's pin renews the system prompt.
        await stage.execute({ type: 'AmendMemory', id: 'old0', text: null, forgotten: null, pinned: true })
      }
      for (let count = 0; count < actionsPerLife; count++) {
        // Two fixed actions in the middle of each life: few lives contain every action, too.
        const fixedAction = allActions[(2 * n + count) % allActions.length]
        const action = count === 5 || count === 8 ? fixedAction : undefined
        await act({ stage, chance, restart }, action ?? chooseAction(chance), count)
        await settle(stage)
        await compare()
      }
    } finally {
      await stage.close()
      await rm(stage.home, { recursive: true, force: true })
    }
  }
  const limit = pLimit(parallelLives)
  await Promise.all(Array.from({ length: lifeCount }, (_, n) => limit(() => liveOnce(n))))
  ok(comparedCount > lifeCount, `compared only ${comparedCount} requests`)
  ok(attachedCount > lifeCount / 10, `only ${attachedCount} messages show statements`)
})

test.run()
