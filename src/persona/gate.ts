/**
 * Serializes the commands of one persona. Commands are decided on the pending state; readers see the
 * committed state.
 */

import type { Cause } from '../../facts/fact-values.ts'
import { getTraits, type PersonaEvent, personaVocabulary } from '../../facts/facts.ts'
import type { Commit, Journal } from '../../facts/persona-journal.ts'
import { asKept } from '../../journal/log/batch-encoder.ts'
import type { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import type { Stopwatch } from '../../journal/log/timeout.ts'
import type { Instant } from '../../packages/kit/time/clock.ts'
import { evolve, evolveStored, type Persona } from '../../projections/persona.ts'
import { createCommitQueue } from './commit-queue.ts'
import type { ExecuteResult } from './persona-store.ts'
import { Refused, StateStale } from './refusals.ts'
import { type Command, decide } from './rules/decide.ts'

export interface Gate {
  /** Committed state. Undefined before the first fact. */
  readonly persona: Persona | undefined
  readonly head: Head
  /** Throws Refused, JournalUnavailable or Damaged. */
  execute(command: Command, author: Cause['by']): Promise<ExecuteResult>
  /** Publishes the commits after the initial head, e.g. of a journal that was just created. */
  readOn(): Promise<ExecuteResult>
  /**
   * Writes something other than a fact: a part or a snapshot. A failure is settled before the next command.
   */
  write<T>(act: (journal: Journal) => Promise<T>): Promise<T>
  /**
   * Replaces the committed state with one that was folded from the facts up to `head`. Returns false if this
   * is not the head, or if decisions wait to be written.
   */
  replaceState(persona: Persona, head: Head): boolean
  /** Resolves when no write is in flight. */
  quiet(): Promise<void>
}

interface Deps {
  readonly journal: Journal
  readonly persona: Persona | undefined
  /** Position of `persona`. Later commits are published. */
  readonly head: Head
  readonly now: () => Instant
  readonly stopwatch: Stopwatch
  /** Called in order for each commit on disk, before its command resolves. Must not throw. */
  readonly publish: (commit: Commit, persona: Persona) => void
  /** Called when damage is found. Nothing can be written after that. */
  readonly onDamage: (error: Damaged) => void
  /** Called when the state on disk stays unknown. The next command or write tries again. */
  readonly doubtful: () => void
}

export const createGate = ({
  journal,
  persona,
  head,
  now,
  stopwatch,
  publish,
  onDamage,
  doubtful,
}: Deps): Gate => {
  let committedState = persona
  let pendingState = persona
  /** Position of the last pending fact. Batches are written in order, so it is known before the write. */
  let lastSeq: number = head.seq

  const publishCommit = (
    commit: Commit,
    stateAfter = commit.entries.reduce(evolveStored, committedState),
  ): ExecuteResult => {
    const persona = stateAfter as Persona
    committedState = persona
    publish(commit, persona)
    return { persona, entries: commit.entries }
  }
  const getUnchanged = (): ExecuteResult => ({ persona: committedState as Persona, entries: [] })
  const rollBack = () => {
    pendingState = committedState
    lastSeq = queue.head.seq
  }
  const queue = createCommitQueue({
    journal,
    head,
    stopwatch,
    publish: (commit) => publishCommit(commit),
    getUnchanged,
    rollBack,
    onDamage,
    doubtful,
  })

  return {
    get persona() {
      return committedState
    },
    get head() {
      return queue.head
    },
    execute: async (command, author) => {
      if (queue.isInDoubt) await queue.waitUntilHealed()
      const decision = decide(pendingState, command)
      if ('refused' in decision) throw new Refused(decision.refused)
      rejectIfStale(pendingState, decision.events)
      const events = decision.events.map((event) => asKept(personaVocabulary, event))
      const { at, offset } = now()
      const stateBefore = pendingState
      const stateAfter = events.reduce<Persona | undefined>(
        (state, event, n) => evolve(state, { seq: lastSeq + 1 + n, at, event }),
        stateBefore,
      )
      // Only after a successful fold, so that a throwing projection changes nothing.
      lastSeq += events.length
      pendingState = stateAfter
      // After a failed batch, `committed` differs from `before` and the commit is folded again.
      return queue.add({ events, checked: true, cause: toCause(author, command), at, offset }, (commit) =>
        publishCommit(commit, committedState === stateBefore ? stateAfter : undefined),
      )
    },
    readOn: async () => {
      const entries = await queue.readOn()
      return { persona: committedState as Persona, entries }
    },
    write: queue.write,
    replaceState: (persona, atHead) => {
      const isCurrent = atHead.seq === queue.head.seq && lastSeq === queue.head.seq && !queue.isInDoubt
      if (isCurrent) committedState = pendingState = persona
      return isCurrent
    },
    quiet: queue.quiet,
  }
}

/** Without them no command can be decided. */
const vitalParts = ['self', 'life', 'talk'] as const

/** Facts that end a life or the persona need no decision about other parts. */
const endings: readonly string[] = ['StopAsked', 'Stopped', 'PersonaDeleted']

/** Throws StateStale if a vital part is stale, or if the facts would change nothing but stale parts. */
const rejectIfStale = (persona: Persona | undefined, events: readonly PersonaEvent[]): void => {
  const { stale } = persona ?? {}
  if (!stale) return
  const isEnding = events.every(({ type }) => endings.includes(type))
  const parts = events.flatMap(({ type }) => getTraits(type).state)
  const part =
    (isEnding ? undefined : vitalParts.find((name) => stale[name])) ??
    (parts.every((name) => stale[name]) ? parts.find((name) => stale[name]) : undefined)
  if (part) throw new StateStale(part, stale[part]?.seq ?? 0)
}

const toCause = (author: Cause['by'], command: Command): Cause => ({
  by: author,
  ...('life' in command && { life: command.life }),
  ...('turn' in command && { turn: command.turn }),
  ...(command.type === 'Undo' && { undoes: command.seq }),
})
