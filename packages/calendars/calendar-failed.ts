export const calendarFailureKinds = ['unreachable', 'login', 'password_missing', 'moved', 'answer'] as const

/**
 * Why a calendar could not be read. The message is a clause that follows the name of the calendar. It
 * contains no address beyond a host, and no password. `login`: the server refuses the name or password.
 * `password_missing`: the stored address or password is gone. `moved`: the address does not exist, or belongs
 * elsewhere. `answer`: the answer is no calendar, or is too large.
 */
export class CalendarFailed extends Error {
  override readonly name = 'CalendarFailed'
  readonly kind: (typeof calendarFailureKinds)[number]
  constructor(kind: CalendarFailed['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
