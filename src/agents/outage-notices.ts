/** Notifies users that the model is unreachable: each channel once, not for each message. */

import type { Channel, Seq } from '../../facts/fact-values.ts'
import { inboxKey } from '../../projections/talk.ts'
import type { AgentLife } from './agent-deps.ts'

export interface Notices {
  isNotified(channel: Channel | null): boolean
  /** Marks a channel as notified by another message. */
  mark(channel: Channel | null): void
  /** Adds a channel with a message that waits for an answer. */
  addWaiting(channel: Channel): void
  /**
   * Notifies all waiting channels that were not notified yet. `text`: of `toOutageNotice` or
   * `toSilenceNotice`. `stalled`: the turn in which the model is silent.
   */
  notify(text: string, stalledSeq?: Seq): Promise<void>
  /** Clears all marks after the model has recovered. The next outage is notified again. */
  forget(): void
}

type Deps = Pick<AgentLife, 'life' | 'clock' | 'execute'>

/** Time in ms for which a channel counts as notified. */
const noticeTtlMs = 5 * 60_000

const keptNote = 'Your message is kept; the answer follows when the model is back.'

/** `reason`: a sentence. */
export const toOutageNotice = (reason: string): string => `The model does not answer: ${reason} ${keptNote}`

export const toSilenceNotice = (seconds: number): string =>
  `The model has not answered for ${seconds} s. ${keptNote}`

export const createNotices = ({ life, clock, execute }: Deps): Notices => {
  const noticeTimes = new Map<string, number>()
  const waitingChannels = new Map<string, Channel>()
  const notices: Notices = {
    isNotified: (channel) =>
      Math.abs(clock.now() - (noticeTimes.get(inboxKey(channel)) ?? Number.NEGATIVE_INFINITY)) < noticeTtlMs,
    mark: (channel) => {
      noticeTimes.set(inboxKey(channel), clock.now())
      waitingChannels.delete(inboxKey(channel))
    },
    addWaiting: (channel) => void waitingChannels.set(inboxKey(channel), channel),
    notify: async (text, stalledSeq) => {
      for (const [name, channel] of [...waitingChannels]) {
        waitingChannels.delete(name)
        if (notices.isNotified(channel)) continue
        notices.mark(channel)
        try {
          await execute({
            type: 'TellTrouble',
            life,
            channel,
            words: text,
            stalled: stalledSeq ?? null,
          })
        } catch (error) {
          noticeTimes.delete(name)
          waitingChannels.set(name, channel)
          throw error
        }
      }
    },
    forget: () => noticeTimes.clear(),
  }
  return notices
}
