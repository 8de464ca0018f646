/** Limits of calendars of others. */

const dayMs = 24 * 60 * 60_000
const MiB = 1024 * 1024

/** Max bytes of an answer after decompression. */
export const maxCalendarBytes = 20 * MiB
/** Max refreshes at the same time, and as many other reads. */
export const maxConcurrentReads = 2
/** Max memory of the process that reads a calendar, in bytes. */
export const maxReaderMemory = 512 * MiB
/** Max milliseconds of the process. */
export const maxReaderMs = 60_000

/** Events are listed from this long before now. */
export const listedBeforeMs = 366 * dayMs
/** Events are listed until this long after now. */
export const listedAfterMs = 2 * 366 * dayMs

/** Max occurrences of one calendar. Those nearest to now are kept. */
export const maxOccurrences = 3000
/** Max occurrences of one event. */
export const maxOccurrencesOfEvent = 1200
/** Max events that are parsed. */
export const maxEvents = 50_000
/** Max steps of one recurrence rule, with those that lead to no occurrence. */
export const maxRuleSteps = 20_000
/** Max steps of all rules. */
export const maxTotalSteps = 3_000_000

/** UTF-16 units. */
export const maxTitle = 200
export const maxPlace = 200
export const maxNotes = 300
export const maxCalendarName = 100
