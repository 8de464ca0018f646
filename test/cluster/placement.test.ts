/** Placement: a death moves only the personas of the dead daemon, and personas are spread evenly. */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { planHosting } from '../../src/cluster/hosting-plan.ts'
import { choosePlacement } from '../../src/cluster/placement.ts'

const ids = (count: number) => Array.from({ length: count }, () => randomUUID() as string)
const daemonsOf = (count: number) => ids(count).map((id) => id.slice(0, 12))

test('a death moves only the personas of the dead daemon', () => {
  for (const count of [2, 3, 5, 17]) {
    const daemons = daemonsOf(count)
    const [dead, ...alive] = daemons
    for (const id of ids(2000)) {
      const before = choosePlacement(id, daemons)
      const after = choosePlacement(id, alive)
      if (before === dead) assert.ok(alive.includes(after ?? ''))
      else assert.is(after, before)
    }
  }
})

test('a new daemon takes its share and moves no persona between the others', () => {
  const daemons = daemonsOf(4)
  const more = [...daemons, ...daemonsOf(1)]
  const moved = ids(5000).filter((id) => {
    const before = choosePlacement(id, daemons)
    const after = choosePlacement(id, more)
    if (before !== after) assert.is(after, more[4])
    return before !== after
  })
  assert.ok(Math.abs(moved.length - 1000) < 250, `${moved.length} of 5000 moved`)
})

test('spreads personas evenly for any form of ids', () => {
  const many = 20_000
  for (const of of [ids(many), Array.from({ length: many }, (_, n) => `persona-${n}`)]) {
    const daemons = ['a', 'b', 'c', 'd', 'e']
    const counts = new Map(daemons.map((daemon) => [daemon, 0]))
    for (const id of of) {
      const place = choosePlacement(id, daemons) ?? ''
      counts.set(place, (counts.get(place) ?? 0) + 1)
    }
    for (const [daemon, count] of counts)
      assert.ok(Math.abs(count - many / 5) < many / 25, `${daemon} has ${count} of ${many}`)
  }
})

test('ignores the order of the daemons, and returns undefined without daemons', () => {
  const daemons = daemonsOf(6)
  for (const id of ids(500))
    assert.is(choosePlacement(id, daemons), choosePlacement(id, [...daemons].reverse()))
  assert.is(choosePlacement('ada', []), undefined)
})

test('plans every persona for exactly one daemon, which takes the personas that another leaves', () => {
  const daemons = daemonsOf(3)
  const known = ids(300)
  const [first = '', ...rest] = daemons
  const plans = daemons.map((self) =>
    planHosting({ self, alive: daemons, known, hosts: () => (self === first ? 'here' : undefined) }),
  )
  const taken = plans.flatMap(({ take }) => take)
  assert.equal([...taken].sort(), [...(plans[0]?.leave ?? [])].sort())
  assert.equal(plans[0]?.take, [])
  // A leaving daemon gives all its personas to the others and takes none.
  const gone = planHosting({ self: first, alive: rest, known, hosts: () => 'here' })
  assert.equal([gone.take.length, gone.leave.length], [0, known.length])
  // The last live daemon keeps its personas, even while it is leaving.
  assert.equal(planHosting({ self: first, alive: [], known, hosts: () => 'here' }), {
    take: [],
    leave: [],
  })
})

test('takes a read-only persona back if it belongs here, and releases it if another daemon has it', () => {
  const daemons = ['a', 'b']
  const known = ids(100)
  const { take, leave } = planHosting({ self: 'a', alive: daemons, known, hosts: () => 'waiting' })
  assert.equal([...take, ...leave].sort(), [...known].sort())
  assert.ok(take.every((id) => choosePlacement(id, daemons) === 'a') && leave.length > 0)
})

test.run()
