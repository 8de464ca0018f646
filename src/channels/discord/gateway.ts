/** The gateway of one Discord bot: receives its messages and sends replies. */

import pLimit from 'p-limit'
import type { Log } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Bot } from '../../commands/bots.ts'
import type { Listener } from '../platform.ts'
import { createApi } from './api.ts'
import { fileOfAttachment } from './attachments.ts'
import { createPressHandler } from './component-press.ts'
import { openConnection } from './connection.ts'
import { createInbox } from './inbox.ts'
import { Message, messageKey, Snowflake, toIncomingMessage } from './message.ts'
import { compareIds, isDirect, missedIn } from './missed.ts'
import { createSending, type Sending } from './sending.ts'

export interface DiscordDeps {
  /** Base URL of the API, without its version. */
  readonly base: string
  readonly network: Pick<Network, 'remote' | 'download' | 'getNamedFetch'>
  readonly clock: Clock
  readonly log: Log
}

export interface OpenedGateway extends Sending {
  close(): Promise<void>
}

interface Place {
  /** Null if the place was restored from the journal. */
  readonly direct: boolean | null
  /** Id of the last stored message. */
  readonly last: string
}

/** Max chats whose last message is remembered, to request missed messages. */
const maxPlaces = 50

export const openGateway = (
  token: string,
  bot: Bot,
  listener: Listener,
  deps: DiscordDeps,
): OpenedGateway => {
  const { clock, log } = deps
  const closeController = new AbortController()
  const { signal } = closeController
  const api = createApi({ base: deps.base, token, fetch: deps.network.remote })
  const inbox = createInbox({ onMessage: (message) => listener.onMessage(message), clock, log, signal })
  const places = new Map<string, Place>()
  /** Holds back events until the chats with missed messages are known. */
  const inOrder = pLimit(1)

  const receiveMessage = async (
    message: Message,
    isDirect: boolean,
    { stale = false, edited: isEdit = false } = {},
  ): Promise<void> => {
    const files = { base: deps.base, network: deps.network }
    const incoming = toIncomingMessage(message, {
      bot,
      direct: isDirect,
      edited: isEdit,
      open: (file, context) => fileOfAttachment(file, context, files),
    })
    if (!incoming) return
    // A command from before the daemon started may already have been executed. Executing a missed `/restart`
    // again would never end.
    if (stale && incoming.command !== null) return
    await inbox.deliver(incoming)
    if (!signal.aborted && !isEdit)
      remember(places, message.channel_id, { direct: isDirect, last: message.id })
  }
  const receiveData = (data: unknown, isEdit: boolean): void => {
    const parsedMessage = Message.safeParse(data)
    // An update that only changes a part of a message is sent without the rest.
    if (!parsedMessage.success)
      return isEdit ? undefined : log.warn({}, 'failed to parse a message from Discord')
    const message = parsedMessage.data
    void inOrder(() =>
      inbox.inTurn(message.channel_id, () =>
        receiveMessage(message, message.guild_id === undefined, { edited: isEdit }),
      ),
    )
  }
  const askFor = async (target: string, { last, direct: knownDirect }: Place): Promise<void> => {
    const isDirectChat = knownDirect ?? (await isDirect(target, { api, clock, log, signal }))
    if (isDirectChat === null) return
    for await (const message of missedIn(target, last, { api, clock, log, signal }))
      await receiveMessage(message, isDirectChat, { stale: knownDirect === null })
  }
  const askAgain = (): void => {
    void inOrder(async () => {
      const knownPlaces = await readPlaces(listener, bot).catch((err) => {
        log.error({ err }, 'failed to read which Discord chats may have missed messages')
        return new Map<string, Place>()
      })
      for (const [target, place] of places)
        if (compareIds(place.last, knownPlaces.get(target)?.last ?? '0') > 0) knownPlaces.set(target, place)
      for (const [target, place] of knownPlaces) inbox.inTurn(target, () => askFor(target, place))
    })
  }

  const reportTrouble = (reason: string) => signal.aborted || listener.onTrouble(reason)
  const connection = openConnection({
    base: deps.base,
    token,
    api,
    clock,
    log,
    fresh: askAgain,
    message: (data) => receiveData(data, false),
    onCorrection: (data) => receiveData(data, true),
    onInteraction: createPressHandler({
      api,
      clock,
      log,
      signal,
      onPress: (press) => listener.onPress(press),
    }),
    onTrouble: reportTrouble,
    onRecovery: () => listener.onRecovery(),
  })
  return {
    ...createSending({ api, onRefusal: reportTrouble, closeSignal: signal }),
    close: async () => {
      closeController.abort()
      // Does not wait for the listener, which may itself wait for this close. Nothing new is started.
      await connection.close()
      api.close()
    },
  }
}

const remember = (places: Map<string, Place>, target: string, place: Place): void => {
  const placeBefore = places.get(target)
  places.delete(target)
  places.set(target, placeBefore && compareIds(placeBefore.last, place.last) > 0 ? placeBefore : place)
  const [oldestTarget] = places.keys()
  if (places.size > maxPlaces && oldestTarget !== undefined) places.delete(oldestTarget)
}

/** Returns the chats that the journal knows. */
const readPlaces = async (listener: Listener, bot: Bot): Promise<Map<string, Place>> => {
  const knownKeys = (await listener.known?.()) ?? []
  const beginning = messageKey(bot, '')
  const places = knownKeys.flatMap(({ target, key }): [string, Place][] => {
    const last = Snowflake.safeParse(
      key.startsWith(beginning) ? /^\d+/.exec(key.slice(beginning.length))?.[0] : undefined,
    )
    return last.success && Snowflake.safeParse(target).success
      ? [[target, { direct: null, last: last.data }]]
      : []
  })
  return new Map(places)
}
