/** Dates whose day, or month and day, may be unknown. */
import { test } from 'uvu'
import { equal, is } from 'uvu/assert'
import { formatPartialDate } from '../../packages/kit/time/local-time.ts'
import { isPartialDate, isPartialDateBefore, isPeriod } from '../../packages/kit/time/partial-date.ts'

test('accepts years, months and days that exist', () => {
  for (const text of ['1900', '2027', '2027-03', '2027-03-31', '2028-02-29'])
    is(isPartialDate(text), true, text)
  for (const text of [
    '',
    '27',
    '1899',
    '3000',
    '2027-3',
    '2027-13',
    '2027-00',
    '2027-02-29',
    '2027-03-31T10:00',
  ])
    is(isPartialDate(text), false, text)
})

test('formats what is known', () => {
  equal(['2027', '2027-03', '2027-03-01'].map(formatPartialDate), ['2027', 'March 2027', '1 March 2027'])
})

test('a month is over when its last day is', () => {
  is(isPartialDateBefore('2026-11', '2026-11-30'), false)
  is(isPartialDateBefore('2026-11', '2026-12-01'), true)
  is(isPartialDateBefore('2026', '2026-12-31'), false)
  is(isPartialDateBefore('2026-11-30', '2026-12-01'), true)
})

test('a period has at least one day', () => {
  is(isPeriod('2026', '2026-03'), true)
  is(isPeriod('2026-04', '2026-03'), false)
  is(isPeriod('2026-03-31', '2026-03'), true)
  is(isPeriod('2027', '2026-12-31'), false)
})

test.run()
