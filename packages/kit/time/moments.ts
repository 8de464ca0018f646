/** An ISO date or date-time. */
const momentPattern =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i

/** Local time with milliseconds, and epoch ms if the text has an offset. */
export interface Moment {
  readonly wall: string
  readonly at: number | null
  /** The text has no time of day. */
  readonly dateAlone: boolean
}

/** Checks only the form, not whether the day and hour exist. */
export const isWritten = (text: string): boolean => momentPattern.test(text)

/** Returns null if the text is not an ISO date or date-time. */
export const readMoment = async (text: string): Promise<Moment | null> => {
  // Loaded on first use: luxon takes longer to load than the rest of a start.
  const { DateTime } = await import('luxon')
  const [, date, time, offset] = momentPattern.exec(text) ?? []
  const wall = DateTime.fromISO(`${date}T${time ?? '00:00'}`, { zone: 'utc' })
  const exactTime =
    offset === undefined ? wall : DateTime.fromISO(`${date}T${time}${offset.toUpperCase()}`, { zone: 'utc' })
  if (date === undefined || !wall.isValid || !exactTime.isValid) return null
  const timeMs = offset === undefined ? null : exactTime.toMillis()
  return { wall: wall.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS"), at: timeMs, dateAlone: time === undefined }
}
