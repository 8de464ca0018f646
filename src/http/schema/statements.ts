/** Finds statements and shows their times. */

import { type Clock, isoIn } from '../../../packages/kit/time/clock.ts'
import type { Knowledge } from '../../../projections/knowledge.ts'
import { type Memory, memoryOf, type Time } from '../../../projections/memories.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
import { Refused } from '../../persona/refusals.ts'

// Reads the zone on each call, because loading the time zone data takes longer than the rest of the start.
export const timeIn =
  (clock: Clock): Time =>
  (at) =>
    isoIn(clock.zone, at)

/** Finds a known or forgotten statement. Throws statement_unknown. */
export const findMemory = ({ statements, forgotten }: Knowledge, id: string, clock: Clock): Memory => {
  const statement = valueAt(statements, id) ?? valueAt(forgotten, id)
  if (!statement) throw new Refused({ code: 'statement_unknown', id })
  return memoryOf(statement, timeIn(clock))
}
