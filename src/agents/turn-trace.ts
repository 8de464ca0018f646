/**
 * Connects the trace of a turn with the requests whose messages it answers. A turn that begins at once is part
 * of the first one's trace; one that begins later has a trace of its own with links.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import { currentPlace, inSpan, type Place, within } from '../../packages/kit/tracing/tracing.ts'

export interface TurnTrace {
  /** Remembers the current span as the cause of the next turn. */
  addCause(): void
  /** Runs the beginning of a turn below its cause. */
  begin<T>(work: () => Promise<T>): Promise<T>
  run<T>(turn: { readonly id: Seq }, work: () => Promise<T>): Promise<T>
}

/** Messages beyond these are not linked. */
const maxCauses = 16

export const createTurnTrace = (personaId: string): TurnTrace => {
  let causes: Place[] = []
  let lastTurn: { readonly id: Seq; readonly place: Place | undefined } | null = null
  return {
    addCause: () => {
      const place = currentPlace()
      if (place && causes.length < maxCauses) causes.push(place)
    },
    begin: (work) => within(causes[0] ?? null, work),
    run: ({ id }, work) => {
      // A turn that was held continues after its earlier attempt.
      const earlier = lastTurn?.id === id ? lastTurn.place : undefined
      const [parent, ...links] = earlier ? [earlier, ...causes] : causes
      causes = []
      const attributes = {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.agent.id': personaId,
        'daimon.turn': id,
      } as const
      return inSpan({ name: 'invoke_agent', attributes, parent: parent ?? null, links }, (span) => {
        lastTurn = { id, place: span.place }
        return work()
      })
    },
  }
}
