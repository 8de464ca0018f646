/** Exit codes of the process. `docs/reference/command-line.md` documents them for scripts. */
export const exitCodes = {
  /** The daemon refused, or a check failed. */
  refused: 1,
  /** The arguments are invalid. */
  usage: 2,
  /** No daemon answers at the address. */
  unreachable: 3,
  /** There is no persona with that name or id, or it has nothing with that id. */
  unknown: 4,
  /** The home is of a newer version. */
  newer: 5,
} as const

/** Its message is shown as one line. The process exits with `code`. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly code: number
  /** HTTP status of the daemon's refusal. Null if the daemon did not refuse. */
  readonly status: number | null

  constructor(line: string, code: number, status: number | null = null) {
    super(line)
    this.code = code
    this.status = status
  }
}
