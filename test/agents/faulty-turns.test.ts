/**
 * Unexpected errors at each step of a turn, once and permanently: the message is kept, the user gets an error
 * message, the next message is answered, and the health report names the failed work.
 */
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Sensed } from '../../packages/documents/file-kind.ts'
import type { Tool } from '../../src/mind/tools/tool.ts'
import { toWebChannel } from '../../src/web-channel.ts'
import { calls, createWordParts, filterFacts, openStage, type Script, type Stage } from './stage.ts'

const secret = 'sk-1234567890abcdef'

interface World {
  stage: Stage | null
  /** The step that fails, and how often. */
  failureReason: string | null
  failuresLeft: number
  failureCount: number
}
const test = suite<World>('faulty turns', {
  stage: null,
  failureReason: null,
  failuresLeft: 0,
  failureCount: 0,
})
test.after.each(async (world) => {
  world.failureReason = null
  await world.stage?.close()
  world.stage = null
})

const toInject = (world: World) => (step: string) => {
  if (step !== world.failureReason || world.failuresLeft <= 0) return
  world.failuresLeft -= 1
  world.failureCount += 1
  throw new TypeError(`cannot read ${secret}`)
}

/** Calls a tool, then answers. Answers `silence` with an empty text. */
const script: Script = ({ messages }) => {
  if (messages.at(-1)?.role === 'tool') return createWordParts('It is done.')
  const userTexts = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => JSON.stringify(content))
  const last = userTexts
    .join()
    .match(/silence|use the tool|hello|are you there|what is it/g)
    ?.at(-1)
  if (last === 'silence') return createWordParts('')
  return last === 'use the tool' ? calls('knock', {}) : createWordParts('Fine.')
}

const knock = (inject: (step: string) => void): Tool => ({
  spec: { name: 'knock', description: 'Knocks.', parameters: { type: 'object', properties: {} } },
  acts: true,
  lasting: false,
  run: async () => {
    inject('tool')
    return { ok: true, output: 'knocked' }
  },
})

const play = async (world: World, tools?: readonly Tool[]): Promise<Stage> => {
  const inject = toInject(world)
  Object.assign(world, { failureReason: null, failuresLeft: 0, failureCount: 0 })
  const sense = async (): Promise<Sensed> => {
    inject('sense')
    return { kind: 'binary', mime: 'application/x-thing' }
  }
  world.stage = await openStage({ script, inject, tools: tools ?? [knock(inject)], documents: { sense } })
  return world.stage
}

/** Advances the clock in steps of some seconds, at most ten minutes. */
const waitFor = async (
  stage: Stage,
  description: string,
  isDone: (facts: readonly PersonaEvent[]) => boolean,
) => {
  for (let step = 0; step < 120; step++) {
    const facts = await stage.facts()
    if (isDone(facts)) return facts
    await stage.clock.advance(step < 10 ? 1000 : 5000)
  }
  throw new Error(
    `${description} did not happen within ten minutes: ${JSON.stringify((await stage.facts()).slice(-8))}`,
  )
}
const getReplies = (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'MessageSpoken').map(({ content }) => content)
const hasEnded = (count: number) => (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'TurnEnded').length >= count

const say = (stage: Stage, content: string) =>
  content === 'a file'
    ? stage.execute({
        type: 'Hear',
        channel: toWebChannel('ada'),
        content: 'look at this',
        media: {
          filename: `${'0'.repeat(32)}.bin`,
          name: 'thing.bin',
          mime: 'a/b',
          caption: 'what is it?',
          voice: false,
          bytes: 1,
          sha256: null,
          from: 'person',
          by: null,
        },
        key: null,
      })
    : stage.hear(content)

/** By step: a message whose turn includes that step. */
const steps: Readonly<Record<string, string>> = {
  budget: 'hello',
  read: 'hello',
  zone: 'hello',
  outside: 'hello',
  keepPart: 'hello',
  prices: 'hello',
  'execute BeginTurn': 'hello',
  'execute RecordAnswer': 'hello',
  'execute RecordCall': 'use the tool',
  'execute RecordToolAnswer': 'use the tool',
  'execute RecordPerception': 'a file',
  isSound: 'a file',
  'execute EndTurn': 'silence',
}
/** Giving up a turn also needs these steps, so it succeeds only after they work again. */
const neededSteps = ['execute BeginTurn', 'execute EndTurn']

for (const [step, message] of Object.entries(steps)) {
  test(`answers although ${step} fails once`, async (world) => {
    const stage = await play(world)
    Object.assign(world, { failureReason: step, failuresLeft: 1 })
    await say(stage, message)
    const facts = await waitFor(stage, 'an end of the turn', hasEnded(1))
    is(world.failureCount, 1)
    is(filterFacts(facts, 'TurnEnded').length, 1)
    const [words = ''] = getReplies(facts).slice(-1)
    match(words, message === 'silence' ? 'gave an empty answer' : /Fine|done/)
    is(filterFacts(facts, 'MessageHeard').length, 1)
    is(stage.agents.fault('ada'), null)
  })

  test(`sends an error message and answers the next message although ${step} fails each time`, async (world) => {
    const stage = await play(world)
    Object.assign(world, { failureReason: step, failuresLeft: Number.POSITIVE_INFINITY })
    await say(stage, message)
    if (neededSteps.includes(step)) {
      await stage.clock.advance(10 * 60_000)
      ok(world.failureCount >= 3 && world.failureCount < 12, `${world.failureCount} tries in ten minutes`)
      match(stage.agents.fault('ada') ?? '', 'TypeError')
      world.failureReason = null
    }
    const facts = await waitFor(stage, 'an end of the turn', hasEnded(1))
    const repliesText = getReplies(facts).join('\n')
    match(repliesText, /The daemon could not answer this: it failed each time that it tried \(TypeError\)/)
    match(repliesText, 'Your message is kept')
    match(stage.agents.fault('ada') ?? '', /Answering failed .* times in a row because of a defect/)
    const tries = world.failureCount
    await stage.clock.advance(5 * 60_000)
    ok(world.failureCount - tries <= 5, `${world.failureCount - tries} more failures without anything to do`)
    world.failureReason = null
    await say(stage, 'are you there?')
    const laterFacts = await waitFor(stage, 'an answer to the next message', hasEnded(2))
    is(getReplies(laterFacts).at(-1), 'Fine.')
    is(filterFacts(laterFacts, 'MessageHeard').length, 2)
    equal(
      filterFacts(laterFacts, 'TurnEnded').map(({ outcome }) => outcome),
      ['refused', 'answered'],
    )
    await stage.clock.advance(60_000)
    is(stage.agents.fault('ada'), null)
    is(JSON.stringify(laterFacts).includes(secret), false)
  })
}

for (const step of ['sign delta', 'sign typing', 'tool', 'sense'])
  test(`answers although ${step} fails each time`, async (world) => {
    const stage = await play(world)
    Object.assign(world, { failureReason: step, failuresLeft: Number.POSITIVE_INFINITY })
    await say(stage, step === 'sense' ? 'a file' : 'use the tool')
    const facts = await waitFor(stage, 'an end of the turn', hasEnded(1))
    ok(world.failureCount > 0)
    equal(
      filterFacts(facts, 'TurnEnded').map(({ outcome }) => outcome),
      ['answered'],
    )
    is(JSON.stringify(facts).includes(secret), false)
  })

test('delivers a due reminder without a model if each of its turns fails', async (world) => {
  const stage = await play(world)
  Object.assign(world, { failureReason: 'outside', failuresLeft: Number.POSITIVE_INFINITY })
  const wall = '2026-11-23T10:17:00'
  const entry = {
    id: 'p1',
    kind: 'reminder' as const,
    wall,
    zone: 'Europe/Berlin',
    content: 'water the plants',
    recurrence: null,
    anchor: wall,
  }
  await stage.execute({ type: 'WriteEntry', entry })
  const facts = await waitFor(stage, 'the reminder', hasEnded(1))
  equal(getReplies(facts), ['You asked me to remind you for 2026-11-23 at 10:17: water the plants'])
  is(filterFacts(facts, 'EntryDone').length, 1)
})

test('delivers the reminder even if formatting its time fails', async (world) => {
  const stage = await play(world)
  Object.assign(world, { failureReason: 'zone', failuresLeft: Number.POSITIVE_INFINITY })
  const wall = '2026-11-23T10:17:00'
  const entry = {
    id: 'p1',
    kind: 'reminder' as const,
    wall,
    zone: 'Europe/Berlin',
    content: 'water the plants',
    recurrence: 'daily' as const,
    anchor: wall,
  }
  await stage.execute({ type: 'WriteEntry', entry })
  const facts = await waitFor(stage, 'the reminder', hasEnded(1))
  equal(getReplies(facts), ['This was planned: water the plants'])
})

test('retries a night that cannot begin with growing pauses and answers messages meanwhile', async (world) => {
  const stage = await play(world)
  await say(stage, 'hello')
  await waitFor(stage, 'an answer', hasEnded(1))
  Object.assign(world, { failureReason: 'execute BeginSleep', failuresLeft: Number.POSITIVE_INFINITY })
  stage.clock.leap(13.9 * 3_600_000)
  await stage.clock.advance(4 * 3_600_000)
  ok(world.failureCount > 1 && world.failureCount < 20, `${world.failureCount} tries`)
  match(stage.agents.fault('ada') ?? '', 'Sleeping failed')
  await say(stage, 'are you there?')
  const facts = await waitFor(stage, 'an answer to the next message', hasEnded(2))
  is(getReplies(facts).at(-1), 'Fine.')
  world.failureReason = null
  await stage.waitForFacts('a night', (all) => filterFacts(all, 'SleepEnded').length > 0)
  is(stage.agents.fault('ada'), null)
})

test.run()
