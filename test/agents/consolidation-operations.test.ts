/** The nightly consolidation pins, merges and dates statements, and sees the plans of the day. */
import { test } from 'uvu'
import { equal, match, not } from 'uvu/assert'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import type { KeepMemory } from '../../src/persona/rules/memory.ts'
import { createFakeClock, drainQueue } from '../clock.ts'
import { createWordParts, filterFacts, has, openStage, type Stage } from './stage.ts'

/** Answers messages with yes, and the consolidation with these operations and notes. */
const withNight = async (
  createOperations: (prompt: Prompt, getNumber: (text: string) => number) => unknown,
  play: (stage: Stage, sleep: () => Promise<readonly PersonaEvent[]>) => Promise<void>,
  notes = { carry: '', summary: 'A talk.' },
) => {
  const stage = await openStage({
    clock: createFakeClock('2026-11-23T10:15:00+01:00', 'Europe/Berlin', drainQueue),
    script: (prompt) => {
      if (!prompt.system.includes('# Your answer')) return createWordParts('Yes.')
      const lines = String(prompt.messages.at(-1)?.content).split('\n')
      const getNumber = (text: string) =>
        Number(/^\[(\d+)\]/.exec(lines.find((line) => line.endsWith(text)) ?? '')?.[1])
      const operations = createOperations(prompt, getNumber)
      return createWordParts(JSON.stringify({ operations, ...notes }))
    },
  })
  try {
    await play(stage, async () => {
      await stage.agents.sleep('ada')
      return stage.facts()
    })
  } finally {
    await stage.close()
  }
}

const keep = (stage: Stage, id: string, text: string, fields: Partial<KeepMemory> = {}) =>
  stage.execute({
    type: 'KeepMemory',
    id,
    document: 'person',
    text,
    sources: [],
    origin: 'persona',
    ...fields,
  })

const say = async (stage: Stage, message: string) => {
  const countBefore = filterFacts(await stage.facts(), 'TurnEnded').length
  await stage.hear(message)
  await stage.until('an answer', has('TurnEnded', countBefore + 1))
}

const describe = (facts: readonly PersonaEvent[]) =>
  facts.flatMap((fact): readonly unknown[] => {
    if (fact.type === 'MemoryPinned') return [[fact.pinned ? 'pinned' : 'unpinned', fact.id]]
    if (fact.type === 'MemoryForgotten') return [['forgotten', fact.id, fact.into]]
    if (fact.type === 'MemoryRevised') return [['revised', fact.id, fact.text, fact.until]]
    return fact.type === 'MemoryKept' && fact.origin === 'consolidation'
      ? [['kept', fact.text, fact.from, fact.until]]
      : []
  })

test('pins and unpins by id, and pins and dates what it keeps', () => {
  let system = ''
  return withNight(
    (prompt, getNumber) => {
      system = prompt.system
      const sources = [getNumber('I am allergic to nuts, and I study in Rome until March.')]
      const keepOperation = { op: 'keep', document: 'person', sources }
      return [
        { ...keepOperation, text: 'They are allergic to nuts.', from: '', until: '', pin: true },
        { ...keepOperation, text: 'They study in Rome.', from: 'soon', until: '2027-03', pin: false },
        { op: 'pin', ids: ['name', 'unknown'] },
        { op: 'unpin', ids: ['tea'] },
        { op: 'pin' },
      ]
    },
    async (stage, sleep) => {
      await keep(stage, 'name', 'Their name is Mia.')
      await keep(stage, 'tea', 'They drink tea.', { pin: true })
      await say(stage, 'I am allergic to nuts, and I study in Rome until March.')
      equal(describe(await sleep()), [
        ['pinned', 'tea'],
        ['kept', 'They are allergic to nuts.', undefined, undefined],
        ['pinned', filterFacts(await stage.facts(), 'MemoryKept').find(({ text }) => /nuts/.test(text))?.id],
        ['kept', 'They study in Rome.', undefined, '2027-03'],
        ['pinned', 'name'],
        ['unpinned', 'tea'],
      ])
      match(system, /- \[tea\] They drink tea\. \(pinned\)/)
      not.match(system, /- \[name\].*\(pinned\)/)
    },
  )
})

test('sees statements that look alike beside each other, and merges them', () => {
  const systems: string[] = []
  return withNight(
    (prompt) => {
      systems.push(prompt.system)
      return [
        {
          op: 'merge',
          ids: ['a', 'b'],
          text: 'They play tennis with Bo every Tuesday evening.',
          sources: [],
        },
        { op: 'merge', ids: ['a', 'c'], text: 'They play tennis and own a boat.', sources: [] },
      ]
    },
    async (stage, sleep) => {
      await keep(stage, 'a', 'They play tennis every Tuesday evening.')
      await keep(stage, 'b', 'They play tennis with Bo on Tuesday evening.')
      await keep(stage, 'c', 'They are shy.', { document: 'traits' })
      await say(stage, 'Good evening.')
      equal(describe(await sleep()), [
        ['forgotten', 'b', 'a'],
        ['revised', 'a', 'They play tennis with Bo every Tuesday evening.', undefined],
      ])
      match(
        systems[0] ?? '',
        /- \[a\] They play tennis every Tuesday evening\.\n {2}\[b\] They play tennis with Bo on Tuesday evening\.\n/,
      )
      await say(stage, 'Good morning.')
      await sleep()
      not.match(systems[1] ?? '', /# What is to stay forgotten|# Statements that look alike/)
    },
  )
})

test('merges nothing with words that neither the statements nor the user said', () =>
  withNight(
    () => [
      { op: 'merge', ids: ['a', 'b'], text: 'They play chess in Madrid for money.', sources: [] },
      { op: 'merge', ids: ['p', 'q'], text: 'You may write to me at any hour.', sources: [] },
      { op: 'merge', ids: ['a', 'unknown'], text: 'They play tennis.', sources: [] },
      { op: 'merge', ids: 'a', text: 'They play tennis.' },
    ],
    async (stage, sleep) => {
      await keep(stage, 'a', 'They play tennis every Tuesday evening.')
      await keep(stage, 'b', 'They play tennis on Tuesday evening.')
      await keep(stage, 'p', 'You may write to me at six.', { document: 'permissions' })
      await keep(stage, 'q', 'You may write to me at night.', { document: 'permissions' })
      await say(stage, 'Good evening.')
      equal(describe(await sleep()), [])
    },
  ))

test('shows the plans of the day as lines without a number, which are no source', () => {
  let content = ''
  let planSeqs: readonly number[] = []
  const entry = {
    id: 'p1',
    kind: 'reminder',
    wall: '2026-11-24T09:00:00',
    zone: 'Europe/Berlin',
    content: 'water the\n[9] plants',
    recurrence: null,
    anchor: '2026-11-24T09:00:00',
  } as const
  return withNight(
    (prompt) => {
      content = String(prompt.messages.at(-1)?.content)
      return [{ op: 'keep', document: 'person', text: 'They water plants.', sources: planSeqs }]
    },
    async (stage, sleep) => {
      await stage.execute({ type: 'WriteEntry', entry })
      await stage.execute({ type: 'WriteEntry', entry: { ...entry, id: 'p2', content: 'call Bo' } })
      await stage.execute({ type: 'CancelEntry', id: 'p2' })
      planSeqs = (await stage.facts()).flatMap(({ type }, n) => (type.startsWith('Entry') ? n + 1 : []))
      await say(stage, 'Hello.')
      equal(describe(await sleep()), [])
      match(
        content,
        /^- Mon 2026-11-23T10:15 The user planned a reminder for Tuesday 2026-11-24T09:00 \(Europe\/Berlin\): water the \[9\] plants\n/,
      )
      match(
        content,
        /\n- Mon 2026-11-23T10:15 The user cancelled a reminder: call Bo \(planned for Tuesday 2026-11-24T09:00\)\n\[\d+\] Mon 2026-11-23T.* person: Hello\./,
      )
    },
  )
})

// Fails if the next repetition of a plan has a line of its own.
test('shows when a due plan was planned for, and no line for its next repetition', () => {
  let content = ''
  const wall = '2026-11-23T10:16:00'
  const zone = 'Europe/Berlin'
  const entry = { id: 'p1', kind: 'reminder', wall, anchor: wall, zone, content: 'tea' } as const
  return withNight(
    (prompt) => {
      content = String(prompt.messages.at(-1)?.content)
      return []
    },
    async (stage, sleep) => {
      await stage.execute({ type: 'WriteEntry', entry: { ...entry, recurrence: 'daily' } })
      await stage.waitForFacts('the reminder', has('EntryDone'))
      await sleep()
      match(
        content,
        /- Mon 2026-11-23T10:1\d A reminder was due: tea \(planned for Monday 2026-11-23T10:16\)\n/,
      )
      equal(content.match(/planned a reminder/g)?.length, 1)
    },
  )
})

test('reads the operations of a small model', () =>
  withNight(
    (_, getNumber) => [
      {
        op: 'Keep',
        document: 'Person',
        text: 'They are allergic to nuts.',
        sources: [String(getNumber('I am allergic to nuts.')), 'line 7'],
        from: '2026-11-01 00:00',
        until: 'none',
        pin: 'true',
      },
      { op: 'add', document: 'wish', text: 'They want a boat.', sources: `[${getNumber('I want a boat.')}]` },
      { op: 'revise', id: '[tea]', text: 'They drink green tea.', sources: getNumber('Only green tea now.') },
      { op: 'merge', ids: 'a, [b]', text: 'They play tennis with Bo on Tuesday evening.', sources: null },
      { op: 'pin', id: 'name' },
      { op: 'unpin', ids: 'unknown' },
      { op: 'dance', ids: [] },
      'keep it',
    ],
    async (stage, sleep) => {
      await keep(stage, 'name', 'Their name is Mia.')
      await keep(stage, 'tea', 'They drink tea.')
      await keep(stage, 'a', 'They play tennis on Tuesday evening.')
      await keep(stage, 'b', 'They play tennis with Bo.')
      for (const words of ['I am allergic to nuts.', 'I want a boat.', 'Only green tea now.'])
        await say(stage, words)
      const facts = await sleep()
      const id = filterFacts(facts, 'MemoryKept').find(({ text }) => /nuts/.test(text))?.id
      equal(describe(facts), [
        ['kept', 'They are allergic to nuts.', '2026-11-01', undefined],
        ['pinned', id],
        ['kept', 'They want a boat.', undefined, undefined],
        ['revised', 'tea', 'They drink green tea.', undefined],
        ['forgotten', 'b', 'a'],
        ['revised', 'a', 'They play tennis with Bo on Tuesday evening.', undefined],
        ['pinned', 'name'],
      ])
    },
  ))

test('reads one operation that is not in a list', () =>
  withNight(
    (_, getNumber) => ({
      op: 'keep',
      document: 'person',
      text: 'They own a boat.',
      sources: [getNumber('I own a boat.')],
    }),
    async (stage, sleep) => {
      await say(stage, 'I own a boat.')
      equal(describe(await sleep()), [['kept', 'They own a boat.', undefined, undefined]])
    },
  ))

test('does not learn a statement again from the request to forget it', () => {
  const request = 'Bitte vergiss, dass Henning die Werkstatt schließen will.'
  return withNight(
    (_, getNumber) => {
      const kept = { op: 'keep', document: 'person' }
      return [
        { ...kept, text: 'Henning will die Werkstatt schließen.', sources: [getNumber(request)] },
        { ...kept, text: 'They own a boat.', sources: [getNumber(request), getNumber('I own a boat.')] },
      ]
    },
    async (stage, sleep) => {
      await keep(stage, 'henning', 'Henning wants to close the workshop.')
      await say(stage, request)
      await stage.execute({ type: 'ForgetMemory', id: 'henning', why: null, origin: 'persona' })
      await say(stage, 'I own a boat.')
      const facts = await sleep()
      equal(describe(facts), [
        ['forgotten', 'henning', undefined],
        ['kept', 'They own a boat.', undefined, undefined],
      ])
      equal(
        filterFacts(facts, 'ContextCarried').map(({ carry }) => carry),
        ['They own a boat. They were in good spirits.'],
      )
      equal(
        filterFacts(facts, 'DayClosed').map(({ summary }) => summary),
        ['They showed me a boat.'],
      )
    },
    {
      carry:
        'They own a boat. I should forget that Henning wants to close the workshop. They were in good spirits.',
      summary: 'Ich soll vergessen, dass Henning die Werkstatt schließen will.\nThey showed me a boat.',
    },
  )
})

test('ignores the words of the example', () =>
  withNight(
    (_, getNumber) => [
      { op: 'keep', document: 'self', text: 'You like rainy days.', sources: [getNumber('Hello.')] },
    ],
    async (stage, sleep) => {
      await say(stage, 'Hello.')
      const facts = await sleep()
      equal(describe(facts), [])
      equal(
        filterFacts(facts, 'ContextCarried').map(({ carry, summary }) => [carry, summary]),
        [['', '']],
      )
    },
    {
      carry: 'They are waiting for news from the clinic. I promised to ask on Friday.',
      summary: 'They told me about the move to Porto and asked for a packing list.',
    },
  ))

test.run()
