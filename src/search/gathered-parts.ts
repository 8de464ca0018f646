/** Collects the next texts to embed from a journal. */

import type { Seq } from '../../facts/fact-values.ts'
import { getTraits } from '../../facts/facts.ts'
import type { Entry, Journal } from '../../facts/persona-journal.ts'
import { Damaged } from '../../journal/log/errors.ts'
import type { Head } from '../../journal/log/head.ts'
import { createYielding } from '../../packages/kit/flow/yielding.ts'
import type { Persona } from '../../projections/persona.ts'
import type { Reading } from '../persona/persona-store.ts'
import { readCommits } from './index-store.ts'
import { getSearchText, splitText } from './texts.ts'

/** Min parts per batch. */
const batchSize = 64
/** Of the previous message, which is embedded together with a message. In UTF-16 units. */
const maxPreviousLength = 500
/** A turn has a few facts between two messages. */
const nearbyFacts = 20

interface Batch {
  readonly parts: readonly { readonly seq: Seq; readonly text: string }[]
  readonly after: Head
  readonly upTo: Head
  readonly hasMore: boolean
}

/** Reads texts after a head. */
export const gather = async (
  { journal, persona }: Reading,
  afterHead: Head,
  isStopped: () => boolean,
): Promise<Batch> => {
  const maybeYield = createYielding()
  const parts: { seq: Seq; text: string }[] = []
  let upTo: Head = { seq: afterHead.seq, hash: afterHead.hash }
  let previousLine = await readLastLine(journal, persona, afterHead.seq)
  for await (const { entries, head } of readCommits(journal, upTo)) {
    for (const entry of entries) {
      const isSearchable = !entry.erased && getTraits(entry.type).search
      const searchText = isSearchable && (await unlessDamaged(getSearchText(entry, journal, persona)))
      if (!searchText) continue
      const line = searchText.kind === 'said' ? `${getSpeaker(entry, persona)}: ${searchText.text}` : null
      const text = line && previousLine ? `${previousLine}\n${line}` : (line ?? searchText.text)
      for (const part of splitText(text)) parts.push({ seq: entry.seq, text: part })
      if (line) previousLine = line.slice(0, maxPreviousLength)
    }
    upTo = head
    await maybeYield()
    if (isStopped()) break
    if (parts.length >= batchSize) return { parts, after: afterHead, upTo, hasMore: true }
  }
  return { parts, after: afterHead, upTo, hasMore: false }
}

/** Returns the last message up to a position, if it is one of the facts right before it. */
const readLastLine = async (
  journal: Journal,
  persona: Persona,
  upTo: Seq | 0,
): Promise<string | undefined> => {
  let line: string | undefined
  for await (const entry of journal.read({ after: Math.max(0, upTo - nearbyFacts) })) {
    if (entry.seq > upTo) break
    if (entry.erased || getTraits(entry.type).search !== 'said') continue
    const foundText = await unlessDamaged(getSearchText(entry, journal, persona))
    if (foundText) line = `${getSpeaker(entry, persona)}: ${foundText.text}`.slice(0, maxPreviousLength)
  }
  return line
}

const getSpeaker = ({ type }: Entry, persona: Persona): string =>
  type === 'MessageSpoken' ? persona.self.name : 'User'

const unlessDamaged = <T>(task: Promise<T>): Promise<T | undefined> =>
  task.catch((error: unknown) => {
    if (!(error instanceof Damaged)) throw error
    return undefined
  })
