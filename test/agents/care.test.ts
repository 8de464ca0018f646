/** The help for a user whose life may be in danger: without the model, once a day, and over crashes. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import * as z from 'zod'
import type { EventOf, PersonaEvent } from '../../facts/facts.ts'
import { MindError, type Part } from '../../packages/models/mind.ts'
import { defineTool, type Tool } from '../../src/mind/tools/tool.ts'
import { createFakeClock } from '../clock.ts'
import { calls, createWordParts, filterFacts, gate, has, openStage, type StagedScript } from './stage.ts'

const start = Date.parse('2026-11-23T10:15:00+01:00')
const danger = 'Zebra. I want to die.'

const listHelp = (facts: readonly PersonaEvent[]): readonly EventOf<'MessageSpoken'>[] =>
  filterFacts(facts, 'MessageSpoken').filter(({ help }) => help !== undefined)
const hasEnded = (times: number) => (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'TurnEnded').length === times

const withStage = async (
  options: Omit<StagedScript, 'script'> & Partial<Pick<StagedScript, 'script'>>,
  play: (stage: Awaited<ReturnType<typeof openStage>>) => Promise<void>,
) => {
  const stage = await openStage({
    clock: createFakeClock(start, 'Europe/Berlin'),
    script: () => createWordParts('I am here.'),
    ...options,
  })
  try {
    await play(stage)
  } finally {
    await stage.close()
  }
}

test('shows the help of the country after the answer, once a day, and hides it from the model', () =>
  withStage({}, async ({ hear, until, facts, clock, prompts }) => {
    await hear(danger)
    await until('an answer', hasEnded(1))
    const [help] = listHelp(await facts())
    equal([help?.help, help?.notice, help?.turn], ['DE', true, null])
    match(help?.content ?? '', '0800 1110111')
    not.match(help?.content ?? '', /zebra|die/i)
    const types = (await facts()).map(({ type }) => type)
    equal(types.slice(-4), ['ModelAnswered', 'MessageSpoken', 'MessageSpoken', 'TurnEnded'])
    await hear('I still want to die.')
    await until('another answer', hasEnded(2))
    is(listHelp(await facts()).length, 1)
    ok(prompts.every((prompt) => !JSON.stringify(prompt).includes('1110111')))
    clock.setTime(start + 24 * 3_600_000)
    await hear('Ich will nicht mehr leben.')
    await until('a third answer', hasEnded(3))
    const [, german] = listHelp(await facts())
    match(german?.content ?? '', /Tag und Nacht/)
  }))

test('shows no help for harmless words, and none for words of others', () =>
  withStage({}, async ({ hear, until, facts }) => {
    await hear('I am dying to see it.')
    await until('an answer', hasEnded(1))
    await hear('My friend wrote: “I want to die”. What should I answer?')
    await until('an answer', hasEnded(2))
    is(listHelp(await facts()).length, 0)
  }))

test('shows the help while the model is unreachable, and not again when it answers', () => {
  let fails = true
  const script = (): Iterable<Part> => {
    if (fails) throw new MindError('unreachable', 'No answer.')
    return createWordParts('I am here.')
  }
  return withStage({ script }, async (stage) => {
    stage.mindAnswers = false
    await stage.hear(danger)
    await stage.waitForFacts('the help', (facts) => listHelp(facts).length > 0)
    fails = false
    stage.mindAnswers = true
    await stage.waitForFacts('an answer', (facts) =>
      filterFacts(facts, 'TurnEnded').some(({ outcome }) => outcome === 'answered'),
    )
    is(listHelp(await stage.facts()).length, 1)
  })
})

test('shows the help for a message that arrives while the model is unreachable, also after a restart', async () => {
  const script = (): Iterable<Part> => {
    throw new MindError('unreachable', 'No answer.')
  }
  let home = ''
  await withStage({ script }, async (stage) => {
    stage.mindAnswers = false
    await stage.hear('Good morning.')
    await stage.waitForFacts('an outage', has('ModelFailed'))
    is(listHelp(await stage.facts()).length, 0)
    await stage.execute({ type: 'SetCare', country: 'DE', help: false })
    await stage.hear(danger)
    await stage.quiet()
    await stage.execute({ type: 'SetCare', country: 'DE', help: true })
    home = await stage.crashed()
    is(listHelp(await stage.facts()).length, 0)
    await stage.hear('I still want to die.')
    await stage.until('the help', (facts) => listHelp(facts).length === 1)
  })
  await withStage({ script, home }, async (stage) => {
    await stage.until('the help after a restart', (facts) => listHelp(facts).length === 1)
  })
  await rm(home, { recursive: true, force: true })
})

test('shows the help when the turn waits for an approval', () => {
  const post = { transport: 'stdio', command: 'post', args: [], cwd: null, env: [] } as const
  const send: Tool = {
    ...defineTool({
      name: 'post__send',
      description: 'Send a letter.',
      input: z.object({ to: z.string() }),
      acts: true,
      run: () => ({ ok: true, output: 'sent' }),
    }),
    permission: { server: 'post', tool: 'send', definition: '1'.repeat(64) },
  }
  const script = () => calls('post__send', { to: 'Eve' })
  return withStage({ script, tools: [send] }, async ({ execute, hear, until, facts }) => {
    await execute({ type: 'SetToolServers', servers: [{ name: 'post', server: post }] })
    await hear(danger)
    await until('a question', has('ApprovalAsked'))
    is(listHelp(await facts()).length, 1)
  })
})

test('shows the help once when the daemon crashes during the turn', async () => {
  const answerGate = gate()
  const homes: string[] = []
  await withStage(
    {
      script: async function* () {
        await answerGate.whenOpened
        yield* createWordParts('I am here.')
      },
    },
    async (stage) => {
      await stage.hear(danger)
      await stage.until('a turn', (facts) => filterFacts(facts, 'TurnBegan').length > 0)
      homes.push(await stage.crashed())
      answerGate.open()
      await stage.until('an answer', hasEnded(1))
      homes.push(await stage.crashed())
    },
  )
  for (const home of homes) {
    await withStage({ home }, async ({ until, facts }) => {
      await until('an answer', hasEnded(1))
      is(listHelp(await facts()).length, 1)
    })
    await rm(home, { recursive: true, force: true })
  }
})

test('shows the help of the chosen country, and none if it is off', () =>
  withStage({}, async ({ hear, until, facts, execute, clock }) => {
    await execute({ type: 'SetCare', country: 'US', help: true })
    await hear(danger)
    await until('an answer', hasEnded(1))
    equal(
      listHelp(await facts()).map(({ help }) => help),
      ['US'],
    )
    await execute({ type: 'SetCare', country: 'US', help: false })
    await execute({ type: 'SetCare', country: 'US', help: false })
    is(filterFacts(await facts(), 'CareSet').length, 2)
    clock.setTime(start + 24 * 3_600_000)
    await hear(danger)
    await until('another answer', hasEnded(2))
    is(listHelp(await facts()).length, 1)
  }))

test.run()
