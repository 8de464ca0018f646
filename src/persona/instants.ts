/**
 * Finds the last fact at an instant. Clocks jump back, so a binary search does not work. Instead, an index
 * (stored as a snapshot) holds the earliest time of each block of records:
 * 1. Walk the blocks backwards, skipping those that begin after the instant.
 * 2. Read the block and take the last record at or before the instant.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { Journal } from '../../journal/log/journal.ts'
import { yielding } from '../../packages/kit/flow/yielding.ts'

const projector = 'instants'
/** Increment when the stored format changes. */
const version = 1
const recordsPerBlock = 1024
/** Min new blocks before the index is stored again. */
const minNewBlocks = 16

/** Returns the last position at or before an instant (epoch milliseconds); 0 if there is none. */
export const positionAt = async (journal: Journal, instant: number, gone?: AbortSignal): Promise<Seq | 0> => {
  const { head } = journal
  const earliest = await loadEarliest(journal, gone)
  for (let n = earliest.length; n >= 0; n--) {
    if ((earliest[n] ?? -Infinity) > instant) continue
    let last: Seq | 0 = 0
    const upTo = Math.min((n + 1) * recordsPerBlock, head.seq)
    for await (const { seq, at } of yielding(journal.read({ after: n * recordsPerBlock, upTo }), gone))
      if (at <= instant) last = seq
    if (last > 0) return last
  }
  return 0
}

/** Returns the earliest time of each full block. */
const loadEarliest = async (journal: Journal, gone: AbortSignal | undefined): Promise<readonly number[]> => {
  const { head } = journal
  const snapshot = await journal.snapshot(projector, version, head.seq)
  const earliest = [...((snapshot?.state ?? []) as readonly number[])]
  const storedBlocks = earliest.length
  const upTo = head.seq - (head.seq % recordsPerBlock)
  for await (const { seq, at } of yielding(
    journal.read({ after: storedBlocks * recordsPerBlock, upTo }),
    gone,
  )) {
    const n = Math.ceil(seq / recordsPerBlock) - 1
    earliest[n] = Math.min(earliest[n] ?? Infinity, at)
  }
  const hash = await journal.hashAt(upTo)
  if (hash !== undefined && earliest.length - storedBlocks >= minNewBlocks)
    await journal
      .keepSnapshot({ projector, version, head: { seq: upTo, hash }, state: earliest, alone: true })
      // The index only saves time. The next append reports a failing disk.
      .catch(() => undefined)
  return earliest
}
