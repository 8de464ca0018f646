/** Routes that show a turn and compare its call with another model. */

import * as z from 'zod'
import { type Answer, type Seq, Usage } from '../../../facts/fact-values.ts'
import type { EventOf } from '../../../facts/facts.ts'
import type { Entry, Journal } from '../../../facts/persona-journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import { redactDeep, redactFields, toMaskedText } from '../../../packages/kit/redact.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { inboxKey } from '../../../projections/talk.ts'
import { type Manner, type TurnFacts, toTurnView } from '../../../projections/turns.ts'
import { shownUsd } from '../../../projections/usage.ts'
import { compareCall } from '../../commands/compare-call.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { keptAnswer } from '../../persona/prune-calls.ts'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { CallBody, readCallBodies } from './turn-call-bodies.ts'
import { Turn } from './turn-shapes.ts'

export const getTurnRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/turns/{id}',
  summary:
    'A turn of the persona: its messages, perceptions, thoughts, actions, new knowledge, reply and cost',
  description: 'With `bodies` each model call is returned as it was sent and answered.',
  tag: 'Turns',
  query: z.object({
    bodies: z
      .boolean()
      .default(false)
      .describe('Include every model call as it was sent and answered, if it is still stored.'),
  }),
  reply: Turn.extend({ bodies: z.array(CallBody).readonly().exactOptional() }).meta({ id: 'Turn' }),
  refuses: ['persona_unknown', 'turn_unknown', 'cut_short'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, query: { bodies }, response }) => {
      const { personas } = deps
      requireListed(personas, persona)
      return withAbortSignal(response, deps.closing, (signal) =>
        personas.read(persona, async (reading) => {
          const turnFacts = await read(reading.journal, id)
          const view = turnFacts && toTurnView(persona, turnFacts, manner)
          if (!view) throw new Refused({ code: 'turn_unknown' })
          if (!bodies) return view
          return { ...view, bodies: await readCallBodies(persona, reading, turnFacts.facts, deps, signal) }
        }),
      )
    },
})

/** Max UTF-16 units of one text of a message, thought or perception. */
const mostText = 64 * 1024
/** Max UTF-16 units of one text in the arguments or the result of a tool. */
const mostOfTool = 8 * 1024

const manner: Manner = {
  time: ({ at, offset }) => isoWithOffset(at, offset),
  text: (text) => toMaskedText(text, mostText),
  value: (value) => redactDeep(value, mostOfTool),
  fields: redactFields,
}

/**
 * Max records that are searched for the end of a turn, max facts that are shown, and max messages that the
 * turn took.
 */
const mostRecords = 20_000
const mostFacts = 2000
const mostMessages = 1000

const read = async (journal: Journal, id: string): Promise<TurnFacts | null> => {
  const seq = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : Infinity
  const turnEvent = await entryAt(journal, seq)
  if (turnEvent?.event.type !== 'TurnBegan') return null
  const { channel, stimuli } = turnEvent.event
  const messages = journal.read({ kind: 'talk', after: stimuli.after, upTo: stimuli.upTo })
  const toIt = ({ event }: Entry) =>
    event.type === 'MessageHeard' && inboxKey(event.channel) === inboxKey(channel)
  const { facts, complete } = await readFacts(journal, seq)
  return {
    began: turnEvent,
    heard: stimuli.upTo > stimuli.after ? (await takeFirst(messages, mostMessages)).filter(toIt) : [],
    planned: await readPlanned(journal, seq, stimuli.due),
    facts,
    answers: await readAnswers(journal, facts),
    complete,
  }
}

/** Returns the facts of the turn up to the commit that ended it. */
const readFacts = async (journal: Journal, turn: Seq): Promise<Pick<TurnFacts, 'facts' | 'complete'>> => {
  const facts: Entry[] = []
  let read = 0
  const approvalSeqs = new Set<Seq>()
  let end: Entry | undefined
  for await (const entry of journal.read({ after: turn })) {
    if (end && entry.commit !== end.commit) break
    if (++read > mostRecords || facts.length >= mostFacts) return { facts, complete: false }
    if (!end && entry.cause.turn !== turn && !endsIt(entry, turn) && !settles(entry, approvalSeqs)) continue
    facts.push(entry)
    if (entry.type === 'ApprovalAsked') approvalSeqs.add(entry.seq)
    if (entry.type === 'TurnEnded') end = entry
  }
  return { facts, complete: true }
}

/** When a user stops the turn, the facts that end it do not have the turn as their cause. */
const endsIt = (entry: Entry, turn: Seq): boolean =>
  // Checked first, so that records of other turns are not decoded.
  (entry.type === 'TurnEnded' || entry.type === 'MessageSpoken') &&
  'turn' in entry.event &&
  entry.event.turn === turn

/** The answer of a user to an approval does not have the turn as its cause either. */
const settles = (entry: Entry, approvalSeqs: ReadonlySet<Seq>): boolean =>
  entry.type === 'ApprovalSettled' &&
  entry.event.type === 'ApprovalSettled' &&
  approvalSeqs.has(entry.event.approval)

/**
 * Max plans that are searched backwards from the turn. Measured: most entries that fall due were planned
 * shortly before.
 */
const mostPlans = 5000

const readPlanned = async (
  journal: Journal,
  turn: Seq,
  dueIds: readonly string[],
): Promise<readonly EventOf<'EntryPlanned'>[]> => {
  if (dueIds.length === 0) return []
  const plans = new Map<string, EventOf<'EntryPlanned'>>()
  for await (const { event } of journal.read({ kind: 'plans', upTo: turn, last: mostPlans }))
    if (event.type === 'EntryPlanned' && dueIds.includes(event.id)) plans.set(event.id, event)
  return [...plans.values()]
}

const readAnswers = async (journal: Journal, facts: readonly Entry[]): Promise<TurnFacts['answers']> => {
  const answers = new Map<Seq, Answer>()
  for (const { seq, event } of facts) {
    if (event.type !== 'ModelAnswered' || !event.answer || !('part' in event.answer)) continue
    const answer = await keptAnswer(journal, event)
    if (answer) answers.set(seq, answer)
  }
  return answers
}

const takeFirst = async (entries: AsyncIterable<Entry>, maxEntries: number): Promise<readonly Entry[]> => {
  const all: Entry[] = []
  for await (const entry of entries) {
    if (all.length >= maxEntries) break
    all.push(entry)
  }
  return all
}

export const compareTurnRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/turns/{id}/compare',
  summary: 'Send the first model call of a turn to another model. Nothing is stored or carried out',
  description:
    'The call is sent unchanged, so that the answers of two models can be compared. It costs as much as any call.',
  tag: 'Turns',
  body: z
    .object({
      provider: z.string().nullish(),
      model: z.string(),
      url: z.string().nullish(),
      api_key: z.string().nullish(),
    })
    .meta({ id: 'CompareRequest' }),
  reply: z
    .object({
      answer: z.string(),
      calls: z
        .array(z.object({ id: z.string(), name: z.string(), input: z.unknown() }))
        .readonly()
        .describe('Tool calls in its answer. None is carried out.'),
      usage: Usage,
      ms: z.int(),
      price: z.object({ usd: z.number(), dated: z.string() }).nullable(),
    })
    .meta({ id: 'Compared' }),
  refuses: [
    'persona_unknown',
    'organ_invalid',
    'profile_invalid',
    'provider_unknown',
    'model_missing',
    'address_secret',
    'turn_unknown',
    'call_unsent',
    'call_gone',
    'model_failed',
    'cut_short',
  ],
  handle:
    (deps) =>
    ({ params: { persona_id: persona, id }, body, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const { provider, model, url, api_key } = body
        const organ = { provider, model, url, ...(api_key != null && { api_key }) }
        const turn = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null
        const comparison = await compareCall(deps, persona, { turn, organ }, signal)
        if (!comparison) throw new Refused({ code: 'turn_unknown' })
        const { answer, usage, ms, price } = comparison
        return {
          answer: answer.text,
          calls: answer.calls,
          usage,
          ms,
          price: price && { ...price, usd: shownUsd(price.usd) },
        }
      }),
})
