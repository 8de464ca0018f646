/** Facts about a persona's bot channels and the delivery of its messages there. */
import * as z from 'zod'
import { keepPayload } from '../journal/log/vocabulary.ts'
import { fact } from './fact.ts'
import { ChannelKind, Seq } from './fact-values.ts'

const byItself = {
  index: null,
  search: null,
  state: ['self'],
  background: true,
  missed: false,
  changes: [],
  blank: null,
  wish: 'none',
} as const
const channelTraits = {
  ...byItself,
  background: false,
  changes: ['keys', 'channels'],
  wish: 'pick up',
} as const

const next = { id: { thing: 'channel', as: 'next' } } as const
const aboutMessage = { message: { to: 'about' } } as const

export const channelFacts = {
  /**
   * The user added a bot. `name` is the user name of the bot, `bot` the platform's id of it. `token` names an
   * entry of the secrets file. If the channel `id` exists, this replaces its token and keeps its order and
   * its pairing.
   */
  ChannelAdded: fact(
    { id: z.string(), kind: ChannelKind, name: z.string(), bot: z.string(), token: z.string() },
    {
      ...channelTraits,
      outside: ['id', 'kind', 'name'],
      links: { id: { thing: 'channel', as: 'first' } },
      older: [keepPayload],
    },
  ),
  /** The user removed the channel. */
  ChannelRemoved: fact({ id: z.string() }, { ...channelTraits, outside: ['id'], links: next }),
  /**
   * The channel is paired with the chat `target` and takes its name. `at` is ISO 8601 with the UTC offset of
   * that time.
   */
  ChannelPaired: fact(
    { id: z.string(), target: z.string(), at: z.string() },
    { ...channelTraits, outside: ['id'], links: next, changes: ['channels'], wish: 'none' },
  ),
  /** The platform does not serve the channel. */
  ChannelTroubled: fact(
    { id: z.string(), reason: z.string() },
    { ...byItself, outside: ['id', 'reason'], links: next },
  ),
  /** The platform serves the channel again. */
  ChannelRecovered: fact({ id: z.string() }, { ...byItself, outside: ['id'], links: next }),
  /** The delivery of the message at `message` has ended: the platform accepted it, or the daemon gave up. */
  Delivered: fact(
    { message: Seq },
    { ...byItself, state: ['deliveries'], index: 'deliveries', outside: ['message'], links: aboutMessage },
  ),
  /** Number of parts of a split message that the platform has accepted. They are not sent again. */
  PartsDelivered: fact(
    { message: Seq, parts: z.int() },
    { ...byItself, state: ['deliveries'], outside: ['message'], links: aboutMessage },
  ),
  /** The platform rejected the message, and the daemon gave up. */
  DeliveryFailed: fact(
    { message: Seq, reason: z.string() },
    {
      ...byItself,
      state: ['deliveries'],
      index: 'deliveries',
      outside: ['message', 'reason'],
      links: aboutMessage,
    },
  ),
}
