/** The gate of one persona: decisions one at a time on what is decided, everyone else on what is on disk. */
import type { Cause } from '../../journal/facts/fact-values.ts'
import { asKept } from '../../journal/log/batch-encoder.ts'
import type { Damaged } from '../../journal/log/errors.ts'
import type { Commit, Head, Journal } from '../../journal/log/journal.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import type { Instant } from '../time/clock.ts'
import { createCommitQueue } from './commit-queue.ts'
import type { Executed } from './personas.ts'
import { Refused } from './refusals.ts'
import { type Command, decide } from './rules/decide.ts'

export interface Gate {
  /** As it is on disk. Undefined before its first fact. */
  readonly persona: Persona | undefined
  readonly head: Head
  /** Refused · JournalUnavailable · Damaged. */
  execute(command: Command, by: Cause['by']): Promise<Executed>
  /** Tells what lies behind the head it began with, as for a journal just made. */
  readOn(): Promise<Executed>
  /**
   * Writes something that is no fact: a part, a snapshot. What the disk refuses here is healed before the
   * next decision.
   */
  write<T>(act: (journal: Journal) => Promise<T>): Promise<T>
  /** Resolves when nothing is on its way to the disk. */
  quiet(): Promise<void>
}

interface Deps {
  readonly journal: Journal
  readonly persona: Persona | undefined
  /** The position `persona` was folded up to: the journal's head. */
  readonly head: Head
  readonly now: () => Instant
  readonly stopwatch: Stopwatch
  /** Called for every commit in order, once it is on disk, before its command resolves. Must not throw. */
  readonly publish: (commit: Commit, persona: Persona) => void
  /** Called when healing found damage: nothing can be written any more. */
  readonly damaged: (error: Damaged) => void
  /** Called when healing failed: what is on disk shows at the next command or write. */
  readonly doubtful: () => void
}

export const createGate = ({
  journal,
  persona,
  head,
  now,
  stopwatch,
  publish,
  damaged,
  doubtful,
}: Deps): Gate => {
  let committed = persona
  let decided = persona
  /**
   * Position of the last decided fact: batches go out in order, so positions are known before they are
   * written.
   */
  let last: number = head.seq

  const announce = (commit: Commit, after = commit.entries.reduce(evolve, committed)): Executed => {
    const persona = after as Persona
    committed = persona
    publish(commit, persona)
    return { persona, entries: commit.entries }
  }
  const unchanged = (): Executed => ({ persona: committed as Persona, entries: [] })
  const takenBack = () => {
    decided = committed
    last = queue.head.seq
  }
  const queue = createCommitQueue({
    journal,
    head,
    stopwatch,
    announce: (commit) => announce(commit),
    unchanged,
    takenBack,
    damaged,
    doubtful,
  })

  return {
    get persona() {
      return committed
    },
    get head() {
      return queue.head
    },
    execute: async (command, by) => {
      if (queue.inDoubt) await queue.healed()
      const decision = decide(decided, command)
      if ('refused' in decision) throw new Refused(decision.refused)
      const events = decision.events.map(asKept)
      const { at, offset } = now()
      const before = decided
      const after = events.reduce<Persona | undefined>(
        (state, event, n) => evolve(state, { seq: last + 1 + n, at, event }),
        before,
      )
      // Only now: a projection that throws must leave positions and state as they were.
      last += events.length
      decided = after
      // Folded again where what it was decided on is not what lies before it: after a batch that failed.
      return queue.add({ events, checked: true, cause: causeOf(by, command), at, offset }, (commit) =>
        announce(commit, committed === before ? after : undefined),
      )
    },
    readOn: async () => {
      const entries = await queue.readOn()
      return { persona: committed as Persona, entries }
    },
    write: queue.write,
    quiet: queue.quiet,
  }
}

const causeOf = (by: Cause['by'], command: Command): Cause => ({
  by,
  ...('life' in command && { life: command.life }),
  ...('turn' in command && { turn: command.turn }),
  ...(command.type === 'Undo' && { undoes: command.seq }),
})
