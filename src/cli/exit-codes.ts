/** What the process ends with. `docs/reference/command-line.md` tells them to people who write scripts. */
export const exitCodes = {
  /** The daemon refused, or what was looked at is not well. */
  refused: 1,
  /** The words of the command make no sense. */
  usage: 2,
  /** No daemon answers at the address. */
  unreachable: 3,
  /** There is no such persona, or nothing of that id in it. */
  unknown: 4,
  /** The home is of a newer daemon. */
  newer: 5,
} as const

/** Told in one line; the process ends with `code`. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly code: number

  constructor(line: string, code: number) {
    super(line)
    this.code = code
  }
}
