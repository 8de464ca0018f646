/**
 * Sends web push notifications for messages of a persona. Unprompted messages are always sent, answers only
 * if no page is connected. All messages are already in the journal, so a lost notification loses no message.
 */
import type { PersonaId, Seq } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import { findRefusal, usualReach } from '../../packages/kit/network/reach.ts'
import { type Bus, listen, type PersonaCommit } from '../bus.ts'
import type { WebChannel } from '../web-channel.ts'
import { createPushBrowsers, type PushBrowsers } from './push-browsers.ts'
import { createPushQueue, type PushQueueDeps } from './push-queue.ts'
import type { SendResult } from './push-sending.ts'
import { toPushWords } from './push-words.ts'

export interface WebPush extends Omit<PushBrowsers, 'now'> {
  /** Sends a test notification. Returns null if the browser is not subscribed. Rejects with Unavailable. */
  tryOut(endpoint: string): Promise<SendResult | null>
  /** Returns why a push service must not have this address, or null. */
  getRefusal(endpoint: string): string | null
  close(): Promise<void>
}

interface Deps extends Omit<PushQueueDeps, 'browsers'> {
  readonly log: DiscreetLog
  readonly home: string
  readonly bus: Bus
  readonly web: Pick<WebChannel, 'isHeard'>
}

export const createWebPush = ({ home, bus, web, ...deps }: Deps): WebPush => {
  const { log } = deps
  const browsers = createPushBrowsers(home, (endpoint) => log.hide(endpoint))
  const queue = createPushQueue({ ...deps, browsers })
  const detector = createUnpromptedDetector()

  const notify = (commit: PersonaCommit) => {
    const { id, entries, persona } = commit
    detector.follow(commit)
    for (const { seq, event } of entries) {
      const words = toPushWords({ id, name: persona.self.name }, seq, event)
      if (!words || (web.isHeard(id) && !detector.includes(commit, event))) continue
      queue.notifyAll(words).catch((err: unknown) => log.warn({ id, err }, 'failed to queue a notification'))
    }
  }
  const stopListening = listen(bus.commits, log, notify)

  return {
    publicKey: browsers.publicKey,
    subscribe: browsers.subscribe,
    forget: browsers.forget,
    getRefusal: (endpoint) => findRefusal(new URL(endpoint), 'internet', { ...usualReach, ...deps.reach }),
    tryOut: (endpoint) => queue.attempt(endpoint, { kind: 'trial' }),
    close: async () => {
      stopListening()
      await queue.close()
    },
  }
}

/** Detects unprompted messages: messages without a turn, and those of turns that began for a reminder. */
const createUnpromptedDetector = () => {
  const turns = new Map<PersonaId, Seq>()
  return {
    follow: ({ id, entries }: PersonaCommit) => {
      for (const { seq, event } of entries) {
        if (event.type !== 'TurnBegan') continue
        if (event.stimuli.due.length > 0) turns.set(id, seq)
        else turns.delete(id)
      }
    },
    includes: ({ id, persona: { talk } }: PersonaCommit, event: PersonaEvent): boolean =>
      event.type !== 'MessageSpoken' ||
      event.turn === null ||
      event.turn === turns.get(id) ||
      // The turn was resumed after a restart, so its beginning was not seen.
      (event.turn === talk.turn?.id && talk.turn.stimuli.due.length > 0),
  }
}
