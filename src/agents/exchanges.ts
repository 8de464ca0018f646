/**
 * The running API chats of a persona. Any number of them run in parallel with the turns. They end with its
 * life.
 */
import { eitherAborts } from '../../packages/kit/flow/either-aborts.ts'
import { Refused } from '../persona/refusals.ts'
import { type ConverseDeps, converse, type Exchange, type Exchanged } from './converse.ts'

export interface Exchanges {
  /** See `converse`. Rejects with `life_over` if the life ends first. */
  converse(exchange: Exchange): Promise<Exchanged>
  /** Resolves when all running chats have ended and their cost is recorded. Never rejects. */
  ended(): Promise<void>
}

/** `ending` aborts when the persona stops or restarts. */
export const createExchanges = (deps: Omit<ConverseDeps, 'signal'>, ending: AbortSignal): Exchanges => {
  const open = new Set<Promise<Exchanged>>()
  return {
    converse: async (exchange) => {
      if (ending.aborted) throw new Refused({ code: 'life_over' })
      const answering = eitherAborts([exchange.gone, ending], (signal) =>
        converse(exchange, { ...deps, signal }),
      )
      open.add(answering)
      try {
        return await answering
      } catch (error) {
        throw ending.aborted && !exchange.gone.aborted ? new Refused({ code: 'life_over' }) : error
      } finally {
        open.delete(answering)
      }
    },
    ended: async () => {
      await Promise.allSettled(open)
    },
  }
}
