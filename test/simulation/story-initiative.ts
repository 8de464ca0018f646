/**
 * Invariants of messages that a persona writes by itself in any journal: each reason leads to one message at
 * most, only while the user allows it, and never twice without an answer in between.
 */

import type { Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import type { Persona } from '../../projections/persona.ts'

type Fact = Pick<Entry, 'seq' | 'event'>

export interface InitiativeStory {
  /** `commit`: the entries of the fact's commit. */
  look(entry: Fact, previousPersona: Persona | undefined, commit: () => readonly Fact[]): void
}

export const createInitiativeStory = (report: (seq: Seq, problem: string) => void): InitiativeStory => {
  /** Times of reasons whose message was sent, by id. */
  const spokenTimes = new Map<string, Set<number>>()
  const erasedSeqs = new Set<Seq>()
  let isUnanswered = false

  const lookAtMessage = (seq: Seq, id: string, persona: Persona | undefined, commit: readonly Fact[]) => {
    const reason = persona?.initiative.open.find((entry) => entry.id === id)
    if (!persona || !reason) return report(seq, `it writes about ${id}, which is not noted`)
    if (persona.initiative.level === 'off') report(seq, 'it writes by itself although it is off')
    if (isUnanswered) report(seq, 'it writes by itself twice without an answer')
    if (persona.talk.turn) report(seq, 'it writes by itself during a turn')
    if (reason.sources.some((source) => persona.talk.hidden[source]))
      report(seq, 'it writes about a message that was removed')
    if (reason.sources.some((source) => erasedSeqs.has(source)))
      report(seq, 'it writes about a message that was erased')
    const times = spokenTimes.get(id) ?? new Set()
    if (times.has(reason.at)) report(seq, `it writes twice about ${id}`)
    spokenTimes.set(id, times.add(reason.at))
    const next = commit.find((entry) => entry.seq === seq + 1)
    if (next?.event.type !== 'MessageSpoken' || next.event.turn !== null)
      report(seq, 'its message is not the next fact')
    isUnanswered = true
    return undefined
  }

  return {
    look: ({ seq, event }, persona, commit) => {
      if (event.type === 'MessageHeard' && event.channel !== null) isUnanswered = false
      if (event.type === 'PersonaForked') isUnanswered = false
      if (event.type === 'FactsErased') for (const fact of event.facts) erasedSeqs.add(fact.seq)
      if (event.type === 'InitiativeSettled' && event.outcome === 'spoke')
        lookAtMessage(seq, event.id, persona, commit())
    },
  }
}
