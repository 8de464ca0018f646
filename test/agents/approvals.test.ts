/**
 * Calls of tool servers wait for the user's approval. The turn is suspended and survives crashes, stops and
 * nights.
 */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import * as z from 'zod'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import { defineTool, type Tool } from '../../src/mind/tools/tool.ts'
import { createFakeClock, drainQueue } from '../clock.ts'
import {
  calls,
  createWordParts,
  filterFacts,
  gate,
  has,
  openStage,
  type Script,
  type Stage,
  type StagedScript,
} from './stage.ts'

const hour = 3_600_000
const definition1 = '1'.repeat(64)
const definition2 = '2'.repeat(64)

/** A tool of a server that records its calls in `used`. */
const createSendTool = (definition: string, inputs: unknown[], name = 'send'): Tool => ({
  ...defineTool({
    name: `post__${name}`,
    description: 'Send a letter.',
    input: z.object({ to: z.string() }),
    acts: true,
    run: ({ to }) => {
      inputs.push(to)
      return { ok: true, output: { origin: { server: 'post', tool: name }, text: `sent to ${to}` } }
    },
  }),
  permission: { server: 'post', tool: name, definition },
})

const getText = (prompt: Prompt) => String(prompt.messages.at(-1)?.content)

/** Calls the tool as requested and answers with its result. */
const sends: Script = (prompt) => {
  const text = getText(prompt)
  if (text.startsWith('send')) return calls('post__send', { to: text.slice(5) })
  return createWordParts(prompt.messages.at(-1)?.role === 'tool' ? `came back: ${text}` : `heard ${text}`)
}

const post = {
  type: 'SetToolServers',
  servers: [{ name: 'post', server: { transport: 'stdio', command: 'post', args: [], cwd: null, env: [] } }],
} as const

const withStage = async (
  stageOptions: Partial<StagedScript>,
  play: (stage: Stage & { home: string }) => Promise<void>,
) => {
  const stage = await openStage({ script: sends, ...stageOptions })
  try {
    if (!stageOptions.home) await stage.execute(post)
    await play(stage)
  } finally {
    await stage.close()
  }
}

const getPosition = async (stage: Stage, n = 0): Promise<number> => {
  const all = await stage.until('a question', has('ApprovalAsked', n + 1))
  return all.indexOf(filterFacts(all, 'ApprovalAsked')[n] as PersonaEvent) + 1
}
const answer = (approval: number, decision: 'once' | 'always' | 'no') =>
  ({ type: 'SettleApproval', approval, decision, channel: null, described: null }) as const
const getReplies = (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'MessageSpoken').map(({ content }) => content)

test('suspends a call until the user approves it, answers other messages meanwhile and resumes the same turn', () => {
  const inputs: unknown[] = []
  return withStage({ outside: async () => [createSendTool(definition1, inputs)] }, async (stage) => {
    await stage.hear('send Ines')
    const approvalSeq = await getPosition(stage)
    await stage.hear('how are you?')
    await stage.until('another turn', has('TurnEnded'))
    equal(inputs, [])
    await stage.execute(answer(approvalSeq, 'once'))
    const facts = await stage.until('both turns', has('TurnEnded', 2))
    equal(inputs, ['Ines'])
    equal(getReplies(facts).slice(0, 1), ['heard how are you?'])
    match(
      getReplies(facts)[1] ?? '',
      'came back: {"origin":{"server":"post","tool":"send"},"text":"sent to Ines"}',
    )
    const [first] = filterFacts(facts, 'TurnBegan')
    is(filterFacts(facts, 'TurnEnded')[1]?.turn, facts.indexOf(first as PersonaEvent) + 1)
    equal(filterFacts(facts, 'ToolCalled')[0]?.of, { server: 'post', tool: 'send' })
  })
})

test('does not run a rejected call and reports the rejection to the model', () => {
  const inputs: unknown[] = []
  return withStage({ outside: async () => [createSendTool(definition1, inputs)] }, async (stage) => {
    await stage.hear('send Ines')
    await stage.execute(answer(await getPosition(stage), 'no'))
    const facts = await stage.until('an answer', has('TurnEnded'))
    equal(inputs, [])
    match(getReplies(facts)[0] ?? '', 'said no')
  })
})

// Fails if a snapshot omits the suspended turns, or if the answer is looked up in the memory of the agent
// that asked.
test('keeps a request for approval over a crash and runs the call once', async () => {
  const inputs: unknown[] = []
  const stageOptions = { outside: async () => [createSendTool(definition1, inputs)] }
  const approvalSeq: number[] = []
  const homes: string[] = []
  await withStage(stageOptions, async (stage) => {
    await stage.hear('send Ines')
    approvalSeq.push(await getPosition(stage))
    homes.push(await stage.crashed())
  })
  const [home = ''] = homes
  await withStage({ ...stageOptions, home }, async (stage) => {
    await stage.execute(answer(approvalSeq[0] ?? 0, 'once'))
    await stage.until('an answer', has('TurnEnded'))
    equal(inputs, ['Ines'])
  })
  await rm(home, { recursive: true, force: true })
})

test('applies an answer from while the persona was stopped after the next start', () => {
  const inputs: unknown[] = []
  return withStage({ outside: async () => [createSendTool(definition1, inputs)] }, async (stage) => {
    await stage.hear('send Ines')
    const approvalSeq = await getPosition(stage)
    await stage.execute({ type: 'AskStop' })
    await stage.until('its end', has('Stopped'))
    await stage.execute(answer(approvalSeq, 'once'))
    equal(inputs, [])
    await stage.execute({ type: 'AskStart' })
    await stage.until('an answer', has('TurnEnded'))
    equal(inputs, ['Ines'])
  })
})

test('does not repeat a call that began before a crash', async () => {
  const inputs: unknown[] = []
  const startGate = gate()
  const hanging = createSendTool(definition1, inputs)
  const hangingTool: Tool = {
    ...hanging,
    run: async () => {
      inputs.push('began')
      await startGate.whenOpened
      return { ok: true, output: {} }
    },
  }
  const homes: string[] = []
  await withStage({ outside: async () => [hangingTool] }, async (stage) => {
    await stage.hear('send Ines')
    await stage.execute(answer(await getPosition(stage), 'once'))
    await stage.until('its beginning', has('ToolCalled'))
    homes.push(await stage.crashed())
    startGate.open()
  })
  const [home = ''] = homes
  inputs.length = 0
  await withStage({ outside: async () => [hanging], home }, async (stage) => {
    const facts = await stage.until('an answer', has('TurnEnded'))
    equal(inputs, [])
    match(getReplies(facts)[0] ?? '', 'unknown whether it happened')
  })
  await rm(home, { recursive: true, force: true })
})

test('resumes a suspended turn after a night', () => {
  const inputs: unknown[] = []
  const clock = createFakeClock('2026-11-23T22:00:00+01:00', 'Europe/Berlin', drainQueue)
  const script: Script = (prompt, signal, call) =>
    prompt.system.includes('# Your answer')
      ? createWordParts('{"operations":[],"carry":""}')
      : sends(prompt, signal, call)
  return withStage(
    { script, clock, outside: async () => [createSendTool(definition1, inputs)] },
    async (stage) => {
      await stage.hear('send Ines')
      const approvalSeq = await getPosition(stage)
      await clock.advance(3 * hour)
      await stage.until('the night', has('SleepEnded'))
      await stage.execute(answer(approvalSeq, 'once'))
      await stage.until('an answer', has('TurnEnded'))
      equal(inputs, ['Ines'])
    },
  )
})

// Fails if the turn is shown only in its own requests: then the next request does not repeat them.
test('keeps a turn in the talk that was resumed after its beginning was dropped', () => {
  const talkTexts: string[] = []
  const script: Script = (prompt, signal, call) => {
    talkTexts.push(JSON.stringify(prompt.messages).slice(0, -1))
    return sends(prompt, signal, call)
  }
  const outside = async () => [createSendTool(definition1, [])]
  return withStage({ script, contextWindow: 8192, outside }, async (stage) => {
    await stage.hear('send Ines')
    const approvalSeq = await getPosition(stage)
    let turnCount = 0
    while (talkTexts.at(-1)?.includes('send Ines')) {
      await stage.hear(`message ${turnCount} ${'with many words '.repeat(20)}`)
      await stage.until('another turn', has('TurnEnded', ++turnCount))
    }
    talkTexts.length = 0
    await stage.execute(answer(approvalSeq, 'once'))
    await stage.until('the resumed turn', has('TurnEnded', ++turnCount))
    await stage.hear('how are you?')
    await stage.until('the next turn', has('TurnEnded', turnCount + 1))
    is(talkTexts.length, 2)
    const [resumed = '', next = ''] = talkTexts
    ok(resumed.includes('send Ines'))
    ok(next.startsWith(resumed))
  })
})

test('treats a missing answer as a rejection after a day', () => {
  const inputs: unknown[] = []
  const clock = createFakeClock('2026-11-23T10:00:00+01:00', 'Europe/Berlin', drainQueue)
  return withStage({ clock, outside: async () => [createSendTool(definition1, inputs)] }, async (stage) => {
    await stage.hear('send Ines')
    await getPosition(stage)
    await clock.advance(25 * hour)
    const facts = await stage.until('an answer', has('TurnEnded'))
    equal(inputs, [])
    is(filterFacts(facts, 'ApprovalSettled')[0]?.decision, 'expired')
    match(getReplies(facts)[0] ?? '', 'did not answer within a day')
  })
})

test('asks again after an always-allowed tool has changed its description', () => {
  const inputs: unknown[] = []
  let definition = definition1
  return withStage({ outside: async () => [createSendTool(definition, inputs)] }, async (stage) => {
    await stage.hear('send Ines')
    await stage.execute(answer(await getPosition(stage), 'always'))
    await stage.until('an answer', has('TurnEnded'))
    await stage.hear('send Otto')
    const facts = await stage.until('another', has('TurnEnded', 2))
    is(filterFacts(facts, 'ApprovalAsked').length, 1)
    equal(inputs, ['Ines', 'Otto'])

    definition = definition2
    await stage.hear('send Paul')
    await getPosition(stage, 1)
    is(filterFacts(await stage.facts(), 'ApprovalAsked')[1]?.changed, true)
    equal(inputs, ['Ines', 'Otto'])
  })
})

test('asks again if the tool changes between the approval and the call', () => {
  const inputs: unknown[] = []
  let definition = definition1
  return withStage({ outside: async () => [createSendTool(definition, inputs)] }, async (stage) => {
    await stage.hear('send Ines')
    const approvalSeq = await getPosition(stage)
    definition = definition2
    await stage.execute(answer(approvalSeq, 'once'))
    await stage.execute(answer(await getPosition(stage, 1), 'once'))
    await stage.until('an answer', has('TurnEnded'))
    equal(inputs, ['Ines'])
  })
})

test('ends a suspended turn and withdraws its requests when the user stops it', () => {
  const inputs: unknown[] = []
  return withStage({ outside: async () => [createSendTool(definition1, inputs)] }, async (stage) => {
    await stage.hear('send Ines')
    const approvalSeq = await getPosition(stage)
    await stage.execute({ type: 'Hush', said: null })
    const facts = await stage.until('its end', has('TurnEnded'))
    is(filterFacts(facts, 'ApprovalSettled')[0]?.decision, 'withdrawn')
    is(filterFacts(facts, 'TurnEnded')[0]?.outcome, 'hushed')
    const refusedReply = await stage.execute(answer(approvalSeq, 'once')).catch((error: unknown) => error)
    match(String(refusedReply), 'approval_unknown')
    equal(inputs, [])
  })
})

test('asks about all calls of a step in one commit', () => {
  const inputs: unknown[] = []
  const script: Script = (prompt) =>
    prompt.messages.at(-1)?.role === 'tool'
      ? createWordParts('done')
      : [
          { type: 'call', call: { id: 'a', name: 'post__send', input: { to: 'Ines' } } },
          { type: 'call', call: { id: 'b', name: 'post__send', input: { to: 'Otto' } } },
          { type: 'end', usage: { input: null, output: null } },
        ]
  return withStage({ script, outside: async () => [createSendTool(definition1, inputs)] }, async (stage) => {
    await stage.hear('both')
    const first = await getPosition(stage)
    const second = await getPosition(stage, 1)
    await stage.execute(answer(second, 'no'))
    equal(inputs, [])
    await stage.execute(answer(first, 'once'))
    await stage.until('an answer', has('TurnEnded'))
    equal(inputs, ['Ines'])
  })
})

test('neither shows nor runs a disabled tool', () => {
  const inputs: unknown[] = []
  return withStage({ outside: async () => [createSendTool(definition1, inputs)] }, async (stage) => {
    await stage.execute({
      type: 'SetToolMode',
      server: 'post',
      tool: 'send',
      mode: 'off',
      definition: definition1,
      described: null,
    })
    await stage.hear('send Ines')
    const facts = await stage.until('an answer', has('TurnEnded'))
    match(getReplies(facts)[0] ?? '', 'switched this tool off')
    equal(inputs, [])
  })
})

// Fails if an input that is too long for a fact is also removed from the call.
test('asks about an input that is too long for a fact and sends it to the tool in full', () => {
  const inputs: unknown[] = []
  const longInput = 'Ines '.repeat(20_000)
  const script: Script = (prompt, _signal, call) =>
    call === 1
      ? calls('post__send', { to: longInput })
      : call === 2
        ? calls('remember', { statement: longInput })
        : createWordParts(getText(prompt))
  return withStage({ script, outside: async () => [createSendTool(definition1, inputs)] }, async (stage) => {
    await stage.hear('send')
    await stage.execute(answer(await getPosition(stage), 'once'))
    const facts = await stage.until('an answer', has('TurnEnded'))
    ok(inputs.length === 1 && inputs[0] === longInput)
    equal(
      filterFacts(facts, 'ToolCalled').map(({ input }) => input),
      [null, null],
    )
    match(getReplies(facts)[0] ?? '', 'longer than 64 KiB: give it less at once')
  })
})

const manyTools = (inputs: unknown[]) =>
  Array.from({ length: 40 }, (_, n) => createSendTool(definition1, inputs, `tool_${n}`))

// Fails if a found tool is added to the list: a prompt cache could then reuse nothing.
test('finds one of many tools, asks before its use, and keeps the list of tools', () => {
  const inputs: unknown[] = []
  const prompts: Prompt[] = []
  const script: Script = (prompt, _signal, call) => {
    prompts.push(prompt)
    if (call === 1) return calls('find_tools', { query: 'tool_33 please' })
    if (call === 2) return calls('use_tool', { name: 'post__tool_33', input: '{"to": "Ines"}' })
    if (call === 3) return calls('use_tool', { name: 'post__tool_33', arguments: { to: 'Mia' } })
    return createWordParts('done')
  }
  return withStage({ script, outside: async () => manyTools(inputs) }, async (stage) => {
    await stage.hear('look')
    await stage.execute(answer(await getPosition(stage), 'once'))
    await stage.execute(answer(await getPosition(stage, 1), 'once'))
    const facts = await stage.until('an answer', has('TurnEnded'))
    match(getText(prompts[1] as Prompt), /"name":"post__tool_33".*"parameters"/)
    equal(inputs, ['Ines', 'Mia'])
    equal(
      filterFacts(facts, 'ApprovalAsked').map(({ tool, input }) => [tool, input]),
      [
        ['tool_33', { to: 'Ines' }],
        ['tool_33', { to: 'Mia' }],
      ],
    )
    for (const { tools } of prompts) equal(tools, prompts[0]?.tools)
    equal(
      prompts[0]?.tools.map(({ name }) => name).filter((name) => /^post|_tools?$/.test(name)),
      ['find_tools', 'use_tool'],
    )
  })
})

test('calls only tools of servers with use_tool, and names a similar one', () => {
  const inputs: unknown[] = []
  const script: Script = (prompt, _signal, call) => {
    if (call === 1) return calls('use_tool', { name: 'remember', input: { op: 'keep', text: 'Likes tea.' } })
    if (call === 2) return calls('use_tool', { name: 'post__tol_33' })
    return createWordParts(JSON.stringify(prompt.messages))
  }
  return withStage({ script, outside: async () => manyTools(inputs) }, async (stage) => {
    await stage.hear('I like tea')
    const facts = await stage.until('an answer', has('TurnEnded'))
    equal([inputs, filterFacts(facts, 'MemoryKept')], [[], []])
    match(getReplies(facts)[0] ?? '', 'There is no tool named remember.')
    match(getReplies(facts)[0] ?? '', 'Did you mean post__tool_33?')
  })
})

test.run()
