/** Occurrences of calendars: rules, exceptions, zones, and calendars that are damaged or endless. */
import { test } from 'uvu'
import { equal, is, ok, throws } from 'uvu/assert'
import { isoIn } from '../../kit/time/clock.ts'
import { maxOccurrences, maxOccurrencesOfEvent } from '../calendar-limits.ts'
import { type ExpansionOptions, expandCalendar, NotACalendar } from '../expand-calendar.ts'

const dayMs = 24 * 60 * 60_000
const now = Date.UTC(2026, 10, 28, 12)
const berlin = 'Europe/Berlin'

const expand = (text: string, options: Partial<ExpansionOptions> = {}) =>
  expandCalendar(text, { from: now - 30 * dayMs, to: now + 366 * dayMs, now, zone: berlin, ...options })

const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: readonly string[]): string =>
  [
    'BEGIN:VEVENT',
    ...(lines.some((line) => line.startsWith('UID')) ? [] : ['UID:a@b']),
    ...lines,
    'END:VEVENT',
  ].join('\r\n')

/** Returns the starts in Berlin. */
const starts = (text: string, options: Partial<ExpansionOptions> = {}): readonly string[] =>
  expand(text, options).occurrences.map(({ start }) => isoIn(berlin, start).replace(':00.000', ''))

test('reads the texts of an event and leaves out control characters', () => {
  const { occurrences, name, refreshMs } = expand(
    calendar(
      'X-WR-CALNAME:My\\, work',
      'REFRESH-INTERVAL;VALUE=DURATION:PT2H',
      event(
        'DTSTART;TZID=Europe/Berlin:20261201T090000',
        'DTEND;TZID=Europe/Berlin:20261201T103000',
        'SUMMARY:Dentist\\, at last\u0007',
        'LOCATION:Main',
        '  Street 1',
        'DESCRIPTION:Bring\\nthe card',
      ),
    ),
  )
  equal(occurrences, [
    {
      start: Date.UTC(2026, 11, 1, 8),
      end: Date.UTC(2026, 11, 1, 9, 30),
      title: 'Dentist, at last',
      place: 'Main Street 1',
      notes: 'Bring\nthe card',
    },
  ])
  is(name, 'My, work')
  is(refreshMs, 2 * 60 * 60_000)
})

test('reads events of a whole day in the zone of the daemon', () => {
  const text = calendar(
    event('UID:1', 'DTSTART;VALUE=DATE:20261224', 'SUMMARY:Christmas Eve'),
    event('UID:2', 'DTSTART;VALUE=DATE:20261226', 'DTEND;VALUE=DATE:20261229', 'SUMMARY:Trip'),
  )
  const [eve, trip] = expand(text).occurrences
  equal(eve?.days, { first: '2026-12-24', last: '2026-12-24' })
  is(isoIn(berlin, eve?.start ?? 0), '2026-12-24T00:00:00.000+01:00')
  equal(trip?.days, { first: '2026-12-26', last: '2026-12-28' })
  is(isoIn(berlin, trip?.end ?? 0), '2026-12-29T00:00:00.000+01:00')
})

test('keeps the wall time of a weekly event over the change of the clocks', () => {
  equal(
    starts(
      calendar(
        event('DTSTART;TZID=Europe/Berlin:20261012T090000', 'RRULE:FREQ=WEEKLY;UNTIL=20261102T080000Z'),
      ),
      {
        from: Date.UTC(2026, 9, 1),
      },
    ),
    ['2026-10-12T09:00+02:00', '2026-10-19T09:00+02:00', '2026-10-26T09:00+01:00', '2026-11-02T09:00+01:00'],
  )
})

test('moves a time that the clocks skip, and takes the first of a repeated one', () => {
  const options = { from: Date.UTC(2026, 2, 1), to: Date.UTC(2027, 0, 1) }
  equal(
    starts(
      calendar(
        event('UID:1', 'DTSTART;TZID=Europe/Berlin:20260329T023000'),
        event('UID:2', 'DTSTART;TZID=Europe/Berlin:20261025T023000'),
      ),
      options,
    ),
    ['2026-03-29T03:30+02:00', '2026-10-25T02:30+02:00'],
  )
})

test('leaves out excluded dates in any form, and adds extra ones', () => {
  equal(
    starts(
      calendar(
        event(
          'DTSTART;TZID=Europe/Berlin:20261201T090000',
          'RRULE:FREQ=DAILY;COUNT=5',
          'EXDATE;TZID=Europe/Berlin:20261202T090000',
          'EXDATE:20261203T080000Z',
          'RDATE;TZID=Europe/Berlin:20261220T100000',
          'RDATE;TZID=America/New_York:20261221T030000',
        ),
      ),
    ),
    ['2026-12-01T09:00', '2026-12-04T09:00', '2026-12-05T09:00', '2026-12-20T10:00', '2026-12-21T09:00'].map(
      (wall) => `${wall}+01:00`,
    ),
  )
  equal(
    expand(
      calendar(
        event('DTSTART;VALUE=DATE:20261201', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20261202'),
      ),
    ).occurrences.map(({ days }) => days?.first),
    ['2026-12-01', '2026-12-03'],
  )
})

test('replaces single occurrences, and leaves out cancelled ones', () => {
  const { occurrences } = expand(
    calendar(
      event('DTSTART;TZID=Europe/Berlin:20261201T090000', 'RRULE:FREQ=DAILY;COUNT=4', 'SUMMARY:Standup'),
      event(
        'RECURRENCE-ID;TZID=Europe/Berlin:20261202T090000',
        'DTSTART;TZID=Europe/Berlin:20261202T150000',
        'SUMMARY:Late',
      ),
      event('RECURRENCE-ID:20261203T080000Z', 'DTSTART:20261203T080000Z', 'STATUS:CANCELLED', 'SUMMARY:Gone'),
    ),
  )
  equal(
    occurrences.map(({ start, title }) => `${isoIn(berlin, start).slice(0, 16)} ${title}`),
    ['2026-12-01T09:00 Standup', '2026-12-02T15:00 Late', '2026-12-04T09:00 Standup'],
  )
})

test('changes an occurrence and all following ones', () => {
  const { occurrences } = expand(
    calendar(
      event(
        'DTSTART;TZID=Europe/Berlin:20261201T090000',
        'DTEND;TZID=Europe/Berlin:20261201T093000',
        'RRULE:FREQ=DAILY;COUNT=4',
        'SUMMARY:Old',
      ),
      event(
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261203T090000',
        'DTSTART;TZID=Europe/Berlin:20261203T110000',
        'DTEND;TZID=Europe/Berlin:20261203T120000',
        'SUMMARY:New',
      ),
    ),
  )
  equal(
    occurrences.map(
      ({ start, end, title }) => `${isoIn(berlin, start).slice(5, 16)} ${(end - start) / 60_000} ${title}`,
    ),
    ['12-01T09:00 30 Old', '12-02T09:00 30 Old', '12-03T11:00 60 New', '12-04T11:00 60 New'],
  )
})

test('shows a changed occurrence whose event is not in the calendar', () => {
  equal(starts(calendar(event('RECURRENCE-ID:20261203T080000Z', 'DTSTART:20261203T090000Z'))), [
    '2026-12-03T10:00+01:00',
  ])
})

test('takes the newest version of an event that comes twice', () => {
  const { occurrences } = expand(
    calendar(
      event('DTSTART:20261203T090000Z', 'SEQUENCE:2', 'SUMMARY:New'),
      event('DTSTART:20261203T090000Z', 'SEQUENCE:1', 'SUMMARY:Old'),
    ),
  )
  equal(
    occurrences.map(({ title }) => title),
    ['New'],
  )
})

test('leaves out cancelled events, and marks tentative ones', () => {
  const { occurrences } = expand(
    calendar(
      event('UID:1', 'DTSTART:20261203T090000Z', 'STATUS:CANCELLED'),
      event('UID:2', 'DTSTART:20261204T090000Z', 'STATUS:TENTATIVE'),
    ),
  )
  equal(
    occurrences.map(({ tentative }) => tentative),
    [true],
  )
})

test('knows zones of Windows, with prefixes, and definitions of the calendar', () => {
  const customZone = [
    'BEGIN:VTIMEZONE',
    'TZID:Customized Time Zone',
    'BEGIN:STANDARD',
    'DTSTART:16011028T030000',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
    'TZOFFSETFROM:+0330',
    'TZOFFSETTO:+0230',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010325T020000',
    'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
    'TZOFFSETFROM:+0230',
    'TZOFFSETTO:+0330',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ]
  const { occurrences, hasUnknownZones } = expand(
    calendar(
      ...customZone,
      event('UID:1', 'DTSTART;TZID=W. Europe Standard Time:20261201T090000'),
      event('UID:2', 'DTSTART;TZID="/freeassociation.sourceforge.net/America/New_York":20261202T090000'),
      event('UID:3', 'DTSTART;TZID=Customized Time Zone:20261203T090000'),
      event('UID:4', 'DTSTART;TZID=Customized Time Zone:20270703T090000'),
    ),
  )
  equal(
    occurrences.map(({ start }) => new Date(start).toISOString().slice(0, 16)),
    ['2026-12-01T08:00', '2026-12-02T14:00', '2026-12-03T06:30', '2027-07-03T05:30'],
  )
  is(hasUnknownZones, false)
})

test('reads times of an unknown zone in the zone of the calendar, and reports it', () => {
  const lines = event('DTSTART;TZID=Middle-earth/Shire:20261203T090000')
  const { occurrences, hasUnknownZones } = expand(calendar('X-WR-TIMEZONE:America/New_York', lines))
  is(occurrences[0]?.start, Date.UTC(2026, 11, 3, 14))
  is(hasUnknownZones, true)
  is(expand(calendar(lines)).occurrences[0]?.start, Date.UTC(2026, 11, 3, 8))
})

test('begins old rules near the span and keeps their grid', () => {
  equal(
    starts(
      calendar(event('DTSTART;TZID=Europe/Berlin:19000103T090000', 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=WE')),
      {
        from: now,
        to: now + 30 * dayMs,
      },
    ),
    // 1900-01-03 was a Wednesday, and 2026-12-02 is 3311 times 14 days later.
    ['2026-12-02T09:00+01:00', '2026-12-16T09:00+01:00'],
  )
})

test('reads monthly and yearly rules', () => {
  equal(
    starts(calendar(event('DTSTART;TZID=Europe/Berlin:20260130T090000', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR')), {
      to: now + 70 * dayMs,
    }),
    ['2026-10-30T09:00+01:00', '2026-11-27T09:00+01:00', '2026-12-25T09:00+01:00', '2027-01-29T09:00+01:00'],
  )
  equal(
    starts(
      calendar(
        event('DTSTART;TZID=Europe/Berlin:19990101T090000', 'RRULE:FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=6'),
      ),
    ),
    ['2026-12-06T09:00+01:00'],
  )
})

test('leaves out years and months without the day of the start, also when it counts', () => {
  const options = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2035, 0, 1) }
  const days = (start: string, rule: string) =>
    expand(calendar(event(`DTSTART;VALUE=DATE:${start}`, `RRULE:${rule}`)), options).occurrences.map(
      (occurrence) => occurrence.days?.first,
    )
  equal(days('20240229', 'FREQ=YEARLY'), ['2024-02-29', '2028-02-29', '2032-02-29'])
  equal(days('20240229', 'FREQ=YEARLY;BYMONTH=2;COUNT=2'), ['2024-02-29', '2028-02-29'])
  equal(days('20240131', 'FREQ=YEARLY;BYMONTH=1,2,3;COUNT=3'), ['2024-01-31', '2024-03-31', '2025-01-31'])
  equal(days('20240131', 'FREQ=MONTHLY;COUNT=3'), ['2024-01-31', '2024-03-31', '2024-05-31'])
  equal(days('20240101', 'FREQ=YEARLY;BYYEARDAY=60;COUNT=2'), ['2024-02-29', '2025-03-01'])
})

for (const rule of [
  'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
  'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1',
  'FREQ=MONTHLY;BYMONTHDAY=1,5;BYSETPOS=2',
  'FREQ=YEARLY;BYDAY=MO,TU;BYSETPOS=1',
  'FREQ=YEARLY;BYMONTH=1,3;BYDAY=MO;BYSETPOS=1',
])
  test(`counts an event as unreadable if its rule cannot be computed: ${rule}`, () => {
    const { occurrences, unreadable } = expand(
      calendar(
        event('DTSTART:20261201T090000Z', `RRULE:${rule}`),
        event('UID:2', 'DTSTART:20261202T090000Z'),
      ),
    )
    equal([occurrences.length, unreadable], [1, 1])
  })

test('selects from the weekdays of a month by position', () => {
  const options = { to: now + 70 * dayMs }
  const workday = 'BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'
  const text = calendar(event('DTSTART:20261130T080000Z', `RRULE:FREQ=MONTHLY;${workday}`))
  equal(starts(text, options), ['2026-11-30T09:00+01:00', '2026-12-31T09:00+01:00', '2027-01-29T09:00+01:00'])
})

test('leaves out the whole day of an excluded date of an event with hours', () => {
  const lines = ['DTSTART;TZID=Europe/Berlin:20261201T003000', 'RRULE:FREQ=DAILY;COUNT=3']
  equal(starts(calendar(event(...lines, 'EXDATE;VALUE=DATE:20261202'))), [
    '2026-12-01T00:30+01:00',
    '2026-12-03T00:30+01:00',
  ])
})

test('bounds rules that repeat each second, and shows the nearest times', () => {
  const { occurrences, isCut } = expand(calendar(event('DTSTART:20000101T000000Z', 'RRULE:FREQ=SECONDLY')))
  is(occurrences.length <= maxOccurrencesOfEvent, true)
  ok(occurrences.length > 0)
  is(isCut, true)
})

for (const rule of [
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31',
  'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;INTERVAL=7;BYDAY=WE',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;BYMONTH=13',
  'FREQ=NEVER',
  'nonsense',
])
  test(`ends a rule without occurrences or meaning: ${rule}`, () => {
    const text = calendar(
      event('UID:1', 'DTSTART:20261201T090000Z', `RRULE:${rule}`),
      event('UID:2', 'DTSTART:20261202T090000Z', 'SUMMARY:Still here'),
    )
    const { occurrences } = expand(text)
    ok(occurrences.some(({ title }) => title === 'Still here'))
    ok(
      occurrences
        .filter(({ title }) => title === '')
        .every(({ start }) => start === Date.UTC(2026, 11, 1, 9)),
    )
  })

test('leaves out damaged events and reads the others', () => {
  const { occurrences, unreadable } = expand(
    calendar(
      event('UID:1', 'DTSTART:20269999T990000Z'),
      event('UID:2', 'SUMMARY:No start'),
      event('UID:3', 'DTSTART:soon'),
      event('UID:4', 'this is no property'),
      event('UID:5', 'DTSTART:20261202T090000Z', 'SUMMARY:Good'),
      'BEGIN:VEVENT',
      'DTSTART:20261203T090000Z',
    ),
  )
  equal(
    occurrences.map(({ title }) => title),
    ['Good'],
  )
  ok(unreadable >= 3)
})

test('ignores parts of an event, such as its alarms, and other components', () => {
  const { occurrences } = expand(
    calendar(
      'BEGIN:VTODO',
      'DTSTART:20261202T090000Z',
      'END:VTODO',
      event(
        'DTSTART:20261202T090000Z',
        'BEGIN:VALARM',
        'DESCRIPTION:alarm',
        'TRIGGER:-PT10M',
        'END:VALARM',
        'SUMMARY:Good',
      ),
    ),
  )
  equal(
    occurrences.map(({ title, notes }) => [title, notes]),
    [['Good', undefined]],
  )
})

test('keeps the nearest occurrences of a calendar with too many', () => {
  const events = Array.from({ length: 30 }, (_, n) =>
    event(`UID:${n}`, `DTSTART:20261101T${String(n % 24).padStart(2, '0')}0000Z`, 'RRULE:FREQ=DAILY'),
  )
  const { occurrences, isCut } = expand(calendar(...events), { to: now + 700 * dayMs })
  is(occurrences.length, maxOccurrences)
  is(isCut, true)
  ok(occurrences.every(({ start }, n) => n === 0 || start >= (occurrences[n - 1]?.start ?? 0)))
})

test('refuses a text that is not a calendar', () => {
  for (const text of [
    '',
    '<!doctype html><title>Login</title>',
    '{"kind":"calendar#events"}',
    'BEGIN:VCARD\nEND:VCARD',
  ])
    throws(
      () => expand(text),
      (error: unknown) => error instanceof NotACalendar,
    )
})

test('reads an empty calendar', () => {
  equal(expand(calendar()).occurrences, [])
})

test.run()
