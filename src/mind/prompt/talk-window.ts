/**
 * Chooses and reads the part of the talk that prompts show. Its beginning stays the same until the talk is
 * too long, so that a later prompt repeats an earlier one.
 */
import type { Seq } from '../../../facts/fact-values.ts'
import type { Entry, Journal } from '../../../facts/persona-journal.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { PromptBase } from '../../../projections/prompt-base.ts'
import { inboxKey, type Talk, type Turn } from '../../../projections/talk.ts'
import { readItems, type TalkItem } from './talk-items.ts'
import { readVoiceLines, type VoiceLine } from './voice-lines.ts'

export interface ShownTalk {
  readonly items: readonly TalkItem[]
  /** True if there are earlier messages. */
  readonly cut: boolean
  /** The messages of both sides before the turn, oldest first. */
  readonly before: readonly Entry[]
  /** Example lines of the character. */
  readonly lines: readonly VoiceLine[]
}

/** Reads the talk that the prompt of a turn shows. */
export const readTalk = async (
  journal: Journal,
  persona: Pick<Persona, 'base' | 'plans' | 'knowledge' | 'self' | 'talk'>,
  turn: Pick<Turn, 'id' | 'channel' | 'stimuli'>,
): Promise<ShownTalk> => {
  const first = await findFirst(journal, persona.base)
  const items = await readItems(journal, persona, first)
  // A consolidation may move the beginning of the talk during a turn.
  const isShown = turn.id >= first || items.some((item) => item.turn === turn.id)
  const ownItems = isShown
    ? []
    : (await readItems(journal, persona, turn.id)).filter((item) => item.turn === turn.id)
  return {
    items: [...items, ...ownItems],
    cut: await hasMessagesBefore(journal, first),
    before: await readBefore(journal, persona.talk, turn, first),
    lines: await readVoiceLines(journal, persona, persona.base),
  }
}

/** A message that waits for another turn is not part of the talk before this one. */
const readBefore = async (
  journal: Journal,
  { inboxes, hidden }: Talk,
  { id, channel, stimuli }: Pick<Turn, 'id' | 'channel' | 'stimuli'>,
  first: Seq,
): Promise<readonly Entry[]> => {
  const earlierEntries: Entry[] = []
  for await (const entry of journal.read({ kind: 'talk', after: first - 1, upTo: id })) {
    const { seq, event } = entry
    if (hidden[seq]) continue
    if (event.type === 'MessageHeard' && event.channel !== null) {
      const key = inboxKey(event.channel)
      const isOwn = key === inboxKey(channel) && seq > stimuli.after && seq <= stimuli.upTo
      if (isOwn || seq > (inboxes[key]?.consumed ?? 0)) continue
    }
    earlierEntries.push(entry)
  }
  return earlierEntries
}

const hasMessagesBefore = async (journal: Journal, first: Seq): Promise<boolean> => {
  for await (const _ of journal.read({ kind: 'talk', upTo: first - 1, last: 1 })) return true
  return false
}

/** Returns the messages of the user among the items, oldest first. */
export const listMessages = (items: readonly TalkItem[]): readonly Entry[] =>
  items.flatMap((item) => (item.kind === 'message' ? item.entry : []))

/** Messages from before the last night that remain in the prompt, for continuity. */
const overlap = 8
/** Max messages that are read to choose the first one. */
const maxMessages = 400

/** Returns the tokens of each item. */
type Measure = (items: readonly TalkItem[]) => Promise<readonly number[]>

/** `tokens`: of the shown talk from `first` to `head`. */
interface MeasuredTalk {
  readonly first: Seq
  readonly head: Seq
  readonly tokens: number
}

/**
 * Chooses the position of the first fact that the next prompt shows. It stays the same until the talk is
 * longer than `maxTokens`; then the oldest turns are dropped, down to half of it. Remembers the size of the
 * talk, so that a turn reads only the previous one.
 */
export const createWindowChoice = () => {
  let measuredTalk: MeasuredTalk | null = null
  return async (journal: Journal, persona: Persona, maxTokens: number, measure: Measure): Promise<Seq> => {
    const first = await findFirst(journal, persona.base)
    const head = journal.head.seq
    const limit = persona.base.window === null ? maxTokens / 2 : maxTokens
    if (measuredTalk?.first === first) {
      const addedTokens = sum(await measure(await readItems(journal, persona, measuredTalk.head + 1)))
      measuredTalk = { first, head, tokens: measuredTalk.tokens + addedTokens }
      if (measuredTalk.tokens <= limit) return first
    }
    const items = await readItems(journal, persona, first)
    const tokens = await measure(items)
    measuredTalk = { first, head, tokens: sum(tokens) }
    return measuredTalk.tokens <= limit ? first : findStart(items, tokens, maxTokens / 2, first)
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/**
 * Returns the position of the first shown fact. Until a turn chooses it: that of the first message that is
 * not consolidated, and of a few before it. It depends on the base only.
 */
const findFirst = async (journal: Journal, { window, seq: base, days }: PromptBase): Promise<Seq> => {
  if (window !== null) return window
  const entries: Entry[] = []
  for await (const entry of journal.read({ kind: 'talk', upTo: base, last: maxMessages })) entries.push(entry)
  const firstNewIndex = entries.findIndex(({ seq }) => seq > days.consolidated)
  const start = Math.max(0, (firstNewIndex < 0 ? entries.length : firstNewIndex) - overlap)
  return entries[start]?.seq ?? base
}

/**
 * Returns the position of the first turn of those that fit. At least the last turn stays. A turn from before
 * `first`, which is shown again, is no beginning.
 */
const findStart = (
  items: readonly TalkItem[],
  tokens: readonly number[],
  maxTokens: number,
  first: Seq,
): Seq => {
  let tokensLeft = maxTokens
  let start = items.length - 1
  for (let n = items.length - 1; n >= 0; n--) {
    tokensLeft -= tokens[n] ?? 0
    if (tokensLeft < 0 && start < items.length - 1) break
    const turn = items[n]?.turn ?? null
    const isBeginning = n === 0 || turn === null || turn !== items[n - 1]?.turn
    if (isBeginning && (turn === null || turn >= first)) start = n
  }
  const item = items[start]
  if (!item) return first
  // Messages of the turn from before this position are read again when it is shown.
  return Math.max(first, item.turn ?? ('entry' in item ? item.entry.seq : 1))
}
