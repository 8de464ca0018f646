/** The tool `plan`, with a local time or with minutes from now. */
import { test } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { formatWall, toInstant } from '../../packages/kit/time/local-time.ts'
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

test('counts minutes in real time when the clocks go back', async () => {
  const { output, effect } = await planAt('2026-10-25T00:50:00Z', { in_minutes: 20 })
  equal(output, { planned: 'p1', when: 'Sunday 2026-10-25T02:10' })
  const [firstEffect] = effect ?? []
  is(
    firstEffect?.type === 'WriteEntry' && toInstant(firstEffect.entry.wall, firstEffect.entry.zone),
    Date.parse('2026-10-25T01:10:00Z'),
  )
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
