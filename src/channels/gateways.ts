/** The gateways of the daemon: one per bot, open while a persona with this token runs. */
import type { Channel, PersonaId } from '../../facts/fact-values.ts'
import type { Log } from '../../packages/kit/log.ts'
import { type BotChannel, channelName } from '../../projections/bot-channels.ts'
import { listTokens } from '../../projections/channel-credentials.ts'
import type { Self } from '../../projections/self.ts'
import type { Agents } from '../agents/agents.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import { openChannelFolder, sweepChannelFolders } from './channel-folders.ts'
import type { Holder } from './listening.ts'
import {
  type ButtonPress,
  type Gateway,
  type IncomingMessage,
  type Listener,
  type PressResult,
  toBotKey,
} from './platform.ts'
import type { Platforms } from './platforms.ts'

export interface Gateways {
  /** Starts to open and close gateways to match the running personas and their channels. */
  reconcile(): void
  /** Removes what removed channels of a persona stored, after their gateways are closed. */
  sweep(id: PersonaId): void
  /** Returns the open gateway for a chat of the persona, or undefined. */
  to(id: PersonaId, channel: Channel): { readonly gateway: Gateway; readonly holder: Holder } | undefined
  /** Returns the working gateways whose channel is not paired yet. */
  listUnpaired(): readonly { readonly gateway: Gateway; readonly holder: Holder }[]
  close(): Promise<void>
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'all' | 'getRow' | 'secret' | 'execute'>
  readonly agents: Pick<Agents, 'isRunning'>
  readonly platforms: Platforms
  readonly home: string
  readonly log: Log
  readonly onMessage: (holder: Holder, gateway: Gateway, message: IncomingMessage) => Promise<void>
  /** Returns the result of a button press, for the person who pressed. */
  readonly onPress: (holder: Holder, press: ButtonPress) => Promise<PressResult | null>
  /** Returns the chats of a holder, each with the key of its last stored message. */
  readonly known: (holder: Holder) => Promise<readonly { readonly target: string; readonly key: string }[]>
  /** Called when messages of the persona can be sent again. Must not throw. */
  readonly onOpen: (id: PersonaId) => void
}

/** A channel of a persona with its token. */
interface Place {
  readonly self: Self
  readonly channel: BotChannel
  readonly token: string
}

interface Post {
  readonly gateway: Gateway
  /** Folder of the channel for which it was opened; '' if the platform stores no state. */
  readonly folder: string
  holder: Place
  /** Undefined until the platform has answered. Null while it works. */
  trouble: string | null | undefined
}

export const createGateways = ({
  personas,
  agents,
  platforms,
  home,
  log,
  onMessage,
  onPress,
  known,
  onOpen,
}: Deps): Gateways => {
  const posts = new Map<string, Post>()
  const sweptIds = new Set<PersonaId>()
  let isClosed = false
  let isPending = false
  let reconcileTask: Promise<void> | null = null

  /** Records the state of a channel as a fact. Does nothing if the channel was removed meanwhile. */
  const recordReason = async (id: PersonaId, channel: string, reason: string | null) => {
    const now = personas.getRow(id)?.self.channels.find((item) => item.id === channel)
    if (!now || now.trouble === reason) return
    try {
      await personas.execute(id, { type: 'TroubleChannel', id: channel, reason }, 'host')
      if (reason !== null) log.warn({ id, reason }, 'a channel does not work')
    } catch (err) {
      if (!(err instanceof Refused)) log.warn({ id, err }, 'failed to record the state of a channel')
    }
  }

  /** Returns the current channel of the post, or undefined if it was removed. */
  const getHolder = (post: Post): Holder | undefined => {
    const { self, channel } = post.holder
    const now = personas.getRow(self.id)?.self.channels.find(({ id }) => id === channel.id)
    return now && { id: self.id, channel: now }
  }

  const createListener = (post: () => Post | undefined, { channel: { kind }, token }: Place): Listener => {
    const reportState = (reason: string | null) => {
      const currentPost = post()
      if (!currentPost || isClosed) return
      const hasWorked = currentPost.trouble === null
      currentPost.trouble = reason
      const { self, channel } = currentPost.holder
      void recordReason(self.id, channel.id, reason)
      if (reason === null && !hasWorked) onOpen(self.id)
    }
    /** Waits one tick, because the platform may call this before `platform.open` has returned. */
    const listens = async () => {
      await Promise.resolve()
      const currentPost = post()
      const holder = currentPost && getHolder(currentPost)
      if (!currentPost || !holder || isClosed) throw new Error('the bot is not connected any more')
      return { holder, gateway: currentPost.gateway }
    }
    return {
      onMessage: async (message) => {
        const { holder, gateway } = await listens()
        await onMessage(holder, gateway, message)
      },
      onPress: async (press) => onPress((await listens()).holder, press),
      known: async () => {
        await Promise.resolve()
        const currentPost = post()
        const holder = currentPost && getHolder(currentPost)
        return holder ? known(holder) : []
      },
      pairedTarget: () => {
        const currentPost = post()
        return (currentPost && getHolder(currentPost)?.channel.paired?.target) ?? null
      },
      onTrouble: (reason) => reportState(withoutTokens(reason, listTokens(kind, token))),
      onRecovery: () => reportState(null),
    }
  }

  const open = async (key: string, place: Place) => {
    const { self, channel, token } = place
    try {
      const platform = await platforms.of(channel.kind)
      // Otherwise the folder of a persona that is being deleted would return.
      if (!agents.isRunning(self.id)) return
      const folder = platform.storesState ? await openChannelFolder(home, self.id, channel.id) : ''
      if (isClosed) return
      const listener = createListener(() => posts.get(key), place)
      posts.set(key, {
        gateway: platform.open(token, channel.bot, listener, { folder }),
        folder,
        holder: place,
        trouble: undefined,
      })
      log.info({ id: self.id, reason: channel.kind }, 'a channel is open')
    } catch (err) {
      log.error({ id: self.id, err }, 'failed to open a channel')
    }
  }

  const closePost = async (key: string, { gateway, holder }: Post) => {
    posts.delete(key)
    try {
      await gateway.close()
      log.info({ id: holder.self.id, reason: holder.channel.kind }, 'a channel is closed')
    } catch (err) {
      log.warn({ id: holder.self.id, err }, 'failed to close a channel')
    }
  }

  /** Returns the places by bot. The place that comes first uses the bot. */
  const claims = async (): Promise<ReadonlyMap<string, readonly Place[]>> => {
    const places = new Map<string, Place[]>()
    for (const { self } of personas.all()) {
      if (!agents.isRunning(self.id)) continue
      for (const channel of self.channels) {
        const token = await personas.secret(self.id, channel.token)
        if (token === null) await recordReason(self.id, channel.id, missingTokenReason)
        else {
          const key = toBotKey(channel.kind, token, channel.bot)
          places.set(key, [...(places.get(key) ?? []), { self, channel, token }])
        }
      }
    }
    for (const sharedPlaces of places.values()) sharedPlaces.sort(foremost)
    return places
  }

  const settlePlaces = async (key: string, [first, ...waitingPlaces]: readonly Place[]) => {
    if (!first) return
    const openPost = posts.get(key)
    const isNewHolder = openPost?.holder.channel.id !== first.channel.id
    // Another channel has another folder.
    const isReusable = openPost?.holder.token === first.token && !(isNewHolder && openPost.folder !== '')
    if (openPost && isReusable) openPost.holder = first
    else {
      if (openPost) await closePost(key, openPost)
      await open(key, first)
    }
    const { trouble } = posts.get(key) ?? {}
    // A trouble reported by the platform stays until the platform reports otherwise. A trouble set by the
    // daemon is removed.
    const { id, trouble: previousTrouble } = first.channel
    if (trouble !== undefined) await recordReason(first.self.id, id, trouble)
    else if (previousTrouble !== null && isOurs(previousTrouble)) await recordReason(first.self.id, id, null)
    for (const { self, channel } of waitingPlaces)
      await recordReason(self.id, channel.id, usedBy(first.self.name))
    if (isNewHolder) onOpen(first.self.id)
  }

  const reconcileOnce = async () => {
    const placesByKey = await claims()
    for (const [key, post] of posts) if (!placesByKey.has(key)) await closePost(key, post)
    for (const [key, places] of placesByKey) if (!isClosed) await settlePlaces(key, places)
    await sweepFolders()
  }

  const sweepFolders = async () => {
    for (const id of sweptIds) {
      sweptIds.delete(id)
      const row = personas.getRow(id)
      // All files of a deleted persona are removed together.
      if (!row) continue
      const ids = new Set(row.self.channels.map((channel) => channel.id))
      await sweepChannelFolders(home, id, ids).catch((err: unknown) =>
        log.warn({ id, err }, 'failed to remove the state of a removed channel'),
      )
    }
  }

  const reconcileAll = async () => {
    while (isPending && !isClosed) {
      isPending = false
      await reconcileOnce().catch((err: unknown) => log.error({ err }, 'failed to reconcile the channels'))
    }
  }

  const gateways: Gateways = {
    reconcile: () => {
      isPending = true
      reconcileTask ??= reconcileAll().finally(() => {
        reconcileTask = null
        // Requested while the loop was ending.
        if (isPending && !isClosed) gateways.reconcile()
      })
    },
    sweep: (id) => {
      sweptIds.add(id)
      gateways.reconcile()
    },
    to: (id, channel) => {
      for (const post of posts.values()) {
        if (post.holder.self.id !== id) continue
        const holder = getHolder(post)
        if (
          holder?.channel.paired &&
          holder.channel.kind === channel.type &&
          channelName(holder.channel) === channel.name
        )
          return { gateway: post.gateway, holder }
      }
      return undefined
    },
    listUnpaired: () =>
      [...posts.values()].flatMap((post) => {
        const holder = post.trouble === null ? getHolder(post) : undefined
        return holder && !holder.channel.paired ? { gateway: post.gateway, holder } : []
      }),
    close: async () => {
      isClosed = true
      await reconcileTask
      await Promise.all([...posts].map(([key, post]) => closePost(key, post)))
    },
  }
  return gateways
}

/** Paired channels come first, then older personas. */
const foremost = (first: Place, second: Place): number =>
  Number(second.channel.paired !== null) - Number(first.channel.paired !== null) ||
  first.self.created - second.self.created

const usedWords = 'this bot is already used by '
const usedBy = (name: string): string => `${usedWords}${name}`
const missingTokenReason = 'Its saved token is gone. Remove this channel, and add it again.'
const isOurs = (troubleText: string): boolean =>
  troubleText.startsWith(usedWords) || troubleText === missingTokenReason

/**
 * Removes tokens from a text. Platforms promise not to include them; this does not depend on the promise.
 * Ignores texts below 8 characters, as the log does: they would hide ordinary words.
 */
export const withoutTokens = (text: string, tokens: readonly string[]): string =>
  tokens
    .filter((token) => token.length >= 8)
    .reduce(
      (result, token) => result.replaceAll(token, '***').replaceAll(encodeURIComponent(token), '***'),
      text,
    )
