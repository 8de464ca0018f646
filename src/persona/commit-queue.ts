/**
 * Writes the decisions of one persona to disk in order, many per sync. After a failed write, first reads the
 * committed state from disk, then writes the next batch.
 */

import type { Commit, Draft, Entry, Journal } from '../../facts/persona-journal.ts'
import { Damaged, InDoubt, TooLarge, Unavailable } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import { inTime, type Stopwatch, TookTooLong } from '../../journal/log/timeout.ts'
import { currentPlace } from '../../packages/kit/tracing/tracing.ts'
import type { ExecuteResult } from './persona-store.ts'
import { inTimeOr, JournalUnavailable } from './refusals.ts'
import { type TracedDraft, traceAppend, tracePublish } from './traced-append.ts'

export interface CommitQueue {
  /** Last published position. */
  readonly head: Head
  /**
   * Resolves when the draft is on disk and published with `onAppended`. Throws JournalUnavailable, Damaged or
   * TooLarge.
   */
  add(draft: Draft, onAppended: Publish): Promise<ExecuteResult>
  /** Publishes the commits after the initial head. */
  readOn(): Promise<readonly Entry[]>
  /** Writes something other than a fact. A failure is settled before the next command. */
  write<T>(act: (journal: Journal) => Promise<T>): Promise<T>
  /** True after a failed batch until its outcome on disk is known. */
  readonly isInDoubt: boolean
  /** Resolves when that is known. Throws JournalUnavailable or Damaged. */
  waitUntilHealed(): Promise<void>
  /** Resolves when no write is in flight. */
  quiet(): Promise<void>
}

type Publish = (commit: Commit) => ExecuteResult

interface Deps {
  readonly journal: Journal
  /** Commits after this position are published. */
  readonly head: Head
  readonly stopwatch: Stopwatch
  /** Called in order for each commit on disk. Must not throw. */
  readonly publish: Publish
  /** Result for a draft without facts. */
  readonly getUnchanged: () => ExecuteResult
  /** Called when unpublished decisions are rejected: the next one is made on the committed state. */
  readonly rollBack: () => void
  /** Called when damage is found. Nothing can be written after that. */
  readonly onDamage: (error: Damaged) => void
  /** Called when the state on disk stays unknown. The next command or write tries again. */
  readonly doubtful: () => void
}

interface PendingDraft extends TracedDraft {
  readonly onAppended: Publish
  readonly resolve: (result: ExecuteResult) => void
  readonly reject: (error: unknown) => void
}

/** Max drafts per batch, so that no sync waits for a long encoding. */
const maxDrafts = 256
const noAnswer = 'the disk does not answer; this may or may not have been kept'

export const createCommitQueue = (deps: Deps): CommitQueue => {
  const { journal, stopwatch, rollBack } = deps
  let { head } = deps
  let pendingDrafts: PendingDraft[] = []
  let flushTask: Promise<void> | null = null
  let inDoubt = false
  let healTask: Promise<void> | null = null

  const publish = (commit: Commit, publishCommit = deps.publish): ExecuteResult => {
    head = commit.head
    return publishCommit(commit)
  }

  const resolveBatch = (batch: readonly PendingDraft[], commits: readonly Commit[], isFound = false) => {
    let next = 0
    for (const pendingDraft of batch) {
      const { draft, onAppended, resolve } = pendingDraft
      const commit = draft.events.length > 0 ? commits[next++] : undefined
      resolve(
        commit
          ? tracePublish(pendingDraft, () => publish(commit, isFound ? deps.publish : onAppended))
          : deps.getUnchanged(),
      )
    }
  }

  /** Also rejects all later decisions: they were made on facts that do not exist. */
  const rejectAll = (batch: readonly PendingDraft[], error: Error) => {
    const rejectedDrafts = [...batch, ...pendingDrafts]
    pendingDrafts = []
    rollBack()
    for (const { reject } of rejectedDrafts) reject(error)
  }

  /** Reopens the journal, reads on from the last published position and publishes the commits found there. */
  const heal = async (batch: readonly PendingDraft[]) => {
    try {
      await journal.settle()
      const foundCommits: Commit[] = []
      for await (const commit of journal.commits(head)) foundCommits.push(commit)
      if (foundCommits.length > 0 && foundCommits.length === batch.filter(hasEvents).length)
        resolveBatch(batch, foundCommits, true)
      else {
        for (const commit of foundCommits) publish(commit)
        rejectAll(batch, new JournalUnavailable('the disk refused the write; nothing of this was kept'))
      }
      // The callers may have timed out before, and their decisions were rolled back then.
      if (pendingDrafts.length === 0) rollBack()
      inDoubt = false
    } catch (error) {
      const failure =
        error instanceof Damaged
          ? error
          : new JournalUnavailable('the disk cannot be written now; this may or may not have been kept')
      rejectAll(batch, failure)
      if (failure instanceof Damaged) deps.onDamage(failure)
      else deps.doubtful()
      throw failure
    } finally {
      healTask = null
    }
  }

  /** Settles each draft of a failed batch: rejects it, or resolves it if it is on disk after all. */
  const settleFailed = async (batch: readonly PendingDraft[], error: unknown): Promise<void> => {
    if (error instanceof TooLarge) return rejectAll(batch, error)
    inDoubt = true
    // A timeout is reported at once; healing continues for as long as the disk takes.
    if (error instanceof TookTooLong) rejectAll(batch, new JournalUnavailable(noAnswer))
    healTask = heal(batch)
    await inTimeOr(noAnswer, stopwatch, healTask).catch((err: Error) => rejectAll(batch, err))
  }

  const append = async (batch: readonly PendingDraft[]): Promise<readonly Commit[]> => {
    const pendingFacts = batch.filter(hasEvents)
    if (pendingFacts.length === 0) return []
    const drafts = pendingFacts.map(({ draft }) => draft)
    return traceAppend(pendingFacts, () => inTime(stopwatch, journal.append(drafts, head)))
  }

  const flush = async () => {
    try {
      while (pendingDrafts.length > 0) {
        // Callers that were just acknowledged may send again in this tick and share the next sync.
        await new Promise(setImmediate)
        const batch = pendingDrafts.slice(0, maxDrafts)
        pendingDrafts = pendingDrafts.slice(maxDrafts)
        const commits = await append(batch).catch((error: unknown) => settleFailed(batch, error))
        if (commits) resolveBatch(batch, commits)
      }
    } finally {
      // Same tick as the last check of `pending`, so that a later `add` starts a new flush.
      flushTask = null
    }
  }

  /** A batch in flight heals by itself. */
  const waitUntilHealed = async () => {
    while (inDoubt) {
      if (healTask === null && flushTask !== null) await flushTask
      else {
        healTask ??= heal([])
        await inTimeOr(noAnswer, stopwatch, healTask)
      }
    }
  }

  return {
    get head() {
      return head
    },
    add: (draft, onAppended) => {
      const result = new Promise<ExecuteResult>((resolve, reject) =>
        pendingDrafts.push({ draft, place: currentPlace(), onAppended, resolve, reject }),
      )
      flushTask ??= flush()
      return result
    },
    readOn: async () => {
      const entries: Entry[] = []
      for await (const commit of journal.commits(head)) entries.push(...publish(commit).entries)
      rollBack()
      return entries
    },
    write: async (act) => {
      if (inDoubt) await waitUntilHealed()
      try {
        return await inTimeOr(noAnswer, stopwatch, act(journal))
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
    get isInDoubt() {
      return inDoubt
    },
    waitUntilHealed,
    quiet: async () => {
      while (flushTask !== null) await flushTask
    },
  }
}

const hasEvents = ({ draft }: PendingDraft): boolean => draft.events.length > 0
