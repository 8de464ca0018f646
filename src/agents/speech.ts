/** Says text aloud with the Mouth of a persona, for a client that plays it. Only the cost is recorded. */
import { eitherAborts } from '../../packages/kit/flow/abort-signals.ts'
import { ModelError } from '../../packages/models/models.ts'
import { Unanswered } from '../mind/model-retries.ts'
import type { MadeFile } from '../mind/organ-calls.ts'
import { Refused } from '../persona/refusals.ts'
import type { OrganCall } from '../persona/rules/organ-health.ts'
import type { AgentLife } from './agent-deps.ts'

export interface Speech {
  /**
   * Rejects with `mouth_missing`, `spent`, ModelError, the signal's reason, or `life_over` if the life ends
   * first.
   */
  speak(text: string, disconnectSignal: AbortSignal): Promise<MadeFile>
  /** Resolves when all requests have ended and their cost is recorded. Never rejects. */
  waitForEnd(): Promise<void>
}

/** `ending` aborts when the persona stops or restarts. */
export const createSpeech = (deps: AgentLife, ending: AbortSignal): Speech => {
  const openRequests = new Set<Promise<MadeFile>>()
  return {
    speak: async (text, disconnectSignal) => {
      if (ending.aborted) throw new Refused({ code: 'life_over' })
      const request = eitherAborts([disconnectSignal, ending], (signal) => speak(text, signal, deps))
      openRequests.add(request)
      try {
        return await request
      } catch (error) {
        throw ending.aborted && !disconnectSignal.aborted ? new Refused({ code: 'life_over' }) : error
      } finally {
        openRequests.delete(request)
      }
    },
    waitForEnd: async () => {
      await Promise.allSettled(openRequests)
    },
  }
}

const speak = async (text: string, signal: AbortSignal, deps: AgentLife): Promise<MadeFile> => {
  const { id, life, read, execute, organs, log } = deps
  const { persona, limitMessage } = await read(async (reading) => ({
    persona: reading.persona,
    limitMessage: await deps.getTokenLimit(reading),
  }))
  if (limitMessage !== null) throw new Refused({ code: 'spent', reason: limitMessage })
  if (!persona.self.organs.mouth) throw new Refused({ code: 'mouth_missing' })
  const record = (call: OrganCall) =>
    execute({ type: 'RecordExchange', life, calls: [call], said: null }).catch((err: unknown) =>
      log.warn({ id, err }, 'failed to record the cost of speech'),
    )
  try {
    const { value, used } = await organs(persona, signal, 'unkept').speak(text)
    await record({ used })
    return value
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    await record({ failed: error.failed })
    throw new ModelError(error.message)
  }
}
