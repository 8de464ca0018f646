/** Errors for a disk that fails or hangs. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Conflict, Damaged, Held, InDoubt, Newer, Unavailable } from '../../journal/log/errors.ts'
import { inTime, type Stopwatch, TookTooLong } from '../../journal/log/timeout.ts'

/** The disk refuses the command; nothing was written. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable'
}

/** The journal is being removed or replaced; the request is cut off. */
export class JournalReplaced extends JournalUnavailable {}

/** The persona is known, but the folder of its journal does not exist. */
export class JournalMissing extends JournalUnavailable {
  constructor(id: PersonaId) {
    super(
      `Its journal is missing: the folder personas/${id}/journal is not there. Put it back, or delete the persona with ?force=true.`,
    )
  }
}

/** Whether a retry may succeed. */
export const isUnavailable = (error: unknown): error is Error =>
  [JournalUnavailable, Unavailable, InDoubt, Conflict, Held, Newer].some((kind) => error instanceof kind)

/** Whether the error comes from the disk. */
export const isOfTheDisk = (error: unknown): boolean =>
  [Unavailable, InDoubt, Damaged, JournalUnavailable].some((kind) => error instanceof kind) ||
  typeof (error as { syscall?: unknown } | null)?.syscall === 'string'

/** Throws JournalUnavailable with `sentence` after the disk timeout. The operation itself continues. */
export const inTimeOr = async <T>(
  sentence: string,
  stopwatch: Stopwatch,
  awaited: Promise<T>,
): Promise<T> => {
  try {
    return await inTime(stopwatch, awaited)
  } catch (error) {
    throw error instanceof TookTooLong ? new JournalUnavailable(sentence) : error
  }
}
