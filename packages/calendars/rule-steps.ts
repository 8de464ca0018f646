/**
 * Limits the steps of ical.js. Measured with 2.2.1: a rule such as `FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31` never
 * returns from one call of `next`.
 */
import ICAL from 'ical.js'
import { maxRuleSteps } from './calendar-limits.ts'

export interface StepBudget {
  /** Steps that are left for all rules. */
  total: number
  /** Steps of the current rule so far. */
  rule: number
}

class TooManySteps extends Error {
  override readonly name = 'TooManySteps'
}

/** Runs work whose rules throw beyond the limits. The library calls the function for each candidate. */
export const limitSteps = <T>(budget: StepBudget, work: () => T): T => {
  const { prototype } = ICAL.RecurIterator
  const originalCheck = prototype.check_contracting_rules
  prototype.check_contracting_rules = function (this: ICAL.RecurIterator) {
    budget.total--
    if (++budget.rule > maxRuleSteps || budget.total < 0) throw new TooManySteps('too many steps of a rule')
    return originalCheck.call(this)
  }
  try {
    return work()
  } finally {
    prototype.check_contracting_rules = originalCheck
  }
}
