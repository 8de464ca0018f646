/** recall: searches the whole journal: talk here and with other AIs, files, memories and days. */
import * as z from 'zod'
import type { Seq } from '../../../journal/facts/fact-values.ts'
import { isIn } from '../../../journal/facts/facts.ts'
import type { Entry, Journal } from '../../../journal/log/journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { getContent, getOwnWords, holdsOthers } from '../../../projections/message-parts.ts'
import type { Persona } from '../../../projections/persona.ts'
import { inboxKey } from '../../../projections/talk.ts'
import type { Hit } from '../../search/find.ts'
import { getExcerpt } from '../../search/query.ts'
import type { Answer } from '../../search/rank.ts'
import { defineTool, type ToolContext } from './tool.ts'

export const RecallInput = z.object({
  query: z.string().trim().min(1).max(500),
  limit: z.int().min(1).max(20).optional(),
})

export const recall = defineTool({
  name: 'recall',
  description: `Search all earlier talk, files, memories, days, and the user's talk with other AIs (role elsewhere).
Ask a question or give words. Days count, such as "in May".
The best match is first. partly: it lacks some words.`,
  input: RecallInput,
  run: async (input, context) => ({ ok: true, output: { found: await recallTexts(input, context) } }),
})

/** Returns the best match first. */
export const recallTexts = async (
  { query, limit = 8 }: z.infer<typeof RecallInput>,
  { persona, journal, turn, search, now, zone }: Pick<ToolContext, RecallNeeds>,
): Promise<readonly RecalledEntry[]> => {
  const { hits } = await search(
    { persona, journal },
    {
      text: query,
      now: { at: now, zone },
      before: turn + 1,
      limit: limit + maxQuestions,
      by: 'sense',
      kinds: ['said', 'file', 'memory', 'day', 'history'],
    },
  )
  const before = hits.filter(({ entry }) => !isAsked(entry, persona)).slice(0, limit)
  return toRecalled(before, journal, persona)
}
type RecallNeeds = 'persona' | 'journal' | 'turn' | 'search' | 'now' | 'zone'

/** Extra hits requested, because messages of the current turn are filtered out. */
const maxQuestions = 4

/** Messages of the current turn are in the prompt already. */
const isAsked = ({ seq, event }: Entry, { talk: { turn } }: Persona): boolean =>
  turn !== null &&
  event.type === 'MessageHeard' &&
  seq > turn.stimuli.after &&
  seq <= turn.stimuli.upTo &&
  inboxKey(event.channel) === inboxKey(turn.channel)

interface RecalledEntry {
  readonly seq: Seq
  readonly time: string
  /** `others`: words of others that the user passed on. */
  readonly role: 'person' | 'others' | 'assistant' | 'memory' | 'day' | 'file' | 'elsewhere'
  readonly content: string
  /** Set if it lacks some of the query's meaningful words. */
  readonly partly?: true
  /** The messages right before and after it in the same channel, unless they are results themselves. */
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

/** In UTF-16 units. */
const maxShownLength = 1000
const maxNeighbourLength = 500

/** Merges hits by message. A file is listed once, with its message and the matching excerpt. */
const toRecalled = async (
  hits: readonly Answer[],
  journal: Journal,
  persona: Persona,
): Promise<readonly RecalledEntry[]> => {
  const all = new Map<Seq, RecalledEntry>()
  for (const hit of hits) {
    const result = toRecalledEntry(hit)
    if (hit.kind === 'file' || !all.has(result.seq))
      all.set(result.seq, { ...result, ...(!hit.whole && { partly: true }) })
  }
  for (const { entry, previous, next } of hits) {
    const result = all.get(entry.seq)
    if (!result) continue
    const [before, after] = await Promise.all(
      [previous, next].map(async (seq) =>
        seq === undefined || all.has(seq)
          ? undefined
          : toNeighbour(entry, await entryAt(journal, seq), persona),
      ),
    )
    all.set(entry.seq, { ...result, ...(before && { previous: before }), ...(after && { next: after }) })
  }
  return [...all.values()]
}

/** Returns undefined if the two messages belong to different channels. */
const toNeighbour = (entry: Entry, neighbour: Entry | undefined, persona: Persona): Neighbour | undefined => {
  const event = entry.event
  const neighbourEvent = neighbour?.event
  if (!neighbour || !neighbourEvent || !isIn('talk', event) || !isIn('talk', neighbourEvent)) return undefined
  if (isAsked(neighbour, persona)) return undefined
  if (inboxKey(event.channel) !== inboxKey(neighbourEvent.channel)) return undefined
  const { seq: _, time: __, ...speaker } = describeMessage(neighbour)
  return { ...speaker, content: getContent(neighbourEvent).slice(0, maxNeighbourLength) }
}

const toRecalledEntry = ({ entry, kind, text, place, bearer }: Hit): RecalledEntry => {
  const excerpt = getExcerpt(text, place, maxShownLength)
  if (bearer) {
    const { name, filename } = bearer.media
    return {
      ...describeMessage(bearer.entry),
      content: getContent(bearer.event).slice(0, maxShownLength),
      file: { name, file: filename, holds: excerpt },
    }
  }
  const { event } = entry
  if (event.type === 'HistoryFed')
    return { ...moment(entry), role: 'elsewhere', content: excerpt, source: event.source }
  if (!isIn('talk', event)) {
    const quotesMark = 'via' in event && event.via ? { others: true as const } : {}
    return {
      ...moment(entry),
      role: kind === 'memory' || kind === 'day' ? kind : 'file',
      content: excerpt,
      ...quotesMark,
    }
  }
  const { media } = event
  const content = getContent(event)
  const file = media && {
    name: media.name,
    file: media.filename,
    holds: media.caption.slice(0, maxShownLength),
  }
  return {
    ...describeMessage(entry),
    content: content.length > maxShownLength ? excerpt : content,
    ...(file && { file }),
  }
}

const moment = ({ seq, at, offset }: Entry) => ({ seq, time: isoWithOffset(at, offset) })

const describeMessage = (entry: Entry) => {
  const role = getRole(entry)
  return {
    ...moment(entry),
    role,
    ...(role !== 'others' && holdsOthersWords(entry) && { others: true as const }),
  }
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
