/** Reminders over days without a running daemon: a sleeping machine, clock changes and a crash in between. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import type { Recurrence } from '../../facts/fact-values.ts'
import type { EventOf, EventType, PersonaEvent } from '../../facts/facts.ts'
import { toInstant } from '../../packages/kit/time/local-time.ts'
import { MindError } from '../../packages/models/mind.ts'
import { waitFor } from '../calls.ts'
import { createFakeClock } from '../clock.ts'
import { createWordParts, hangs, openStage, type Script, type Stage } from './stage.ts'

const zone = 'Europe/Berlin'
const filterFacts = <T extends EventType>(facts: readonly PersonaEvent[], type: T): readonly EventOf<T>[] =>
  facts.filter((fact): fact is EventOf<T> => fact.type === type)
const hasDone = (times: number) => (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'EntryDone').length >= times

/** Advances the clock in small steps while waiting, so that nothing else becomes due. */
const waitForFacts = (
  stage: Stage,
  description: string,
  test: (facts: readonly PersonaEvent[]) => boolean,
  step = 100,
) =>
  waitFor(description, async () => {
    const facts = await stage.facts()
    if (test(facts)) return facts
    await stage.clock.advance(step)
    return undefined
  })
const beat = ({ clock }: Stage) => clock.advance(60_000)

/** Answers with the due entries of the prompt. */
const tellTime: Script = ({ messages }) => {
  const last = messages.findLastIndex(({ role }) => role !== 'user')
  const lines = messages
    .slice(last + 1)
    .flatMap(({ content }) => String(content).match(/\[due\] [^\n]*/g) ?? [])
  return createWordParts(lines.length > 0 ? lines.join('\n') : 'Nothing.')
}
const getDelivered = (facts: readonly PersonaEvent[]) =>
  filterFacts(facts, 'MessageSpoken')
    .flatMap(({ content }) => content.match(/planned for [^\n]*/g) ?? [])
    .sort()

const entry = (id: string, wall: string, recurrence: Recurrence | null = null, anchor = wall) => ({
  id,
  kind: 'reminder' as const,
  wall: `${wall}:00`,
  zone,
  content: `the ${id}`,
  recurrence,
  anchor: `${anchor}:00`,
})
const plan = async (stage: Stage, ...entries: readonly ReturnType<typeof entry>[]) => {
  for (const plannedEntry of entries) await stage.execute({ type: 'WriteEntry', entry: plannedEntry })
}
const open = (facts: readonly PersonaEvent[]) => {
  const closedIds = new Set(
    [...filterFacts(facts, 'EntryDue'), ...filterFacts(facts, 'EntryCancelled')].map(({ id }) => id),
  )
  return filterFacts(facts, 'EntryPlanned')
    .filter(({ id }) => !closedIds.has(id))
    .map(({ wall, content, recurrence }) => `${wall.slice(0, 16)} ${content} ${recurrence}`)
    .sort()
}

/** The Friday before the autumn clock change. The machine wakes on the Monday after. */
const friday = '2026-10-23T10:00:00+02:00'
const monday = toInstant('2026-10-26T10:00:00', zone)
const promises = [
  entry('letter', '2026-10-24T12:00'),
  entry('call', '2026-10-25T02:30'),
  entry('tea', '2026-10-23T21:00', 'daily', '2026-10-01T21:00'),
  entry('water', '2026-10-23T11:15', 'hourly'),
  entry('bins', '2026-10-26T07:00', 'weekly'),
  entry('rent', '2026-10-31T09:00', 'monthly', '2026-08-31T09:00'),
]
const expectedLines = [
  'planned for 2026-10-23T11:15, now late: the water',
  'planned for 2026-10-23T21:00, now late: the tea',
  'planned for 2026-10-24T12:00, now late: the letter',
  'planned for 2026-10-25T02:30, now late: the call',
  'planned for 2026-10-26T07:00, now late: the bins',
]

// Fails if reminders are completed when a turn takes them, and if they are never completed.
test('delivers each reminder once after a sleep over a clock change and a crash, and continues recurring ones by wall clock', async () => {
  const clock = createFakeClock(friday, zone)
  const dies: Script = (prompt, signal) =>
    JSON.stringify(prompt.messages).includes('[due]') ? hangs(signal) : createWordParts('Nothing.')
  const stageBefore = await openStage({ script: dies, clock })
  let home = ''
  try {
    await plan(stageBefore, ...promises)
    clock.setTime(monday)
    await beat(stageBefore)
    await waitForFacts(
      stageBefore,
      'a turn about it',
      (facts) =>
        filterFacts(facts, 'TurnBegan').length === 1 &&
        filterFacts(facts, 'EntryDue').length === expectedLines.length,
    )
    home = await stageBefore.crashed()
  } finally {
    await stageBefore.close()
  }
  for (const life of [2, 3]) {
    const stage = await openStage({
      script: tellTime,
      clock: createFakeClock(monday + life * 60_000, zone),
      home,
    })
    const last = home
    try {
      const facts = await waitForFacts(stage, 'the delivery of each', hasDone(promises.length - 1))
      await stage.clock.advance(5 * 60_000)
      equal(getDelivered(await stage.facts()), expectedLines, `life ${life}`)
      is(filterFacts(facts, 'EntryDue').length, expectedLines.length)
      equal(open(facts), [
        '2026-10-26T10:15 the water hourly',
        '2026-10-26T21:00 the tea daily',
        '2026-10-31T09:00 the rent monthly',
        '2026-11-02T07:00 the bins weekly',
      ])
      home = await stage.crashed()
    } finally {
      await stage.close()
      await rm(last, { recursive: true, force: true })
    }
  }
  await rm(home, { recursive: true, force: true })
})

test('delivers a moved reminder at its new time only, and a cancelled one never', async () => {
  const clock = createFakeClock(friday, zone)
  let isAway = false
  const script: Script = (prompt, signal, call) => {
    if (isAway) throw new MindError('unreachable', 'Nobody answers.')
    return tellTime(prompt, signal, call)
  }
  const stage = await openStage({ script, clock })
  try {
    await plan(
      stage,
      entry('letter', '2026-10-23T10:30'),
      entry('call', '2026-10-23T10:40'),
      entry('tea', '2026-10-23T10:50', 'daily'),
    )
    await stage.execute({
      type: 'MoveEntry',
      entry: { ...entry('letter', '2026-10-23T11:30'), content: 'the parcel' },
    })
    await stage.execute({ type: 'CancelEntry', id: 'call' })
    clock.setTime(toInstant('2026-10-23T11:00:00', zone))
    await beat(stage)
    await waitForFacts(stage, 'the delivery of the tea', hasDone(1))
    equal(getDelivered(await stage.facts()), ['planned for 2026-10-23T10:50, now late: the tea'])

    // The model is unreachable: waiting reminders are delivered with their stored text.
    isAway = true
    stage.mindAnswers = false
    clock.setTime(toInstant('2026-10-24T20:00:00', zone))
    const facts = await waitForFacts(stage, 'the delivery of the parcel', hasDone(3), 20_000)
    const texts = filterFacts(facts, 'MessageSpoken').map(({ content }) => content)
    is(texts.filter((content) => content.includes('the parcel')).length, 1)
    is(texts.filter((content) => content.includes('the letter') || content.includes('the call')).length, 0)
    ok(
      texts.some((content) => content.includes('the parcel') && content.includes('2026-10-23 at 11:30')),
      texts.join('\n'),
    )
    equal(open(facts).slice(-1), ['2026-10-25T10:50 the tea daily'])
  } finally {
    await stage.close()
  }
})

test.run()
