/**
 * Connects the trace of a turn with the requests whose messages it answers. A turn that begins at once is
 * part of the first one's trace; one that begins later has a trace of its own with links.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Channel, Seq } from '../../facts/fact-values.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import { currentPlace, inSpan, type Place, runWithin } from '../../packages/kit/tracing/tracing.ts'
import type { Turn } from '../../projections/talk.ts'

export interface TurnTrace {
  /** Remembers the current span for each message of a commit. */
  onCommit(entries: readonly Entry[]): void
  /** Runs the beginning of a turn below the oldest waiting message. */
  begin<T>(work: () => Promise<T>): Promise<T>
  run<T>(turn: Pick<Turn, 'id' | 'channel' | 'stimuli'>, work: () => Promise<T>): Promise<T>
}

interface Cause {
  readonly seq: Seq
  readonly channel: Channel | null
  readonly place: Place
}

/** Messages beyond these are not connected. */
const maxCauses = 64

export const createTurnTrace = (personaId: string): TurnTrace => {
  let causes: readonly Cause[] = []
  let lastTurn: { readonly id: Seq; readonly place: Place | undefined } | null = null
  return {
    onCommit: (entries) => {
      const place = currentPlace()
      if (!place) return
      const newCauses = entries.flatMap(({ seq, event }) =>
        event.type === 'MessageHeard' ? [{ seq, channel: event.channel, place }] : [],
      )
      causes = [...causes, ...newCauses].slice(-maxCauses)
    },
    begin: (work) => runWithin(causes[0]?.place, work),
    run: ({ id, channel, stimuli }, work) => {
      const isAnswered = (cause: Cause) =>
        cause.seq <= stimuli.upTo && isDeepStrictEqual(cause.channel, channel)
      const places = causes.filter(isAnswered).map(({ place }) => place)
      causes = causes.filter((cause) => !isAnswered(cause))
      // A turn that was held continues after its earlier attempt.
      const earlierPlace = lastTurn?.id === id ? lastTurn.place : undefined
      const [parent = null, ...links] = earlierPlace ? [earlierPlace, ...places] : places
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': personaId,
        'daimon.turn': id,
      } as const
      return inSpan({ name: 'invoke_agent', attributes, parent, links }, (span) => {
        lastTurn = { id, place: span.place }
        return work()
      })
    },
  }
}
