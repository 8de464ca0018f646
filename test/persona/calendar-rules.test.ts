/** The calendar: entries that the user creates and moves, and due entries. */
import { test } from 'uvu'
import { awake, entryPlanned, given } from './given.ts'

test('plans the next occurrence in the commit that makes a plan due', () => {
  const { type: _, ...entry } = entryPlanned
  given(...awake, entryPlanned)
    .when({ type: 'FallDue', due: [{ id: 'p1', seq: 5, next: { id: 'p2', wall: '2026-11-25T09:00:00' } }] })
    .writes(
      { type: 'EntryDue', id: 'p1' },
      { ...entry, type: 'EntryPlanned', id: 'p2', wall: '2026-11-25T09:00:00' },
    )
})
// Fails if a plan becomes due by its id alone: moved at that moment, it was sent at its old time and never at
// the new one.
test('a plan that is moved at the moment it becomes due is not due', () => {
  const movedFact = { ...entryPlanned, type: 'EntryMoved', wall: '2026-12-24T09:00:00' } as const
  given(...awake, entryPlanned, movedFact)
    .when({ type: 'FallDue', due: [{ id: 'p1', seq: 5, next: null }] })
    .writes()
  given(...awake, entryPlanned, movedFact)
    .when({ type: 'PlanAnew', id: 'p1', seq: 5, wall: '2026-11-25T09:00:00' })
    .refuses('plan_unknown')
})
test('entries by the user need a text, and only open ones can be moved', () => {
  const { type: _, ...entry } = entryPlanned
  given(...awake)
    .when({ type: 'WriteEntry', entry })
    .writes(entryPlanned)
  given(...awake)
    .when({ type: 'WriteEntry', entry: { ...entry, content: ' ' } })
    .refuses('entry_empty')
  given(...awake)
    .when({ type: 'WriteEntry', entry: { ...entry, content: 'x'.repeat(1001) } })
    .refuses('too_long')
  given(...awake, entryPlanned)
    .when({ type: 'MoveEntry', entry })
    .writes({ ...entry, type: 'EntryMoved' })
  given(...awake, entryPlanned, { type: 'EntryDue', id: 'p1' })
    .when({ type: 'MoveEntry', entry })
    .refuses('plan_unknown')
  given(...awake, entryPlanned, { type: 'EntryDue', id: 'p1' })
    .when({ type: 'CancelEntry', id: 'p1' })
    .writes({ type: 'EntryCancelled', id: 'p1' })
})

test.run()
