/** Its talks with programs: beside its turns, any number at once, and over when its life is. */
import { eitherAborts } from '../../packages/kit/flow/either-aborts.ts'
import { Refused } from '../persona/refusals.ts'
import { type ConverseDeps, converse, type Exchange, type Exchanged } from './converse.ts'

export interface Exchanges {
  /** As `converse`; Refused `life_over` where its life ended first. */
  converse(exchange: Exchange): Promise<Exchanged>
  /** Resolves when those in progress have ended and what they cost is written. Never rejects. */
  ended(): Promise<void>
}

/** `ending` aborts when its life is over. */
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
