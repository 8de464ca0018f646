/**
 * Invariants of any journal, read from its first record to its last. Must not import `frozen-time.ts`:
 * other tests read journals too.
 */

import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { emptyKeyed, isAt, valueAt } from '../../projections/persistent-map.ts'
import { evolve, type Persona } from '../../projections/persona.ts'
import { inboxKey } from '../../projections/talk.ts'
import { createDayStory } from './story-days.ts'
import { createGreetingStory } from './story-greeting.ts'
import { createInitiativeStory } from './story-initiative.ts'

/** Reason of a simulated model that gives no text while it is away. */
export const noTalk = 'There are no words to be had.'

interface TurnOutcome {
  readonly id: Seq
  readonly channel: string
  readonly after: Seq | 0
  readonly upTo: Seq | 0
  step: number
  spoke: boolean
  readonly answeredKeys: Set<string>
}

/** Returns the state, folded from the first record. */
export const readStory = (
  id: PersonaId,
  entries: readonly Entry[],
  isFinished: boolean,
  wrong: (problem: string) => void,
): Persona | undefined => {
  const report = (seq: Seq, problem: string) => wrong(`${id} at ${seq}: ${problem}`)
  let persona: Persona | undefined
  let turn: TurnOutcome | null = null
  const messages = new Map<Seq, { readonly channel: string; answers: number }>()
  const lookAtDays = createDayStory(report)
  const greeting = createGreetingStory(report)
  const initiative = createInitiativeStory(report)
  /** Failed model calls for pending messages, by channel. */
  const failures = new Map<string, number>()
  const keys = new Set<string>()

  const consume = ({ channel, after, upTo }: TurnOutcome) => {
    for (const [seq, message] of messages)
      if (message.channel === channel && seq > after && seq <= upTo) message.answers++
    failures.delete(channel)
  }
  const fail = ({ channel }: TurnOutcome) => failures.set(channel, (failures.get(channel) ?? 0) + 1)
  /** Returns the entries of the fact's commit. */
  const sameCommit = (place: number) => {
    const { commit } = entries[place] as Entry
    return entries.slice(Math.max(0, place - 60), place + 60).filter((entry) => entry.commit === commit)
  }

  /**
   * A message is never given up because a model is away: only if the model refuses it, or if it fails
   * repeatedly while the model answers others.
   */
  const lookAtRefusal = (seq: Seq, place: number) => {
    const failedEvent = sameCommit(place).find(({ type }) => type === 'ModelFailed')?.event
    if (failedEvent?.type !== 'ModelFailed' || failedEvent.kind === 'refused') return
    if (failedEvent.reason === noTalk) report(seq, 'a message was given up because its Mind was away')
    const tries = turn ? (failures.get(turn.channel) ?? 0) : 0
    if (tries < 3) report(seq, `a message was given up after ${tries} tries`)
  }

  const look = (entry: Entry, place: number) => {
    const { seq, event, cause } = entry
    if (seq !== place + 1) report(seq, `is at place ${place + 1}`)
    if (persona?.self.deleted) report(seq, `${event.type} after its end`)
    if (
      cause.life !== undefined &&
      event.type !== 'Woke' &&
      (cause.life !== persona?.life.life || !persona.life.awake)
    ) {
      // A life that ends in this commit was alive when it was decided.
      if (entries[place - 1]?.commit !== entry.commit)
        report(seq, `${event.type} of life ${cause.life} in life ${persona?.life.life}`)
    }
    greeting.look(entry, persona)
    initiative.look(entry, persona, () => sameCommit(place))
    lookAtDays(entry, {
      persona,
      turn: turn?.id ?? null,
      answersBySeq: messages,
      commit: () => sameCommit(place),
    })
    switch (event.type) {
      case 'Woke':
        if (event.life !== (persona?.life.life ?? 0) + 1)
          report(seq, `life ${event.life} follows ${persona?.life.life}`)
        break
      case 'MessageHeard':
        if (event.key !== null && keys.has(event.key))
          report(seq, `the message with the key ${event.key} was received twice`)
        if (event.key !== null) keys.add(event.key)
        // A program's request is answered in the same commit.
        messages.set(seq, { channel: inboxKey(event.channel), answers: event.channel === null ? 1 : 0 })
        break
      case 'TurnBegan': {
        if (turn) report(seq, `a turn begins within turn ${turn.id}`)
        const { after, upTo } = event.stimuli
        turn = {
          id: seq,
          channel: inboxKey(event.channel),
          after,
          upTo,
          step: 0,
          spoke: false,
          answeredKeys: new Set(),
        }
        break
      }
      case 'ModelAnswered': {
        if (event.cause !== 'turn') break
        if (turn?.id !== event.turn) return report(seq, `an answer for turn ${event.turn}`)
        if (event.step !== turn.step + 1) report(seq, `step ${event.step} follows ${turn.step}`)
        turn.step = event.step ?? turn.step
        const { answer } = event
        const last = answer && 'text' in answer && answer.calls.length === 0 && answer.text.trim() !== ''
        const types = sameCommit(place).map(({ type }) => type)
        if (last && !types.includes('TurnEnded')) report(seq, 'the last reply does not end the turn')
        break
      }
      case 'ToolAnswered': {
        if (turn?.id !== event.turn) return report(seq, `a tool answered for turn ${event.turn}`)
        const name = `${event.step} ${event.call}`
        if (turn.answeredKeys.has(name)) report(seq, `the call ${name} was answered twice`)
        turn.answeredKeys.add(name)
        break
      }
      case 'MessageSpoken':
        if (event.turn === null) break
        if (turn?.id !== event.turn) return report(seq, `a reply for turn ${event.turn}`)
        turn.spoke = true
        break
      case 'TurnEnded':
        if (turn?.id !== event.turn) return report(seq, `turn ${event.turn} ends`)
        if (event.outcome === 'answered' && !turn.spoke) report(seq, 'answered without a reply')
        if (event.outcome === 'refused') lookAtRefusal(seq, place)
        if (event.outcome === 'unreachable') fail(turn)
        else consume(turn)
        turn = null
        break
      case 'ModelFailed':
        // The failure is inside a turn, which is suspended.
        if (event.cause === 'turn' && turn?.id === event.turn) fail(turn)
        break
      case 'EntryDue':
        if (!persona || !isAt(persona.plans.open, event.id))
          report(seq, `the plan ${event.id} is due and not open`)
        break
      case 'EntryDone':
        if (!persona?.plans.due.some((plan) => plan.id === event.id))
          report(seq, `the plan ${event.id} is done and was not due`)
        break
      case 'EntryPlanned':
        // If the clock was set back, the next occurrence of a recurring plan moves back too.
        if ((valueAt(persona?.plans.open ?? emptyKeyed, event.id)?.wall ?? '9') <= event.wall)
          report(seq, `the plan ${event.id} is created twice`)
        break
      default:
    }
    return undefined
  }

  for (const [place, entry] of entries.entries()) {
    look(entry, place)
    persona = evolve(persona, entry)
  }
  for (const [seq, { answers }] of messages) {
    if (answers > 1) report(seq, `a message was answered ${answers} times`)
    if (isFinished && answers === 0) report(seq, 'a message was never answered')
  }
  if (isFinished && persona && !persona.self.deleted) {
    if (persona.talk.turn) report(persona.talk.turn.id, 'the turn never ended')
    if (persona.plans.due.length > 0) report(entries.length, 'a due reminder was never sent')
    if (persona.days.sleeping !== null) report(persona.days.sleeping, 'a sleep never ended')
    const pendingGreeting = greeting.getGreetingSeq()
    if (pendingGreeting !== null) report(pendingGreeting, 'a requested greeting never came')
  }
  return persona
}
