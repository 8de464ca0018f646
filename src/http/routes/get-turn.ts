/** GET /api/persona/{persona_id}/turns/{id} */

import * as z from 'zod'
import type { Answer, Seq } from '../../../journal/facts/fact-values.ts'
import type { EventOf } from '../../../journal/facts/facts.ts'
import { entryAt } from '../../../journal/log/entry-at.ts'
import type { Entry, Journal } from '../../../journal/log/journal.ts'
import { fieldsOf, shownOf, textOf } from '../../../packages/kit/masked.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { inboxKey } from '../../../projections/talk.ts'
import { type Manner, type TurnFacts, turnOf } from '../../../projections/turns.ts'
import { known } from '../../commands/lifecycle.ts'
import { keptAnswer } from '../../persona/prune-calls.ts'
import { route } from '../route.ts'
import { HttpRefused } from '../schema/refused.ts'
import { bodiesOf, CallBody } from '../schema/sent-bodies.ts'
import { Turn } from '../schema/shapes.ts'
import { whileThere } from '../server/caller.ts'

export const turn = route({
  method: 'get',
  path: '/api/persona/{persona_id}/turns/{id}',
  summary: 'What the persona took, perceived, thought, did, learned and said in a turn, and what it cost',
  description: 'With `bodies` every call of a model is told as it was sent and answered.',
  tag: 'Turns',
  query: z.object({
    bodies: z
      .boolean()
      .default(false)
      .describe('With every model call as it was sent and answered, as far as that is kept.'),
  }),
  reply: Turn.extend({ bodies: z.array(CallBody).readonly().exactOptional() }).meta({ id: 'Turn' }),
  refuses: ['persona_unknown', 'turn_unknown', 'cut_short'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, query: { bodies }, response }) => {
      const { personas } = deps
      known(personas, persona)
      return whileThere(response, deps.closing, (gone) =>
        personas.read(persona, async (reading) => {
          const found = await read(reading.journal, id)
          const view = found && turnOf(persona, found, manner)
          if (!view) throw new HttpRefused({ code: 'turn_unknown' })
          if (!bodies) return view
          return { ...view, bodies: await bodiesOf(persona, reading, found.facts, deps, gone) }
        }),
      )
    },
})

/**
 * UTF-16 units of one text that was said, thought or perceived, and of one within what a tool was given or
 * gave back.
 */
const mostText = 64 * 1024
const mostOfTool = 8 * 1024

const manner: Manner = {
  time: ({ at, offset }) => isoWithOffset(at, offset),
  text: (text) => textOf(text, mostText),
  value: (value) => shownOf(value, mostOfTool),
  fields: fieldsOf,
}

/**
 * Records that are looked through for the end of a turn, facts of it that are shown, messages that it took.
 */
const mostRecords = 20_000
const mostFacts = 2000
const mostHeard = 1000

const read = async (journal: Journal, id: string): Promise<TurnFacts | null> => {
  const seq = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : Infinity
  const began = await entryAt(journal, seq)
  if (began?.event.type !== 'TurnBegan') return null
  const { channel, stimuli } = began.event
  const heard = journal.read({ kind: 'talk', after: stimuli.after, upTo: stimuli.upTo })
  const toIt = ({ event }: Entry) =>
    event.type === 'MessageHeard' && inboxKey(event.channel) === inboxKey(channel)
  const { facts, complete } = await readFacts(journal, seq)
  return {
    began,
    heard: stimuli.upTo > stimuli.after ? (await taken(heard, mostHeard)).filter(toIt) : [],
    planned: await readPlanned(journal, seq, stimuli.due),
    facts,
    answers: await readAnswers(journal, facts),
    complete,
  }
}

/** Everything that was written in the turn, up to the commit that ended it. */
const readFacts = async (journal: Journal, turn: Seq): Promise<Pick<TurnFacts, 'facts' | 'complete'>> => {
  const facts: Entry[] = []
  let read = 0
  const asked = new Set<Seq>()
  let end: Entry | undefined
  for await (const entry of journal.read({ after: turn })) {
    if (end && entry.commit !== end.commit) break
    if (++read > mostRecords || facts.length >= mostFacts) return { facts, complete: false }
    if (!end && entry.cause.turn !== turn && !endsIt(entry, turn) && !settles(entry, asked)) continue
    facts.push(entry)
    if (entry.type === 'ApprovalAsked') asked.add(entry.seq)
    if (entry.type === 'TurnEnded') end = entry
  }
  return { facts, complete: true }
}

/** A person who hushes it is no part of the turn, and yet writes what it ends with. */
const endsIt = (entry: Entry, turn: Seq): boolean =>
  // The words of others are not even decoded.
  (entry.type === 'TurnEnded' || entry.type === 'MessageSpoken') &&
  'turn' in entry.event &&
  entry.event.turn === turn

/** So does one who answers what it asked. */
const settles = (entry: Entry, asked: ReadonlySet<Seq>): boolean =>
  entry.type === 'ApprovalSettled' &&
  entry.event.type === 'ApprovalSettled' &&
  asked.has(entry.event.approval)

/**
 * ⏱ Backwards from the turn: what falls due was planned shortly before, but for what was planned long ahead.
 */
const mostPlans = 5000

const readPlanned = async (
  journal: Journal,
  turn: Seq,
  due: readonly string[],
): Promise<readonly EventOf<'EntryPlanned'>[]> => {
  if (due.length === 0) return []
  const planned = new Map<string, EventOf<'EntryPlanned'>>()
  for await (const { event } of journal.read({ kind: 'plans', upTo: turn, last: mostPlans }))
    if (event.type === 'EntryPlanned' && due.includes(event.id)) planned.set(event.id, event)
  return [...planned.values()]
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

const taken = async (entries: AsyncIterable<Entry>, most: number): Promise<readonly Entry[]> => {
  const all: Entry[] = []
  for await (const entry of entries) {
    if (all.length >= most) break
    all.push(entry)
  }
  return all
}
