/** The model calls of a turn as they were sent and answered, for inspection by the user. */
import type { Answer, PersonaId } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import type { Entry } from '../../facts/persona-journal.ts'
import type { Models } from '../../packages/models/models.ts'
import type { PersonaStore, Reading } from '../persona/persona-store.ts'
import { keptAnswer } from '../persona/prune-calls.ts'
import { filesIn } from './create-agent-deps.ts'
import { reach } from './organ-reach.ts'
import { type SentCall, sentCall } from './sent-calls.ts'

type ModelAnswered = EventOf<'ModelAnswered'>

export interface OpenedCall {
  readonly entry: Entry
  readonly event: ModelAnswered
  /** Null if the sent prompt was not stored. */
  readonly sent: SentCall | null
  /** Null if another fact holds the answer, or if it is lost. */
  readonly answer: Answer | null
}

interface Deps {
  readonly personas: PersonaStore
  readonly models: Pick<Models, 'getContextWindow'>
  readonly zone: string
}

/** Yields the model calls among `facts`, the facts of a turn, in their order. */
export async function* openedCalls(
  id: PersonaId,
  { persona, journal }: Reading,
  facts: readonly Entry[],
  { personas, models, zone }: Deps,
  signal: AbortSignal,
): AsyncGenerator<OpenedCall> {
  let holds: Promise<number | null> | undefined
  const mindHolds = async () => {
    const mind = persona.self.organs.thinking
    if (!mind) return null
    const { ask, wrapper } = await reach(personas, id, 'thinking', mind)
    return models.getContextWindow(ask, wrapper, signal)
  }
  const deps = {
    journal,
    zone,
    signal,
    files: filesIn(personas, id),
    lost: new Map(),
    holds: () => {
      holds ??= mindHolds()
      return holds
    },
  }
  for (const entry of facts) {
    signal.throwIfAborted()
    const { event } = entry
    if (event.type !== 'ModelAnswered') continue
    const call = await sentCall({ ...entry, event }, deps)
    yield { entry, event, sent: call, answer: await keptAnswer(journal, event) }
  }
}
