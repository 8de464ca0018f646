/**
 * Placement: a death moves only the dead daemon's personas, each persona has a daemon, and they are spread
 * evenly.
 */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planHosting } from '../../src/cluster/hosting-plan.ts'
import { placeOf } from '../../src/cluster/placement.ts'

const ids = (count: number) => Array.from({ length: count }, () => randomUUID() as string)
const toDaemons = (count: number) => ids(count).map((id) => id.slice(0, 12))

test('a death moves the personas of the dead daemon only', () => {
  for (const count of [2, 3, 5, 17]) {
    const daemons = toDaemons(count)
    const [dead, ...alive] = daemons
    for (const id of ids(2000)) {
      const before = placeOf(id, daemons)
      const after = placeOf(id, alive)
      if (before === dead) assert.ok(alive.includes(after ?? ''))
      else assert.is(after, before)
    }
  }
})

test('a new daemon takes its share, and moves no persona between others', () => {
  const daemons = toDaemons(4)
  const withNewDaemon = [...daemons, ...toDaemons(1)]
  const movedIds = ids(5000).filter((id) => {
    const [before, after] = [placeOf(id, daemons), placeOf(id, withNewDaemon)]
    if (before !== after) assert.is(after, withNewDaemon[4])
    return before !== after
  })
  assert.ok(Math.abs(movedIds.length - 1000) < 250, `${movedIds.length} of 5000 moved`)
})

test('spreads personas about evenly for any ids', () => {
  const idCount = 20_000
  for (const idList of [ids(idCount), Array.from({ length: idCount }, (_, n) => `persona-${n}`)]) {
    const daemons = ['a', 'b', 'c', 'd', 'e']
    const counts = new Map(daemons.map((daemon) => [daemon, 0]))
    for (const id of idList) {
      const place = placeOf(id, daemons) ?? ''
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
    for (const [daemon, count] of counts)
      assert.ok(Math.abs(count - idCount / 5) < idCount / 25, `${daemon} has ${count} of ${idCount}`)
  }
})

test('the order of daemons does not matter, and without a daemon there is no place', () => {
  const daemons = toDaemons(6)
  for (const id of ids(500)) assert.is(placeOf(id, daemons), placeOf(id, [...daemons].reverse()))
  assert.is(placeOf('ada', []), undefined)
})

test('every persona is in the plan of one daemon, and another daemon takes each that one leaves', () => {
  const [daemons, known] = [toDaemons(3), ids(300)]
  const [first = '', ...rest] = daemons
  const plans = daemons.map((self) =>
    planHosting({ self, alive: daemons, known, hosts: () => (self === first ? 'here' : undefined) }),
  )
  const takenIds = plans.flatMap(({ take }) => take)
  assert.equal([...takenIds].sort(), [...(plans[0]?.leave ?? [])].sort())
  assert.equal(plans[0]?.take, [])
  // It is leaving: all personas go to the others, and none come.
  const leavingPlan = planHosting({ self: first, alive: rest, known, hosts: () => 'here' })
  assert.equal([leavingPlan.take.length, leavingPlan.leave.length], [0, known.length])
  // The last daemon alive keeps its personas, even while it is leaving.
  assert.equal(planHosting({ self: first, alive: [], known, hosts: () => 'here' }), {
    take: [],
    leave: [],
  })
})

test('a persona that is only read is taken if it belongs here, and released otherwise', () => {
  const [daemons, known] = [['a', 'b'], ids(100)]
  const { take, leave } = planHosting({ self: 'a', alive: daemons, known, hosts: () => 'waiting' })
  assert.equal([...take, ...leave].sort(), [...known].sort())
  assert.ok(take.every((id) => placeOf(id, daemons) === 'a') && leave.length > 0)
})

test.run()
