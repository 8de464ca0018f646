/**
 * Tells browsers whose page is closed what a persona says: what it says of itself always, an answer where no
 * page listens. What is told here stands in the journal already, so that nothing is lost with a notification.
 */
import type { PersonaId, Seq } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import { refusalOf, usualReach } from '../../packages/kit/network/reach.ts'
import { type Bus, type Committed, listen } from '../bus.ts'
import type { WebChannel } from '../web-channel.ts'
import { createPushBrowsers, type PushBrowsers } from './push-browsers.ts'
import { createPushQueue, type PushQueueDeps } from './push-queue.ts'
import type { Sent } from './push-sending.ts'
import { pushWordsOf } from './push-words.ts'

export interface WebPush extends Omit<PushBrowsers, 'now'> {
  /** Tells one browser something, at once; null where it is not among those who are told. Unavailable. */
  tryOut(endpoint: string): Promise<Sent | null>
  /** Why no push service can be at this address; null if one can. */
  refusalOf(endpoint: string): string | null
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
  const ofThemselves = createOfThemselves()

  const heed = (committed: Committed) => {
    const { id, entries, persona } = committed
    ofThemselves.heed(committed)
    for (const { seq, event } of entries) {
      const words = pushWordsOf({ id, name: persona.self.name }, seq, event)
      if (!words || (web.isHeard(id) && !ofThemselves.isOne(committed, event))) continue
      queue.tellAll(words).catch((err: unknown) => log.warn({ id, err }, 'no browser could be told'))
    }
  }
  const deafen = listen(bus.commits, log, heed)

  return {
    publicKey: browsers.publicKey,
    subscribe: browsers.subscribe,
    forget: browsers.forget,
    refusalOf: (endpoint) => refusalOf(new URL(endpoint), 'internet', { ...usualReach, ...deps.reach }),
    tryOut: (endpoint) => queue.attempt(endpoint, { kind: 'trial' }),
    close: async () => {
      deafen()
      await queue.close()
    },
  }
}

/** Which words are no answer: they belong to no turn, or to one that was begun for what fell due. */
const createOfThemselves = () => {
  const turns = new Map<PersonaId, Seq>()
  return {
    heed: ({ id, entries }: Committed) => {
      for (const { seq, event } of entries) {
        if (event.type !== 'TurnBegan') continue
        if (event.stimuli.due.length > 0) turns.set(id, seq)
        else turns.delete(id)
      }
    },
    isOne: ({ id, persona: { talk } }: Committed, event: PersonaEvent): boolean =>
      event.type !== 'MessageSpoken' ||
      event.turn === null ||
      event.turn === turns.get(id) ||
      // Of a turn that the daemon has taken up again.
      (event.turn === talk.turn?.id && talk.turn.stimuli.due.length > 0),
  }
}
