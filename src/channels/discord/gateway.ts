/** One bot of Discord: what is written to it comes in, what it says goes out. */

import pLimit from 'p-limit'
import type { Log } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Bot } from '../../commands/channels.ts'
import type { Listener } from '../platform.ts'
import { createApi } from './api.ts'
import { heardFile } from './attachments.ts'
import { createTakeInteraction } from './component-press.ts'
import { openConnection } from './connection.ts'
import { createInbox } from './inbox.ts'
import { heardOf, keyOf, Message, Snowflake } from './message.ts'
import { compared, isDirect, missedIn } from './missed.ts'
import { createSending, type Sending } from './sending.ts'

export interface DiscordDeps {
  /** Address of the API, without its version. */
  readonly base: string
  readonly network: Pick<Network, 'remote' | 'download' | 'named'>
  readonly clock: Clock
  readonly log: Log
}

export interface Opened extends Sending {
  close(): Promise<void>
}

interface Place {
  /** Null where the daemon knows of it from before. */
  readonly direct: boolean | null
  /** Id of the last message that was kept. */
  readonly last: string
}

/** Chats whose last message is remembered, to ask for what was missed there. */
const mostPlaces = 50

export const openBot = (token: string, bot: Bot, listener: Listener, deps: DiscordDeps): Opened => {
  const { clock, log } = deps
  const leaving = new AbortController()
  const { signal } = leaving
  const api = createApi({ base: deps.base, token, fetch: deps.network.remote })
  const inbox = createInbox({ heard: (message) => listener.heard(message), clock, log, signal })
  const places = new Map<string, Place>()
  /** Everything that comes waits until it is known which chats are asked for what was missed. */
  const inOrder = pLimit(1)

  const hear = async (
    message: Message,
    direct: boolean,
    { stale = false, edited = false } = {},
  ): Promise<void> => {
    const files = { base: deps.base, network: deps.network }
    const heard = heardOf(message, {
      bot,
      direct,
      edited,
      open: (file, sent) => heardFile(file, sent, files),
    })
    if (!heard) return
    // What was commanded before the daemon woke, and perhaps obeyed: to wake it anew for that would never
    // end.
    if (stale && heard.command !== null) return
    await inbox.tell(heard)
    if (!signal.aborted && !edited) remember(places, message.channel_id, { direct, last: message.id })
  }
  const take = (data: unknown, edited: boolean): void => {
    const read = Message.safeParse(data)
    // What merely changed at a message is told without the rest of it.
    if (!read.success)
      return edited ? undefined : log.warn({}, 'Discord told of a message that could not be understood.')
    const message = read.data
    void inOrder(() =>
      inbox.inTurn(message.channel_id, () => hear(message, message.guild_id === undefined, { edited })),
    )
  }
  const askFor = async (target: string, { last, direct: known }: Place): Promise<void> => {
    const direct = known ?? (await isDirect(target, { api, clock, log, signal }))
    if (direct === null) return
    for await (const message of missedIn(target, last, { api, clock, log, signal }))
      await hear(message, direct, { stale: known === null })
  }
  const fresh = (): void => {
    void inOrder(async () => {
      const known = await placesOf(listener, bot).catch((err) => {
        log.error({ err }, 'It is not known which chats on Discord to ask for what was missed.')
        return new Map<string, Place>()
      })
      for (const [target, place] of places)
        if (compared(place.last, known.get(target)?.last ?? '0') > 0) known.set(target, place)
      for (const [target, place] of known) inbox.inTurn(target, () => askFor(target, place))
    })
  }

  const troubled = (reason: string) => signal.aborted || listener.troubled(reason)
  const connection = openConnection({
    base: deps.base,
    token,
    api,
    clock,
    log,
    fresh,
    message: (data) => take(data, false),
    corrected: (data) => take(data, true),
    interacted: createTakeInteraction({
      api,
      clock,
      log,
      signal,
      pressed: (press) => listener.pressed(press),
    }),
    troubled,
    recovered: () => listener.recovered(),
  })
  return {
    ...createSending({ api, refused: troubled, closed: signal }),
    close: async () => {
      leaving.abort()
      // Whoever is being told something may be waiting for this very end; nothing new is begun.
      await connection.close()
      api.close()
    },
  }
}

const remember = (places: Map<string, Place>, target: string, place: Place): void => {
  const before = places.get(target)
  places.delete(target)
  places.set(target, before && compared(before.last, place.last) > 0 ? before : place)
  const [oldest] = places.keys()
  if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest)
}

/** As the daemon knows them from before. */
const placesOf = async (listener: Listener, bot: Bot): Promise<Map<string, Place>> => {
  const known = (await listener.known?.()) ?? []
  const beginning = keyOf(bot, '')
  const read = known.flatMap(({ target, key }): [string, Place][] => {
    const last = Snowflake.safeParse(
      key.startsWith(beginning) ? /^\d+/.exec(key.slice(beginning.length))?.[0] : undefined,
    )
    return last.success && Snowflake.safeParse(target).success
      ? [[target, { direct: null, last: last.data }]]
      : []
  })
  return new Map(read)
}
