/** The tool `plan`, with a local time or with minutes from now. */
import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { formatWall, toInstant } from '../../packages/kit/time/local-time.ts'
import { emptyKeyed, withValue } from '../../projections/persistent-map.ts'
import { noProvenance } from '../../src/mind/memory/provenance.ts'
import { plan } from '../../src/mind/tools/plan.ts'
import type { ToolContext } from '../../src/mind/tools/tool.ts'
import { awake, fold } from '../persona/given.ts'

const zone = 'Europe/Berlin'
const planAt = (nowIso: string, input: object) =>
  plan.run({ kind: 'reminder', content: 'look', ...input }, {
    now: Date.parse(nowIso),
    zone,
    persona: fold(awake),
    newId: () => '1',
    provenance: noProvenance,
  } as unknown as ToolContext)

test('plans minutes from now to the second, and never too early', async () => {
  for (const [now, minutes, wall] of [
    ['2026-11-23T10:15:18.000+01:00', 1, '2026-11-23T10:16:18'],
    ['2026-11-23T10:15:18.200+01:00', 1, '2026-11-23T10:16:19'],
    ['2026-11-23T10:15:18.000+01:00', 0.5, '2026-11-23T10:15:48'],
    ['2026-11-23T10:15:18.000+01:00', 0, '2026-11-23T10:15:19'],
    ['2026-11-23T23:59:30.000+01:00', 60, '2026-11-24T00:59:30'],
  ] as const) {
    const { output, effect } = await planAt(now, { in_minutes: minutes })
    equal(output, { planned: 'p1', when: formatWall(wall) })
    equal(effect, [
      {
        type: 'WriteEntry',
        entry: { id: 'p1', kind: 'reminder', wall, anchor: wall, zone, content: 'look', recurrence: null },
      },
    ])
  }
})

test('plans the same thing at the same time once', async () => {
  const plan7 = { ...party, id: 'p7', kind: 'reminder', content: 'Call mum.' } as const
  const persona = {
    plans: { open: withValue(emptyKeyed, 'p7', { ...plan7, seq: 5 }), due: [], handled: [] },
  }
  const add = (input: object) =>
    change({ kind: 'reminder', content: 'call mum', when: wall, ...input }, { persona })
  const { output, effect = [] } = await add({})
  equal([output, effect], [{ already_planned: 'p7', when: formatWall(wall) }, []])
  for (const other of [
    { when: '2026-12-05T09:01' },
    { content: 'call dad' },
    { recurrence: 'daily' },
    { kind: 'schedule' },
  ]) {
    const { effect: [addition] = [] } = await add(other)
    is(addition?.type, 'WriteEntry')
  }
})

test('counts minutes in real time when the clocks go back', async () => {
  const { output, effect } = await planAt('2026-10-25T00:50:00Z', { in_minutes: 20 })
  equal(output, { planned: 'p1', when: 'Sunday 2026-10-25T02:10' })
  const [firstEffect] = effect ?? []
  is(
    firstEffect?.type === 'WriteEntry' && toInstant(firstEffect.entry.wall, firstEffect.entry.zone),
    Date.parse('2026-10-25T01:10:00Z'),
  )
})

const wall = '2026-12-05T09:00:00'
const party = {
  id: 'p1',
  kind: 'schedule',
  wall,
  anchor: wall,
  zone,
  content: 'party',
  recurrence: null,
} as const
/** Calls the tool of a persona with this plan. */
const change = (input: object, context: object = {}) =>
  plan.run(input, {
    now: Date.parse('2026-11-23T10:15:00+01:00'),
    zone,
    newId: () => '1',
    provenance: noProvenance,
    persona: { plans: { open: withValue(emptyKeyed, 'p1', { ...party, seq: 5 }), due: [], handled: [] } },
    ...context,
  } as unknown as ToolContext)

test('moves a plan in one fact, with the authority of a cancellation', async () => {
  const input = { op: 'move', id: 'p1', when: '2026-12-06T15:30' }
  const moved = await change(input)
  equal(moved.output, { changed: 'p1', when: 'Sunday 2026-12-06T15:30' })
  const time = { wall: '2026-12-06T15:30:00', anchor: '2026-12-06T15:30:00' }
  equal(moved.effect, [{ type: 'MoveEntry', entry: { ...party, ...time } }])
  const weekly = await change({ ...input, recurrence: 'weekly' })
  equal(weekly.effect, [{ type: 'MoveEntry', entry: { ...party, ...time, recurrence: 'weekly' } }])
  const others = [{ text: 'Move the party.', via: { from: 'file', by: 'a' }, place: 'brought' }]
  const said = (words: string) => ({ provenance: { said: [{ seq: 1, words, file: false }], others } })
  is((await change(input, said('What is this?'))).ok, false)
  is((await change(input, said('They moved the party to Sunday.'))).ok, true)
  for (const [wrong, error] of [
    [{ op: 'move', when: '2026-12-06T15:30' }, /id/],
    [{ op: 'move', id: 'p9', when: '2026-12-06T15:30' }, /p9/],
  ] as const)
    match(String(((await change(wrong)).output as { error: string }).error), error)
})

test('plans an appointment without a time for the day', async () => {
  const { output, effect } = await change({ kind: 'schedule', content: 'fair', when: '2026-12-05' })
  equal(output, {
    planned: 'p1',
    when: 'Saturday 2026-12-05',
    note: 'No time was given, so it is for the day. It reaches you at 09:00.',
  })
  equal(effect, [{ type: 'WriteEntry', entry: { ...party, content: 'fair', allDay: true } }])
  const known = {
    plans: { open: withValue(emptyKeyed, 'p1', { ...party, allDay: true, seq: 5 }), due: [], handled: [] },
  }
  const listReply = await change({ op: 'list' }, { persona: known })
  equal((listReply.output as { plans: object[] }).plans, [
    { id: 'p1', kind: 'schedule', when: 'Saturday 2026-12-05', content: 'party', recurrence: null },
  ])
  const timed = await change({ op: 'move', id: 'p1', when: '2026-12-05T15:30' }, { persona: known })
  is(JSON.stringify(timed.effect).includes('allDay'), false)
})

test('prefers a local time to minutes, and reports missing fields', async () => {
  equal((await planAt('2026-11-23T10:15:00+01:00', { when: '2026-11-24T09:00', in_minutes: 0 })).output, {
    planned: 'p1',
    when: 'Tuesday 2026-11-24T09:00',
  })
  for (const [input, error] of [
    [{}, /Give when or in_minutes/],
    [{ when: '' }, /Give when or in_minutes/],
    [{ when: 'soon' }, /local date and time/],
    [{ when: '2026-11-22T09:00' }, /in the past/],
    [{ in_minutes: -1 }, /does not fit/],
    [{ in_minutes: 1e12 }, /does not fit/],
  ] as const)
    match(
      String(((await planAt('2026-11-23T10:15:00+01:00', input)).output as { error: string }).error),
      error,
    )
})

test.run()
