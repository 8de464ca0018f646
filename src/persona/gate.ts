/** The gate of one persona: decisions one at a time on what is decided, everyone else on what is on disk, many decisions to one sync. */

import type { Cause } from '../../journal/facts/fact-values.ts'
import { Conflict, Damaged, Held, InDoubt, Newer, TooLarge, Unavailable } from '../../journal/log/errors.ts'
import type { Commit, Draft, Entry, Head, Journal } from '../../journal/log/journal.ts'
import { inTime, type Stopwatch, TookTooLong } from '../../journal/log/timeout.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import type { Executed } from './personas.ts'
import { Refused } from './refusals.ts'
import type { Command } from './rules/decide.ts'
import { decide } from './rules/decide.ts'

/** The disk refuses; nothing of the command was kept. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable'
}

/** Whether it is the disk that refuses: tried again later, the same may succeed. */
export const isUnavailable = (error: unknown): error is Error =>
  [JournalUnavailable, Unavailable, InDoubt, Conflict, Held, Newer].some((kind) => error instanceof kind)

export interface Gate {
  /** As it is on disk. Undefined before its first fact. */
  readonly persona: Persona | undefined
  readonly head: Head
  execute(command: Command, by: Cause['by']): Promise<Executed>
  /** Tells what lies behind the head it began with, as for a journal just made. */
  readOn(): Promise<Executed>
  /** Writes something that is no fact: a part, a snapshot. What the disk refuses here is healed before the next decision. */
  write<T>(act: (journal: Journal) => Promise<T>): Promise<T>
  /** Resolves when nothing is on its way to the disk. */
  quiet(): Promise<void>
}

interface Ask {
  readonly draft: Draft
  readonly resolve: (executed: Executed) => void
  readonly reject: (error: unknown) => void
}

interface Deps {
  readonly journal: Journal
  readonly persona: Persona | undefined
  /** The position `persona` was folded up to: the journal's head. */
  readonly head: Head
  readonly now: () => { readonly at: number; readonly offset: number }
  readonly stopwatch: Stopwatch
  /** Called for every commit in order, once it is on disk, before its command resolves. Must not throw. */
  readonly publish: (commit: Commit, persona: Persona) => void
  /** Called when healing found damage: nothing can be written any more. */
  readonly damaged: (error: Damaged) => void
  /** Called when healing failed: what is on disk shows at the next command or write. */
  readonly doubtful: () => void
}

/** Drafts of one batch: bounded, so that one sync never waits for a long encoding. */
const mostDrafts = 256

export const createGate = ({ journal, persona, head: start, now, stopwatch, publish, damaged, doubtful: stillDoubtful }: Deps): Gate => {
  let committed = persona
  let decided = persona
  let head = start
  /** Position of the last decided fact: batches go out in order, so positions are known before they are written. */
  let reach: number = start.seq
  let pending: Ask[] = []
  let flushing: Promise<void> | null = null
  /** A batch failed and it is not known what is on disk. */
  let doubtful = false
  let healing: Promise<void> | null = null

  const announce = (commit: Commit): Executed => {
    for (const entry of commit.entries) committed = evolve(committed, entry)
    head = commit.head
    const after = committed as Persona
    publish(commit, after)
    return { persona: after, entries: commit.entries }
  }

  const answer = (batch: readonly Ask[], commits: readonly Commit[]) => {
    let next = 0
    for (const { draft, resolve } of batch) {
      const commit = draft.events.length > 0 ? commits[next++] : undefined
      resolve(commit ? announce(commit) : { persona: committed as Persona, entries: [] })
    }
  }

  /** The next decision is made on what is on disk. */
  const decideOnDisk = () => {
    decided = committed
    reach = head.seq
  }

  /** Every decision behind a failed one is refused with it: it was made on facts that are not there. */
  const refuse = (batch: readonly Ask[], error: Error) => {
    const refused = [...batch, ...pending]
    pending = []
    decideOnDisk()
    for (const { reject } of refused) reject(error)
  }

  /** Reopens and reads on from the last published position: what proves to be on disk is told like any commit. */
  const heal = async (batch: readonly Ask[]) => {
    try {
      await journal.settle()
      const found: Commit[] = []
      for await (const commit of journal.commits(head)) found.push(commit)
      if (found.length > 0 && found.length === batch.filter(hasEvents).length) answer(batch, found)
      else {
        for (const commit of found) announce(commit)
        refuse(batch, new JournalUnavailable('the disk refused the write; nothing of this was kept'))
      }
      // Where its callers had gone already, what was decided was taken back with them.
      if (pending.length === 0) decideOnDisk()
      doubtful = false
    } catch (error) {
      const told =
        error instanceof Damaged ? error : new JournalUnavailable('the disk cannot be written now; this may or may not have been kept')
      refuse(batch, told)
      if (told instanceof Damaged) damaged(told)
      else stillDoubtful()
      throw told
    } finally {
      healing = null
    }
  }

  /** Null when the batch was answered by other means: refused, or found on disk after all. */
  const append = async (batch: readonly Ask[]): Promise<readonly Commit[] | null> => {
    const drafts = batch.filter(hasEvents).map(({ draft }) => draft)
    try {
      return drafts.length > 0 ? await inTime(stopwatch, journal.append(drafts, head)) : []
    } catch (error) {
      if (error instanceof TooLarge) refuse(batch, error)
      else {
        doubtful = true
        // What hangs is told at once; healing waits behind it, for as long as it takes.
        if (error instanceof TookTooLong) refuse(batch, new JournalUnavailable(silent))
        healing = heal(batch)
        await orSilent(healing).catch((told: Error) => refuse(batch, told))
      }
      return null
    }
  }

  const orSilent = async <T>(awaited: Promise<T>): Promise<T> => {
    try {
      return await inTime(stopwatch, awaited)
    } catch (error) {
      throw error instanceof TookTooLong ? new JournalUnavailable(silent) : error
    }
  }

  const flush = async () => {
    try {
      while (pending.length > 0) {
        // Those who were just acknowledged ask again in this turn of the loop: their commands share the next sync.
        await new Promise(setImmediate)
        const batch = pending.slice(0, mostDrafts)
        pending = pending.slice(mostDrafts)
        const commits = await append(batch)
        if (commits) answer(batch, commits)
      }
    } finally {
      // In the same breath as the last look at what is pending: whoever comes later starts anew.
      flushing = null
    }
  }

  /** A batch on its way finds out by itself, and heals. */
  const healed = async () => {
    while (doubtful) {
      if (healing === null && flushing !== null) await flushing
      else {
        healing ??= heal([])
        await orSilent(healing)
      }
    }
  }

  return {
    get persona() {
      return committed
    },
    get head() {
      return head
    },
    execute: async (command, by) => {
      if (doubtful) await healed()
      const decision = decide(decided, command)
      if ('refused' in decision) throw new Refused(decision.refused)
      const { at, offset } = now()
      const draft: Draft = { events: decision.events, cause: causeOf(by, command), at, offset }
      decided = decision.events.reduce<Persona | undefined>((state, event) => evolve(state, { seq: ++reach, at, event }), decided)
      const executed = new Promise<Executed>((resolve, reject) => pending.push({ draft, resolve, reject }))
      flushing ??= flush()
      return executed
    },
    readOn: async () => {
      const entries: Entry[] = []
      for await (const commit of journal.commits(head)) entries.push(...announce(commit).entries)
      decideOnDisk()
      return { persona: committed as Persona, entries }
    },
    write: async (act) => {
      if (doubtful) await healed()
      try {
        return await orSilent(act(journal))
      } catch (error) {
        if (!(error instanceof Unavailable || error instanceof InDoubt || error instanceof JournalUnavailable)) throw error
        doubtful = true
        throw error instanceof JournalUnavailable ? error : new JournalUnavailable('the disk refused the write')
      }
    },
    quiet: async () => {
      while (flushing !== null) await flushing
    },
  }
}

const silent = 'the disk does not answer; this may or may not have been kept'

const causeOf = (by: Cause['by'], command: Command): Cause => ({
  by,
  ...('life' in command && { life: command.life }),
  ...('turn' in command && { turn: command.turn }),
})

const hasEvents = ({ draft }: Ask): boolean => draft.events.length > 0
