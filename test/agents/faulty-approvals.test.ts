/**
 * Unexpected errors, once and permanently, while a turn asks for an approval, resumes after it, searches the
 * memory or greets.
 */
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import * as z from 'zod'
import type { PersonaEvent } from '../../facts/facts.ts'
import { defineTool, type Tool } from '../../src/mind/tools/tool.ts'
import { allTools } from '../../src/mind/tools/tool-table.ts'
import { calls, createWordParts, filterFacts, openStage, type Script, type Stage } from './stage.ts'

interface World {
  stage: Stage | null
  failureReason: string | null
  failuresLeft: number
  failureCount: number
}
const test = suite<World>('faulty approvals', {
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

const unlimited = Number.POSITIVE_INFINITY

const script: Script = ({ messages }) => {
  if (messages.at(-1)?.role === 'tool') return createWordParts('It is done.')
  const users = messages.filter(({ role }) => role === 'user').map(({ content }) => JSON.stringify(content))
  const last = users
    .join()
    .match(/send it|search it|are you there/g)
    ?.at(-1)
  if (last === 'send it') return calls('post__send', { to: 'Ines' })
  return last === 'search it' ? calls('recall', { query: 'tea' }) : createWordParts('Fine.')
}

const send: Tool = {
  ...defineTool({
    name: 'post__send',
    description: 'Sends a letter.',
    input: z.object({ to: z.string() }),
    acts: true,
    run: () => ({ ok: true, output: 'sent' }),
  }),
  permission: { server: 'post', tool: 'send', definition: '1'.repeat(64) },
}

const play = async (world: World): Promise<Stage> => {
  Object.assign(world, { failureReason: null, failuresLeft: 0, failureCount: 0 })
  const inject = (step: string) => {
    if (step !== world.failureReason || world.failuresLeft <= 0) return
    world.failuresLeft -= 1
    world.failureCount += 1
    throw new TypeError('cannot read this')
  }
  world.stage = await openStage({ script, inject, tools: allTools, outside: async () => [send] })
  const command = { transport: 'stdio', command: 'post', args: [], cwd: null, env: [] } as const
  await world.stage.execute({ type: 'SetToolServers', servers: [{ name: 'post', server: command }] })
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

const getApprovalSeq = async (stage: Stage): Promise<number> => {
  const all = await waitFor(stage, 'a question', (facts) => filterFacts(facts, 'ApprovalAsked').length > 0)
  return all.findIndex(({ type }) => type === 'ApprovalAsked') + 1
}
const allow = (stage: Stage, approval: number) =>
  stage.execute({
    type: 'SettleApproval',
    approval,
    decision: 'once',
    channel: null,
    described: null,
  })

test('asks for an approval although asking fails once', async (world) => {
  const stage = await play(world)
  Object.assign(world, { failureReason: 'execute AskApprovals', failuresLeft: 1 })
  await stage.hear('send it')
  await allow(stage, await getApprovalSeq(stage))
  is(world.failureCount, 1)
  is(getReplies(await waitFor(stage, 'an end', hasEnded(1))).at(-1), 'It is done.')
  is(stage.agents.fault('ada'), null)
})

test('sends an error message and answers the next message although asking fails each time', async (world) => {
  const stage = await play(world)
  Object.assign(world, { failureReason: 'execute AskApprovals', failuresLeft: unlimited })
  await stage.hear('send it')
  match(
    getReplies(await waitFor(stage, 'an end', hasEnded(1))).join(),
    /failed each time that it tried \(TypeError\)/,
  )
  is(world.failureCount, 3)
  await stage.hear('are you there?')
  const facts = await waitFor(stage, 'an answer', hasEnded(2))
  is(getReplies(facts).at(-1), 'Fine.')
  is(filterFacts(facts, 'ToolCalled').length, 0)
})

test('resumes after the approval although resuming fails once', async (world) => {
  const stage = await play(world)
  await stage.hear('send it')
  const approval = await getApprovalSeq(stage)
  Object.assign(world, { failureReason: 'execute ResumeTurn', failuresLeft: 1 })
  await allow(stage, approval)
  is(getReplies(await waitFor(stage, 'an end', hasEnded(1))).at(-1), 'It is done.')
  is(world.failureCount, 1)
})

// Fails if failed resumes count as failures of a new turn: "are you there?" then ends with an error message.
test('answers other messages although resuming fails each time, and resumes once it succeeds', async (world) => {
  const stage = await play(world)
  await stage.hear('send it')
  const approval = await getApprovalSeq(stage)
  Object.assign(world, { failureReason: 'execute ResumeTurn', failuresLeft: unlimited })
  await allow(stage, approval)
  await stage.clock.advance(10 * 60_000)
  ok(world.failureCount >= 3 && world.failureCount < 12, `${world.failureCount} tries in ten minutes`)
  match(stage.agents.fault('ada') ?? '', /Answering failed/)
  await stage.hear('are you there?')
  const facts = await waitFor(stage, 'an answer', hasEnded(1))
  is(getReplies(facts).at(-1), 'Fine.')
  world.failureReason = null
  const laterFacts = await waitFor(stage, 'the turn that waited', hasEnded(2))
  is(getReplies(laterFacts).at(-1), 'It is done.')
  equal(
    filterFacts(laterFacts, 'TurnEnded').map(({ outcome }) => outcome),
    ['answered', 'answered'],
  )
  is(filterFacts(laterFacts, 'ToolCalled').length, 1)
})

test('answers although each memory search fails', async (world) => {
  const stage = await play(world)
  const inject = () => {
    world.failureCount += 1
    throw new TypeError('cannot search')
  }
  await stage.close()
  world.stage = await openStage({ script, tools: allTools, search: { rank: async () => inject() } })
  await world.stage.hear('search it')
  const facts = await waitFor(world.stage, 'an end', hasEnded(1))
  equal([world.failureCount, getReplies(facts)], [1, ['It is done.']])
})

test('greets although recording fails once, and answers although it fails each time', async (world) => {
  for (const failuresLeft of [1, unlimited]) {
    await world.stage?.close()
    const stage = await play(world)
    Object.assign(world, { failureReason: 'execute RecordAnswer', failuresLeft: failuresLeft })
    await stage.execute({ type: 'Greet' })
    const facts = await waitFor(stage, 'an end', hasEnded(1))
    equal(getReplies(facts), failuresLeft === 1 ? ['Fine.'] : [])
    world.failureReason = null
    await stage.hear('are you there?')
    is(getReplies(await waitFor(stage, 'an answer', hasEnded(2))).at(-1), 'Fine.')
  }
})

test.run()
