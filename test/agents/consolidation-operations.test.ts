/** The nightly consolidation pins, merges and dates statements, and sees the plans of the day. */
import { test } from 'uvu'
import { equal, match, not } from 'uvu/assert'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Prompt } from '../../packages/models/mind.ts'
import type { KeepMemory } from '../../src/persona/rules/memory.ts'
import { atOnce, createFakeClock } from '../clock.ts'
import { has, of, openStage, type Stage, says } from './stage.ts'

/** Answers messages with yes, and the consolidation with these operations. */
const withNight = async (
  createOperations: (prompt: Prompt, getNumber: (words: string) => number) => readonly unknown[],
  play: (stage: Stage, sleep: () => Promise<readonly PersonaEvent[]>) => Promise<void>,
) => {
  const stage = await openStage({
    clock: createFakeClock('2026-11-23T10:15:00+01:00', 'Europe/Berlin', atOnce),
    script: (prompt) => {
      if (!prompt.system.includes('# Your answer')) return says('Yes.')
      const lines = String(prompt.messages.at(-1)?.content).split('\n')
      const getNumber = (words: string) =>
        Number(/^\[(\d+)\]/.exec(lines.find((line) => line.endsWith(words)) ?? '')?.[1])
      const operations = createOperations(prompt, getNumber)
      return says(JSON.stringify({ operations, carry: '', summary: 'A talk.' }))
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

const say = async (stage: Stage, words: string) => {
  const before = of(await stage.facts(), 'TurnEnded').length
  await stage.hear(words)
  await stage.until('an answer', has('TurnEnded', before + 1))
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
      const kept = { op: 'keep', document: 'person', sources }
      return [
        { ...kept, text: 'They are allergic to nuts.', from: '', until: '', pin: true },
        { ...kept, text: 'They study in Rome.', from: 'soon', until: '2027-03', pin: false },
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
        ['pinned', of(await stage.facts(), 'MemoryKept').find(({ text }) => /nuts/.test(text))?.id],
        ['kept', 'They study in Rome.', undefined, '2027-03'],
        ['pinned', 'name'],
        ['unpinned', 'tea'],
      ])
      match(system, /- \[tea\] They drink tea\. \(pinned\)/)
      not.match(system, /- \[name\].*\(pinned\)/)
    },
  )
})

// Fails if the system prompt changes between two nights: the cache would be useless.
test('shows a statement that was merged between two nights until the next night', () =>
  withNight(
    () => [{ op: 'merge', ids: ['a', 'b'], text: 'They play tennis with Bo on Tuesdays.', sources: [] }],
    async (stage, sleep) => {
      await keep(stage, 'a', 'They play tennis every Tuesday evening.')
      await keep(stage, 'b', 'They play tennis with Bo on Tuesday evening.')
      await sleep()
      await say(stage, 'Good evening.')
      const before = stage.prompts.at(-1)
      match(before?.system ?? '', /\[b\] They play tennis with Bo/)
      await stage.clock.advance(3_601_000)
      await stage.until('a consolidation', has('MemoryForgotten', 1))
      await say(stage, 'Are you there?')
      const after = stage.prompts.at(-1)
      equal(after?.system, before?.system)
      match(JSON.stringify(after?.messages), /You merged \[b\] into \[a\]/)
      await sleep()
      await say(stage, 'Good morning.')
      not.match(stage.prompts.at(-1)?.system ?? '', /\[b\]/)
    },
  ))

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
        /^- 2026-11-23T10:15 The user planned a reminder for 2026-11-24T09:00 \(Europe\/Berlin\): water the \[9\] plants\n/,
      )
      match(
        content,
        /\n- 2026-11-23T10:15 The user cancelled a reminder: call Bo\n\[\d+\] .* person: Hello\./,
      )
    },
  )
})

test.run()
