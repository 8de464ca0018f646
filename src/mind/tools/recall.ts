/** recall: searches the whole journal: talk here and with other AIs, files, memories and days. */
import * as z from 'zod'
import type { Seq } from '../../../facts/fact-values.ts'
import { isIn } from '../../../facts/facts.ts'
import type { Entry, Journal } from '../../../facts/persona-journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import { formatPast, formatPastDay } from '../../../packages/kit/time/local-time.ts'
import { getContent, getOwnWords, holdsOthers } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { inboxKey } from '../../../projections/talk.ts'
import type { Hit } from '../../search/find.ts'
import { chooseWindow, getSentences } from '../../search/query.ts'
import type { Answer, WholeMatches } from '../../search/rank.ts'
import { wordsIn } from '../../search/words.ts'
import { defineTool, type ToolContext } from './tool.ts'

export const RecallInput = z.object({
  query: z.string().trim().min(1).max(500),
  order: z.enum(['best', 'newest']).optional(),
  limit: z.int().min(1).max(20).optional(),
})
export type RecallInput = z.infer<typeof RecallInput>

export const recall = defineTool({
  name: 'recall',
  description: `Search all earlier talk, files, memories, days, and other AIs.
Words or a question; days count ("in May"). order newest: the latest first; query * for any.`,
  input: RecallInput,
  run: async (input, context) => {
    const { found, ...totals } = await recallTexts(input, context)
    const allPartly = found.length > 0 && found.every(({ partly }) => partly)
    const entries = found.map(({ seq: _, partly, ...entry }) =>
      partly && !allPartly ? { ...entry, partly } : entry,
    )
    return { ok: true, output: { found: entries, ...(allPartly && { partly: true }), ...totals } }
  },
})

export interface Recalled {
  readonly found: readonly RecalledEntry[]
  /** Absent if `found` has all messages with all words. */
  readonly total?: {
    readonly by_user: number
    readonly by_you: number
    readonly first: string
    readonly last: string
  }
  /** Set if nothing fits. */
  readonly note?: string
}

type RecallNeeds = 'persona' | 'journal' | 'turn' | 'search' | 'now' | 'zone'
type RecallContext = Pick<ToolContext, RecallNeeds>

/** Returns the best match first. */
export const recallTexts = async (
  { query, order = 'best', limit = 8 }: RecallInput,
  context: RecallContext,
): Promise<Recalled> => {
  const recalled = await findTexts({ query, order, limit }, context)
  // The newest must have all words. Models also choose this order for questions.
  return recalled.found.length === 0 && order === 'newest'
    ? findTexts({ query, order: 'best', limit }, context)
    : recalled
}

type Query = { readonly [Field in keyof RecallInput]-?: Exclude<RecallInput[Field], undefined> }

const findTexts = async ({ query, order, limit }: Query, context: RecallContext): Promise<Recalled> => {
  const { persona, journal, turn, search, now, zone } = context
  const { hits, whole } = await search(
    { persona, journal },
    {
      text: query,
      now: { at: now, zone },
      before: turn + 1,
      limit: limit + maxDuplicates,
      by: 'sense',
      order,
      ignored: await readAsked(journal, persona),
      kinds: ['said', 'file', 'memory', 'day', 'history'],
    },
  )
  const fittingHits = hits.some(({ share, isNear }) => share >= minShare || isNear) ? hits : []
  const recalledItems = await toRecalled(fittingHits, limit, context)
  if (recalledItems.length === 0)
    return { found: recalledItems, note: 'Nothing that was said or kept fits this.' }
  const total = whole.own + whole.theirs
  return {
    found: recalledItems,
    ...(total > recalledItems.length && { total: await describeTotal(whole, context) }),
  }
}

/** Extra hits requested, because near-duplicates are collapsed. */
const maxDuplicates = 8
/** If all hits have less of the meaningful words, by weight, nothing fits. */
const minShare = 0.04

const describeTotal = async (
  { own, theirs, first, last }: WholeMatches,
  { journal, now, zone }: RecallContext,
): Promise<NonNullable<Recalled['total']>> => {
  const describeTime = async (seq: Seq | undefined) => {
    const entry = seq === undefined ? undefined : await entryAt(journal, seq)
    return entry ? formatPast(entry.at, now, zone) : ''
  }
  return { by_user: theirs, by_you: own, first: await describeTime(first), last: await describeTime(last) }
}

/** Returns the messages of the current turn. They are in the prompt already. */
const readAsked = async (journal: Journal, { talk: { turn } }: Persona): Promise<readonly Seq[]> => {
  const seqs: Seq[] = []
  if (turn === null) return seqs
  const { after, upTo } = turn.stimuli
  for await (const { seq, event } of journal.read({ kind: 'talk', after, upTo }))
    if (event.type === 'MessageHeard' && inboxKey(event.channel) === inboxKey(turn.channel)) seqs.push(seq)
  return seqs
}

export interface RecalledEntry {
  readonly seq: Seq
  readonly when: string
  /** `others`: words of others that the user passed on. */
  readonly role: 'person' | 'others' | 'assistant' | 'memory' | 'day' | 'file' | 'elsewhere'
  readonly content: string
  /** Set if it lacks some of the query's meaningful words. */
  readonly partly?: true
  /** Number of messages with nearly the same words, if several matched. */
  readonly times?: number
  /** The question that it answers, or the answer to it, in the same channel. */
  readonly previous?: Neighbour
  readonly next?: Neighbour
  /** Set if it also contains words of others. */
  readonly others?: true
  /** The user's name for the other AI. */
  readonly source?: string
  readonly file?: { readonly name: string; readonly file: string; readonly holds: string }
}

interface Neighbour {
  readonly role: RecalledEntry['role']
  readonly content: string
  readonly others?: true
}

/** In UTF-16 units, for the best results and for the others. */
const bestLength = 400
const otherLength = 200
/** Nearly always the whole summary. */
const dayLength = 1200
/** Number of results that are shown at more length and with a neighbour. */
const bestCount = 3

/** Merges hits by message. A file is listed once, with its message and the matching excerpt. */
const toRecalled = async (
  hits: readonly Answer[],
  limit: number,
  context: RecallContext,
): Promise<readonly RecalledEntry[]> => {
  const chosen = collapse(hits).slice(0, limit)
  const seqs = new Set(chosen.map(({ hit }) => toSeq(hit)))
  const entries = await Promise.all(
    chosen.map(async ({ hit, count }, n) => ({
      ...toRecalledEntry(hit, n < bestCount ? bestLength : otherLength, context),
      ...(!hit.whole && { partly: true as const }),
      ...(count > 1 && { times: count }),
      ...(n < bestCount && (await readNeighbours(hit, seqs, context))),
    })),
  )
  return statementsFirst(
    entries,
    chosen.map(({ hit }) => hit),
  )
}

interface Collapsed {
  readonly hit: Answer
  readonly count: number
}

/** Min share of common words of near-duplicates. */
const minCommon = 0.8

/** Keeps the best of the hits of one message, and of texts of one kind with nearly the same words. */
const collapse = (hits: readonly Answer[]): readonly Collapsed[] => {
  const keptHits: { hit: Answer; count: number; readonly words: ReadonlySet<string> }[] = []
  for (const hit of hits) {
    const sameHit = keptHits.find((other) => toSeq(other.hit) === toSeq(hit))
    // The part of the file that fits says more than its message alone.
    if (sameHit && hit.bearer) sameHit.hit = hit
    if (sameHit) continue
    const words = new Set([...wordsIn(hit.text)].map(({ forms }) => forms[0] ?? ''))
    const twin = keptHits.find(
      (other) => other.hit.entry.type === hit.entry.type && getCommon(other.words, words) >= minCommon,
    )
    if (twin) twin.count++
    else keptHits.push({ hit, count: 1, words })
  }
  return keptHits
}

const getCommon = (first: ReadonlySet<string>, second: ReadonlySet<string>): number => {
  if (first.size === 0 || second.size === 0) return 0
  const sharedCount = [...first].filter((word) => second.has(word)).length
  return sharedCount / (first.size + second.size - sharedCount)
}

const toSeq = ({ bearer, entry }: Hit): Seq => (bearer ? bearer.entry.seq : entry.seq)

/** Puts each statement before the messages that it comes from. */
const statementsFirst = (
  entries: readonly RecalledEntry[],
  hits: readonly Answer[],
): readonly RecalledEntry[] => {
  const sources = hits.map(({ entry: { event } }) => ('sources' in event ? event.sources : []))
  const rank = entries.map((_, n) => {
    const ofSources = entries.flatMap(({ seq }, rank) => (sources[n]?.includes(seq) ? rank - 0.5 : []))
    return Math.min(n, ...ofSources)
  })
  return entries
    .map((entry, n) => ({ entry, rank: rank[n] ?? n }))
    .sort((first, second) => first.rank - second.rank)
    .map(({ entry }) => entry)
}

/** Returns the answer to a question and the question of an answer, unless they are results themselves. */
const readNeighbours = async (
  { entry, previous, next }: Answer,
  seqs: ReadonlySet<Seq>,
  { journal }: RecallContext,
): Promise<Pick<RecalledEntry, 'previous' | 'next'>> => {
  const read = async (seq: Seq | undefined) =>
    seq === undefined || seqs.has(seq) ? undefined : toNeighbour(entry, await entryAt(journal, seq))
  const [previousEntry, nextEntry] = await Promise.all([read(previous), read(next)])
  const isQuestion = isIn('talk', entry.event) && endsAsQuestion(getContent(entry.event))
  return {
    ...(previousEntry &&
      endsAsQuestion(previousEntry.content) && { previous: shorten(previousEntry, 'end') }),
    ...(nextEntry && isQuestion && { next: shorten(nextEntry, 'start') }),
  }
}

const endsAsQuestion = (text: string): boolean => /[?？؟]\s*$/.test(text)

const shorten = (neighbour: Neighbour, part: 'start' | 'end'): Neighbour => ({
  ...neighbour,
  content: getSentences(neighbour.content, part === 'start' ? 0 : neighbour.content.length, otherLength),
})

/** Returns undefined if the two messages belong to different channels. */
const toNeighbour = (entry: Entry, neighbour: Entry | undefined): Neighbour | undefined => {
  const event = entry.event
  const neighbourEvent = neighbour?.event
  if (!neighbour || !neighbourEvent || !isIn('talk', event) || !isIn('talk', neighbourEvent)) return undefined
  if (inboxKey(event.channel) !== inboxKey(neighbourEvent.channel)) return undefined
  return { ...describeSpeaker(neighbour), content: getContent(neighbourEvent) }
}

const toRecalledEntry = (
  { entry, kind, text, places, bearer }: Hit,
  maxLength: number,
  { now, zone }: RecallContext,
): RecalledEntry => {
  const place = chooseWindow(places, Math.floor((maxLength * 2) / 3))
  const excerpt = getSentences(text, place, kind === 'day' ? dayLength : maxLength)
  const moment = ({ seq, at }: Entry) => ({ seq, when: formatPast(at, now, zone) })
  if (bearer) {
    const { name, filename } = bearer.media
    return {
      ...moment(bearer.entry),
      ...describeSpeaker(bearer.entry),
      content: getSentences(getContent(bearer.event), 0, otherLength),
      file: { name, file: filename, holds: excerpt },
    }
  }
  const { event } = entry
  if (event.type === 'HistoryFed')
    return { ...moment(entry), role: 'elsewhere', content: excerpt, source: event.source }
  if (!isIn('talk', event)) {
    const when = event.type === 'DayClosed' ? { when: formatPastDay(event.ended, now, zone) } : {}
    const hasOthers =
      event.type === 'DayClosed' ? event.borrowed?.length !== 0 : 'via' in event && Boolean(event.via)
    return {
      ...moment(entry),
      ...when,
      role: kind === 'memory' || kind === 'day' ? kind : 'file',
      content: excerpt,
      ...(hasOthers && { others: true as const }),
    }
  }
  const { media } = event
  const content = getContent(event)
  const file = media && {
    name: media.name,
    file: media.filename,
    holds: getSentences(media.caption, 0, otherLength),
  }
  return {
    ...moment(entry),
    ...describeSpeaker(entry),
    content: content.length > maxLength ? excerpt : content,
    ...(file && { file }),
  }
}

const describeSpeaker = (entry: Entry): Pick<RecalledEntry, 'role' | 'others'> => {
  const role = getRole(entry)
  return { role, ...(role !== 'others' && holdsOthersWords(entry) && { others: true as const }) }
}

/**
 * Returns true for a message with words of others, including a program's, or words of others that the persona
 * repeats.
 */
const holdsOthersWords = ({ event }: Entry): boolean =>
  (event.type === 'MessageHeard' && holdsOthers(event)) ||
  (event.type === 'MessageSpoken' && (event.borrowed ?? []).length > 0)

/** A message without any words of the user counts as words of others. */
const getRole = (entry: Entry): 'person' | 'others' | 'assistant' => {
  const { event } = entry
  if (event.type !== 'MessageHeard') return 'assistant'
  return event.channel !== null && holdsOthers(event) && getOwnWords(event) === '' ? 'others' : 'person'
}
