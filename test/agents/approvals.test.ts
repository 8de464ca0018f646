/**
 * Calls of other people's tools wait for the person's word, and the turn with them, through whatever comes.
 */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import * as z from 'zod'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import { defineTool, type Tool } from '../../src/mind/tools/tool.ts'
import { atOnce, createFakeClock } from '../clock.ts'
import { calls, gate, has, of, openStage, type Script, type Stage, type Staged, says } from './stage.ts'

const hour = 3_600_000
const [one, two] = ['1'.repeat(64), '2'.repeat(64)]

/** A tool of a server, which tells how often it was used. */
const sending = (definition: string, used: unknown[], name = 'send'): Tool => ({
  ...defineTool({
    name: `post__${name}`,
    description: 'Send a letter.',
    input: z.object({ to: z.string() }),
    acts: true,
    run: ({ to }) => {
      used.push(to)
      return { ok: true, output: { origin: { server: 'post', tool: name }, text: `sent to ${to}` } }
    },
  }),
  permission: { server: 'post', tool: name, definition },
})

const wordsOf = (prompt: Prompt) => String(prompt.messages.at(-1)?.content)

/** Sends what it is told to, and says what came of it. */
const sends: Script = (prompt) => {
  const words = wordsOf(prompt)
  if (words.startsWith('send')) return calls('post__send', { to: words.slice(5) })
  return says(prompt.messages.at(-1)?.role === 'tool' ? `came back: ${words}` : `heard ${words}`)
}

const post = {
  type: 'SetToolServers',
  servers: [{ name: 'post', server: { transport: 'stdio', command: 'post', args: [], cwd: null, env: [] } }],
} as const

const on = async (staged: Partial<Staged>, play: (stage: Stage & { home: string }) => Promise<void>) => {
  const stage = await openStage({ script: sends, ...staged })
  try {
    if (!staged.home) await stage.execute(post)
    await play(stage)
  } finally {
    await stage.close()
  }
}

const positionOf = async (stage: Stage, n = 0): Promise<number> => {
  const all = await stage.until('a question', has('ApprovalAsked', n + 1))
  return all.indexOf(of(all, 'ApprovalAsked')[n] as PersonaEvent) + 1
}
const answer = (approval: number, decision: 'once' | 'always' | 'no') =>
  ({ type: 'SettleApproval', approval, decision, channel: null, described: null }) as const
const spoken = (facts: readonly PersonaEvent[]) => of(facts, 'MessageSpoken').map(({ content }) => content)

test('a call waits for the person, who talks on meanwhile, and the turn goes on under its id', () => {
  const used: unknown[] = []
  return on({ outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.hear('send Ines')
    const asked = await positionOf(stage)
    await stage.hear('how are you?')
    await stage.until('another turn', has('TurnEnded'))
    equal(used, [])
    await stage.execute(answer(asked, 'once'))
    const facts = await stage.until('both turns', has('TurnEnded', 2))
    equal(used, ['Ines'])
    equal(spoken(facts).slice(0, 1), ['heard how are you?'])
    match(
      spoken(facts)[1] ?? '',
      'came back: {"origin":{"server":"post","tool":"send"},"text":"sent to Ines"}',
    )
    const [first] = of(facts, 'TurnBegan')
    is(of(facts, 'TurnEnded')[1]?.turn, facts.indexOf(first as PersonaEvent) + 1)
    equal(of(facts, 'ToolCalled')[0]?.of, { server: 'post', tool: 'send' })
  })
})

test('what the person refuses is not done, and its Mind is told', () => {
  const used: unknown[] = []
  return on({ outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.hear('send Ines')
    await stage.execute(answer(await positionOf(stage), 'no'))
    const facts = await stage.until('an answer', has('TurnEnded'))
    equal(used, [])
    match(spoken(facts)[0] ?? '', 'said no')
  })
})

// Seen failing where the turns that wait were left out of what a snapshot holds, and where the answer was
// looked for in the memory of the agent that had asked.
test('a question outlives a crash, and its call is made once', async () => {
  const used: unknown[] = []
  const staged = { outside: async () => [sending(one, used)] }
  const asked: number[] = []
  const homes: string[] = []
  await on(staged, async (stage) => {
    await stage.hear('send Ines')
    asked.push(await positionOf(stage))
    homes.push(await stage.crashed())
  })
  const [home = ''] = homes
  await on({ ...staged, home }, async (stage) => {
    await stage.execute(answer(asked[0] ?? 0, 'once'))
    await stage.until('an answer', has('TurnEnded'))
    equal(used, ['Ines'])
  })
  await rm(home, { recursive: true, force: true })
})

test('an answer given while the persona is stopped is acted on when it runs again', () => {
  const used: unknown[] = []
  return on({ outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.hear('send Ines')
    const asked = await positionOf(stage)
    await stage.execute({ type: 'AskStop' })
    await stage.until('its end', has('Stopped'))
    await stage.execute(answer(asked, 'once'))
    equal(used, [])
    await stage.execute({ type: 'AskStart' })
    await stage.until('an answer', has('TurnEnded'))
    equal(used, ['Ines'])
  })
})

test('a call that began before a crash is not made again', async () => {
  const used: unknown[] = []
  const began = gate()
  const hanging = sending(one, used)
  const stuck: Tool = {
    ...hanging,
    run: async () => {
      used.push('began')
      await began.opened
      return { ok: true, output: {} }
    },
  }
  const homes: string[] = []
  await on({ outside: async () => [stuck] }, async (stage) => {
    await stage.hear('send Ines')
    await stage.execute(answer(await positionOf(stage), 'once'))
    await stage.until('its beginning', has('ToolCalled'))
    homes.push(await stage.crashed())
    began.open()
  })
  const [home = ''] = homes
  used.length = 0
  await on({ outside: async () => [hanging], home }, async (stage) => {
    const facts = await stage.until('an answer', has('TurnEnded'))
    equal(used, [])
    match(spoken(facts)[0] ?? '', 'unknown whether it happened')
  })
  await rm(home, { recursive: true, force: true })
})

test('a night passes over a turn that waits, and the turn goes on after it', () => {
  const used: unknown[] = []
  const clock = createFakeClock('2026-11-23T22:00:00+01:00', 'Europe/Berlin', atOnce)
  const script: Script = (prompt, signal, call) =>
    prompt.system.includes('# Your answer')
      ? says('{"operations":[],"carry":""}')
      : sends(prompt, signal, call)
  return on({ script, clock, outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.hear('send Ines')
    const asked = await positionOf(stage)
    await clock.advance(3 * hour)
    await stage.until('the night', has('SleepEnded'))
    await stage.execute(answer(asked, 'once'))
    await stage.until('an answer', has('TurnEnded'))
    equal(used, ['Ines'])
  })
})

test('nobody who does not answer within a day has said yes', () => {
  const used: unknown[] = []
  const clock = createFakeClock('2026-11-23T10:00:00+01:00', 'Europe/Berlin', atOnce)
  return on({ clock, outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.hear('send Ines')
    await positionOf(stage)
    await clock.advance(25 * hour)
    const facts = await stage.until('an answer', has('TurnEnded'))
    equal(used, [])
    is(of(facts, 'ApprovalSettled')[0]?.decision, 'expired')
    match(spoken(facts)[0] ?? '', 'did not answer within a day')
  })
})

test('always is for the tool as it was described: another description asks again', () => {
  const used: unknown[] = []
  let definition = one
  return on({ outside: async () => [sending(definition, used)] }, async (stage) => {
    await stage.hear('send Ines')
    await stage.execute(answer(await positionOf(stage), 'always'))
    await stage.until('an answer', has('TurnEnded'))
    await stage.hear('send Otto')
    const facts = await stage.until('another', has('TurnEnded', 2))
    is(of(facts, 'ApprovalAsked').length, 1)
    equal(used, ['Ines', 'Otto'])

    definition = two
    await stage.hear('send Paul')
    await positionOf(stage, 1)
    is(of(await stage.facts(), 'ApprovalAsked')[1]?.changed, true)
    equal(used, ['Ines', 'Otto'])
  })
})

test('what was allowed once is asked again where the tool has changed before it ran', () => {
  const used: unknown[] = []
  let definition = one
  return on({ outside: async () => [sending(definition, used)] }, async (stage) => {
    await stage.hear('send Ines')
    const asked = await positionOf(stage)
    definition = two
    await stage.execute(answer(asked, 'once'))
    await stage.execute(answer(await positionOf(stage, 1), 'once'))
    await stage.until('an answer', has('TurnEnded'))
    equal(used, ['Ines'])
  })
})

test('hushed while it waits, the turn ends and nothing is asked any more', () => {
  const used: unknown[] = []
  return on({ outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.hear('send Ines')
    const asked = await positionOf(stage)
    await stage.execute({ type: 'Hush', said: null })
    const facts = await stage.until('its end', has('TurnEnded'))
    is(of(facts, 'ApprovalSettled')[0]?.decision, 'withdrawn')
    is(of(facts, 'TurnEnded')[0]?.outcome, 'hushed')
    const refused = await stage.execute(answer(asked, 'once')).catch((error: unknown) => error)
    match(String(refused), 'approval_unknown')
    equal(used, [])
  })
})

test('all calls of a step are asked about at once', () => {
  const used: unknown[] = []
  const script: Script = (prompt) =>
    prompt.messages.at(-1)?.role === 'tool'
      ? says('done')
      : [
          { type: 'call', call: { id: 'a', name: 'post__send', input: { to: 'Ines' } } },
          { type: 'call', call: { id: 'b', name: 'post__send', input: { to: 'Otto' } } },
          { type: 'end', usage: { input: null, output: null } },
        ]
  return on({ script, outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.hear('both')
    const first = await positionOf(stage)
    const second = await positionOf(stage, 1)
    await stage.execute(answer(second, 'no'))
    equal(used, [])
    await stage.execute(answer(first, 'once'))
    await stage.until('an answer', has('TurnEnded'))
    equal(used, ['Ines'])
  })
})

test('a tool that is switched off is neither shown nor used', () => {
  const used: unknown[] = []
  return on({ outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.execute({
      ...{ type: 'SetToolMode', server: 'post', tool: 'send', mode: 'off' },
      ...{ definition: one, described: null },
    })
    await stage.hear('send Ines')
    const facts = await stage.until('an answer', has('TurnEnded'))
    match(spoken(facts)[0] ?? '', 'switched this tool off')
    equal(used, [])
  })
})

// Seen failing where what is too long for a fact was left out of the call, too.
test('what is too long for a fact is asked about and goes to the tool whole, and is never left out', () => {
  const used: unknown[] = []
  const long = 'Ines '.repeat(20_000)
  const script: Script = (prompt, _signal, call) =>
    call === 1
      ? calls('post__send', { to: long })
      : call === 2
        ? calls('remember', { statement: long })
        : says(wordsOf(prompt))
  return on({ script, outside: async () => [sending(one, used)] }, async (stage) => {
    await stage.hear('send')
    await stage.execute(answer(await positionOf(stage), 'once'))
    const facts = await stage.until('an answer', has('TurnEnded'))
    ok(used.length === 1 && used[0] === long)
    equal(
      of(facts, 'ToolCalled').map(({ input }) => input),
      [null, null],
    )
    match(spoken(facts)[0] ?? '', 'longer than 64 KiB: give it less at once')
  })
})

test('of many tools their names are shown, and those that were found', () => {
  const many = Array.from({ length: 40 }, (_, n) => sending(one, [], `tool_${n}`))
  const shown: string[][] = []
  const script: Script = (prompt, _signal, call) => {
    shown.push(prompt.tools.map(({ name }) => name).filter((name) => /^post|^find/.test(name)))
    return call === 1 ? calls('find_tools', { query: 'tool_33 please' }) : says('found')
  }
  return on({ script, outside: async () => many }, async (stage) => {
    await stage.hear('look')
    await stage.until('an answer', has('TurnEnded'))
    equal(shown[0], ['find_tools'])
    ok(shown[1]?.includes('post__tool_33') && shown[1].length <= 9)
  })
})

test.run()
