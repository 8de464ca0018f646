/** Lines of a consolidation about plans: what was planned, moved and cancelled, and what fell due. */
import type { Seq } from '../../../facts/fact-values.ts'
import type { Entry, Journal } from '../../../facts/persona-journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import { formatPlanTime, formatShortWall, localTimeAt } from '../../../packages/kit/time/local-time.ts'
import { listValues } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Plan } from '../../../projections/plans.ts'
import { othersInPlan, plainLine } from '../prompt/persona-prompt.ts'
import { type ToldPart, tokensIn } from '../prompt/prompt-part.ts'

/** `seq`: its place in the talk. The line has no number, so no statement can name it as a source. */
export interface DayEvent {
  readonly seq: Seq
  readonly part: ToldPart
}

interface Range {
  readonly after: Seq | 0
  readonly upTo: Seq
}

const maxEvents = 60
/** Facts about plans that are searched for the text of a plan. */
const maxEarlierFacts = 500

/** Returns the latest events of the range that fit, oldest first. */
export const readDayEvents = async (
  journal: Journal,
  { plans }: Persona,
  { after, upTo }: Range,
  { zone, maxTokens }: { readonly zone: string; readonly maxTokens: number },
): Promise<readonly DayEvent[]> => {
  const entries: Entry[] = []
  for await (const entry of journal.read({ kind: 'plans', after, upTo, last: maxEvents }))
    if (entry.type !== 'EntryDone') entries.push(entry)
  const [first] = entries
  if (!first) return []
  const plansById = new Map<string, Plan>(
    [...listValues(plans.open), ...plans.due, ...plans.handled].map((plan) => [plan.id, plan]),
  )
  for await (const entry of journal.read({ kind: 'plans', upTo: first.seq - 1, last: maxEarlierFacts }))
    addPlan(plansById, entry)
  const events: DayEvent[] = []
  for (const entry of entries) {
    addPlan(plansById, entry)
    const event = toDayEvent(entry, plansById, { zone, isForking: await isByFork(journal, entry) })
    if (event) events.push(event)
  }
  let tokensLeft = maxTokens
  const keptIndex = events.findLastIndex(({ part }) => {
    tokensLeft -= tokensIn(part.text)
    return tokensLeft < 0
  })
  return events.slice(keptIndex + 1)
}

/** Returns true if the cancellation is part of the commit that forked the persona from another one. */
const isByFork = async (journal: Journal, { type, seq, commit }: Entry): Promise<boolean> => {
  for (let previousSeq = seq - 1; type === 'EntryCancelled' && previousSeq > 0; previousSeq--) {
    const entry = await entryAt(journal, previousSeq)
    if (entry?.commit !== commit) return false
    if (entry.type === 'PersonaForked') return true
  }
  return false
}

const addPlan = (plans: Map<string, Plan>, { seq, event }: Entry): void => {
  if (event.type !== 'EntryPlanned' && event.type !== 'EntryMoved') return
  const { type: _, ...plan } = event
  plans.set(plan.id, { ...plan, seq })
}

const toDayEvent = (
  { seq, at, event, cause }: Entry,
  plans: ReadonlyMap<string, Plan>,
  { zone, isForking }: { readonly zone: string; readonly isForking: boolean },
): DayEvent | null => {
  const plan = 'id' in event ? plans.get(event.id) : undefined
  if (!plan || plan.content === '') return null
  // The next repetition of a plan.
  if (event.type === 'EntryPlanned' && cause.by === 'clock') return null
  const isByUser = cause.by === 'person' && cause.turn === undefined
  const actor = isForking ? 'The fork' : isByUser ? 'The user' : 'You'
  const action = describeAction(event.type, actor, plan)
  if (action === null) return null
  const time = formatShortWall(localTimeAt(at, zone))
  return {
    seq,
    part: {
      text: `- ${time} ${action.before}: ${plainLine(plan.content)}${action.after}\n`,
      from: plan.seq,
      others: othersInPlan(plan),
    },
  }
}

/** Returns the text before and after the content of the plan; null for facts without a line. */
const describeAction = (
  type: Entry['event']['type'],
  actor: string,
  { kind, zone, recurrence, ...time }: Plan,
): { readonly before: string; readonly after: string } | null => {
  const plannedTime = formatPlanTime(time)
  const when = `${plannedTime} (${zone})${recurrence ? `, ${recurrence}` : ''}`
  switch (type) {
    case 'EntryPlanned':
      return { before: `${actor} planned a ${kind} for ${when}`, after: '' }
    case 'EntryMoved':
      return { before: `${actor} moved a ${kind} to ${when}`, after: '' }
    case 'EntryCancelled':
      return { before: `${actor} cancelled a ${kind}`, after: ` (planned for ${plannedTime})` }
    case 'EntryDue':
      return { before: `A ${kind} was due`, after: ` (planned for ${plannedTime})` }
    default:
      return null
  }
}
