/** Its statements as the routes show them, and found again. */

import { type Clock, isoIn } from '../../../packages/kit/time/clock.ts'
import type { Knowledge } from '../../../projections/knowledge.ts'
import { type Memory, memoryOf, type Time } from '../../../projections/memories.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
import { Refused } from '../../persona/refusals.ts'

// The zone is asked late: what knows the zones takes longer to load than the rest of a start.
export const timeIn =
  (clock: Clock): Time =>
  (at) =>
    isoIn(clock.zone, at)

/** Known or forgotten. Refused: statement_unknown. */
export const memoryIn = ({ statements, forgotten }: Knowledge, id: string, clock: Clock): Memory => {
  const statement = valueAt(statements, id) ?? valueAt(forgotten, id)
  if (!statement) throw new Refused({ code: 'statement_unknown', id })
  return memoryOf(statement, timeIn(clock))
}
