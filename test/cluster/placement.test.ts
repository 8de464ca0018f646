/** Placement: a death moves only the personas of the dead daemon, and personas are spread evenly. */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planHosting } from '../../src/cluster/hosting-plan.ts'
import { choosePlacement } from '../../src/cluster/placement.ts'

const ids = (count: number) => Array.from({ length: count }, () => randomUUID() as string)
const createDaemonNames = (count: number) => ids(count).map((id) => id.slice(0, 12))

test('a death moves only the personas of the dead daemon', () => {
  for (const count of [2, 3, 5, 17]) {
    const daemons = createDaemonNames(count)
    const [dead, ...alive] = daemons
    for (const id of ids(2000)) {
      const placementBefore = choosePlacement(id, daemons)
      const placementAfter = choosePlacement(id, alive)
      if (placementBefore === dead) assert.ok(alive.includes(placementAfter ?? ''))
      else assert.is(placementAfter, placementBefore)
    }
  }
})

test('a new daemon takes its share and moves no persona between the others', () => {
  const daemons = createDaemonNames(4)
  const moreDaemons = [...daemons, ...createDaemonNames(1)]
  const movedIds = ids(5000).filter((id) => {
    const placementBefore = choosePlacement(id, daemons)
    const placementAfter = choosePlacement(id, moreDaemons)
    if (placementBefore !== placementAfter) assert.is(placementAfter, moreDaemons[4])
    return placementBefore !== placementAfter
  })
  assert.ok(Math.abs(movedIds.length - 1000) < 250, `${movedIds.length} of 5000 moved`)
})

test('spreads personas evenly for any form of ids', () => {
  const personaCount = 20_000
  for (const idList of [ids(personaCount), Array.from({ length: personaCount }, (_, n) => `persona-${n}`)]) {
    const daemons = ['a', 'b', 'c', 'd', 'e']
    const counts = new Map(daemons.map((daemon) => [daemon, 0]))
    for (const id of idList) {
      const place = choosePlacement(id, daemons) ?? ''
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
    for (const [daemon, count] of counts)
      assert.ok(
        Math.abs(count - personaCount / 5) < personaCount / 25,
        `${daemon} has ${count} of ${personaCount}`,
      )
  }
})

test('ignores the order of the daemons, and returns undefined without daemons', () => {
  const daemons = createDaemonNames(6)
  for (const id of ids(500))
    assert.is(choosePlacement(id, daemons), choosePlacement(id, [...daemons].reverse()))
  assert.is(choosePlacement('ada', []), undefined)
})

test('plans every persona for exactly one daemon, which takes the personas that another leaves', () => {
  const daemons = createDaemonNames(3)
  const knownIds = ids(300)
  const [first = '', ...rest] = daemons
  const plans = daemons.map((self) =>
    planHosting({
      self,
      alive: daemons,
      known: knownIds,
      hosts: () => (self === first ? 'here' : undefined),
    }),
  )
  const takenIds = plans.flatMap(({ take }) => take)
  assert.equal([...takenIds].sort(), [...(plans[0]?.leave ?? [])].sort())
  assert.equal(plans[0]?.take, [])
  // A leaving daemon gives all its personas to the others and takes none.
  const planWithoutOne = planHosting({ self: first, alive: rest, known: knownIds, hosts: () => 'here' })
  assert.equal([planWithoutOne.take.length, planWithoutOne.leave.length], [0, knownIds.length])
  // The last live daemon keeps its personas, even while it is leaving.
  assert.equal(planHosting({ self: first, alive: [], known: knownIds, hosts: () => 'here' }), {
    take: [],
    leave: [],
  })
})

test('takes a read-only persona back if it belongs here, and releases it if another daemon has it', () => {
  const daemons = ['a', 'b']
  const knownIds = ids(100)
  const { take, leave } = planHosting({ self: 'a', alive: daemons, known: knownIds, hosts: () => 'waiting' })
  assert.equal([...take, ...leave].sort(), [...knownIds].sort())
  assert.ok(take.every((id) => choosePlacement(id, daemons) === 'a') && leave.length > 0)
})

test.run()
