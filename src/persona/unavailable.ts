/** What is told where the disk refuses, or hangs. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { Conflict, Damaged, Held, InDoubt, Newer, Unavailable } from '../../journal/log/errors.ts'
import { inTime, type Stopwatch, TookTooLong } from '../../journal/log/timeout.ts'

/** The disk refuses; nothing of the command was kept. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable'
}

/** What was asked of the journal is cut off: it is being taken away or replaced. */
export class JournalReplaced extends JournalUnavailable {}

/** The persona is known, and the folder of its journal is not there. */
export class JournalMissing extends JournalUnavailable {
  constructor(id: PersonaId) {
    super(
      `Its journal is missing: the folder personas/${id}/journal is not there. Put it back, or delete the persona with ?force=true.`,
    )
  }
}

/** Whether it is the disk that refuses: tried again later, the same may succeed. */
export const isUnavailable = (error: unknown): error is Error =>
  [JournalUnavailable, Unavailable, InDoubt, Conflict, Held, Newer].some((kind) => error instanceof kind)

/** Whether the disk is the reason, whatever it said. */
export const isOfTheDisk = (error: unknown): boolean =>
  [Unavailable, InDoubt, Damaged, JournalUnavailable].some((kind) => error instanceof kind) ||
  typeof (error as { syscall?: unknown } | null)?.syscall === 'string'

/**
 * Waits as long as a disk may take; what takes longer goes on without whoever waited for it.
 * JournalUnavailable, in these words.
 */
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
