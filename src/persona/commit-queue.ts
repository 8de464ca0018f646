/**
 * The way of one persona's decisions to the disk: many to one sync, in order; what the disk refused, or left
 * in doubt, is healed before anything else is written.
 */
import { Damaged, InDoubt, TooLarge, Unavailable } from '../../journal/log/errors.ts'
import type { Commit, Draft, Entry, Head, Journal } from '../../journal/log/journal.ts'
import { inTime, type Stopwatch, TookTooLong } from '../../journal/log/timeout.ts'
import type { Executed } from './personas.ts'
import { inTimeOr, JournalUnavailable } from './unavailable.ts'

export interface CommitQueue {
  /** The last position that was announced. */
  readonly head: Head
  /**
   * Resolves once it is on disk and announced: by `appended` where its batch was confirmed.
   * JournalUnavailable · Damaged · TooLarge.
   */
  add(draft: Draft, appended: Announce): Promise<Executed>
  /** Announces what lies behind the head it began with. */
  readOn(): Promise<readonly Entry[]>
  /** Writes something that is no fact. What the disk refuses here is healed before the next decision. */
  write<T>(act: (journal: Journal) => Promise<T>): Promise<T>
  /** A batch failed and it is not known what is on disk. */
  readonly inDoubt: boolean
  /** Resolves once that is known. JournalUnavailable · Damaged. */
  healed(): Promise<void>
  /** Resolves when nothing is on its way to the disk. */
  quiet(): Promise<void>
}

type Announce = (commit: Commit) => Executed

interface Deps {
  readonly journal: Journal
  /** The position from which on commits are announced. */
  readonly head: Head
  readonly stopwatch: Stopwatch
  /** Called for every commit in order, once it is on disk. Must not throw. */
  readonly announce: Announce
  /** What a draft without facts is answered with. */
  readonly unchanged: () => Executed
  /**
   * Every decision that was not announced is refused, or about to be: the next is made on what is on disk.
   */
  readonly takenBack: () => void
  /** Called when healing found damage: nothing can be written any more. */
  readonly damaged: (error: Damaged) => void
  /** Called when healing failed: what is on disk shows at the next command or write. */
  readonly doubtful: () => void
}

interface Waiting {
  readonly draft: Draft
  readonly appended: Announce
  readonly resolve: (executed: Executed) => void
  readonly reject: (error: unknown) => void
}

/** Drafts of one batch: bounded, so that one sync never waits for a long encoding. */
const mostDrafts = 256
const silent = 'the disk does not answer; this may or may not have been kept'

export const createCommitQueue = (deps: Deps): CommitQueue => {
  const { journal, stopwatch, takenBack } = deps
  let { head } = deps
  let pending: Waiting[] = []
  let flushing: Promise<void> | null = null
  let inDoubt = false
  let healing: Promise<void> | null = null

  const announce = (commit: Commit, tell = deps.announce): Executed => {
    head = commit.head
    return tell(commit)
  }

  const answer = (batch: readonly Waiting[], commits: readonly Commit[], found = false) => {
    let next = 0
    for (const { draft, appended, resolve } of batch) {
      const commit = draft.events.length > 0 ? commits[next++] : undefined
      resolve(commit ? announce(commit, found ? deps.announce : appended) : deps.unchanged())
    }
  }

  /** Every decision behind a failed one is refused with it: it was made on facts that are not there. */
  const refuse = (batch: readonly Waiting[], error: Error) => {
    const refused = [...batch, ...pending]
    pending = []
    takenBack()
    for (const { reject } of refused) reject(error)
  }

  /**
   * Reopens and reads on from the last published position: what proves to be on disk is told like any commit.
   */
  const heal = async (batch: readonly Waiting[]) => {
    try {
      await journal.settle()
      const found: Commit[] = []
      for await (const commit of journal.commits(head)) found.push(commit)
      if (found.length > 0 && found.length === batch.filter(hasEvents).length) answer(batch, found, true)
      else {
        for (const commit of found) announce(commit)
        refuse(batch, new JournalUnavailable('the disk refused the write; nothing of this was kept'))
      }
      // Where its callers had gone already, what was decided was taken back with them.
      if (pending.length === 0) takenBack()
      inDoubt = false
    } catch (error) {
      const told =
        error instanceof Damaged
          ? error
          : new JournalUnavailable('the disk cannot be written now; this may or may not have been kept')
      refuse(batch, told)
      if (told instanceof Damaged) deps.damaged(told)
      else deps.doubtful()
      throw told
    } finally {
      healing = null
    }
  }

  /** Every one of the batch is answered when it resolves: refused, or found on disk after all. */
  const failed = async (batch: readonly Waiting[], error: unknown): Promise<void> => {
    if (error instanceof TooLarge) return refuse(batch, error)
    inDoubt = true
    // What hangs is told at once; healing waits behind it, for as long as it takes.
    if (error instanceof TookTooLong) refuse(batch, new JournalUnavailable(silent))
    healing = heal(batch)
    await inTimeOr(silent, stopwatch, healing).catch((told: Error) => refuse(batch, told))
  }

  const append = async (batch: readonly Waiting[]): Promise<readonly Commit[]> => {
    const drafts = batch.filter(hasEvents).map(({ draft }) => draft)
    return drafts.length > 0 ? inTime(stopwatch, journal.append(drafts, head)) : []
  }

  const flush = async () => {
    try {
      while (pending.length > 0) {
        // Those who were just acknowledged ask again in this turn of the loop: their commands share the next
        // sync.
        await new Promise(setImmediate)
        const batch = pending.slice(0, mostDrafts)
        pending = pending.slice(mostDrafts)
        const commits = await append(batch).catch((error: unknown) => failed(batch, error))
        if (commits) answer(batch, commits)
      }
    } finally {
      // In the same breath as the last look at what is pending: whoever comes later starts anew.
      flushing = null
    }
  }

  /** A batch on its way finds out by itself, and heals. */
  const healed = async () => {
    while (inDoubt) {
      if (healing === null && flushing !== null) await flushing
      else {
        healing ??= heal([])
        await inTimeOr(silent, stopwatch, healing)
      }
    }
  }

  return {
    get head() {
      return head
    },
    add: (draft, appended) => {
      const executed = new Promise<Executed>((resolve, reject) =>
        pending.push({ draft, appended, resolve, reject }),
      )
      flushing ??= flush()
      return executed
    },
    readOn: async () => {
      const entries: Entry[] = []
      for await (const commit of journal.commits(head)) entries.push(...announce(commit).entries)
      takenBack()
      return entries
    },
    write: async (act) => {
      if (inDoubt) await healed()
      try {
        return await inTimeOr(silent, stopwatch, act(journal))
      } catch (error) {
        if (
          !(error instanceof Unavailable || error instanceof InDoubt || error instanceof JournalUnavailable)
        )
          throw error
        inDoubt = true
        throw error instanceof JournalUnavailable
          ? error
          : new JournalUnavailable('the disk refused the write')
      }
    },
    get inDoubt() {
      return inDoubt
    },
    healed,
    quiet: async () => {
      while (flushing !== null) await flushing
    },
  }
}

const hasEvents = ({ draft }: Waiting): boolean => draft.events.length > 0
