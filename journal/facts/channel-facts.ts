/** Where a persona is spoken to through a bot, and what became of its words there. */
import * as z from 'zod'
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
const declared = { ...byItself, background: false, changes: ['keys', 'channels'], wish: 'pick up' } as const

export const channelFacts = {
  /**
   * `name` is the user name of the bot, `bot` the platform's own id of it; `token` names an entry of the
   * secrets file. With the `id` of a channel that is there, its bot was added again: it has this token from
   * now on, and keeps its place and its pairing.
   */
  ChannelAdded: fact(
    { id: z.string(), kind: ChannelKind, name: z.string(), bot: z.string(), token: z.string() },
    { ...declared, outside: ['id', 'kind', 'name'] },
  ),
  ChannelRemoved: fact({ id: z.string() }, { ...declared, outside: ['id'] }),
  /** Bound to the chat `target`, which is its name from now on; `at` is ISO 8601 with the offset of then. */
  ChannelPaired: fact(
    { id: z.string(), target: z.string(), at: z.string() },
    { ...declared, outside: ['id'], changes: ['channels'], wish: 'none' },
  ),
  ChannelTroubled: fact({ id: z.string(), reason: z.string() }, { ...byItself, outside: ['id', 'reason'] }),
  ChannelRecovered: fact({ id: z.string() }, { ...byItself, outside: ['id'] }),
  /** What was said at `message` has reached its platform, or never will. */
  Delivered: fact(
    { message: Seq },
    { ...byItself, state: ['deliveries'], index: 'deliveries', outside: ['message'] },
  ),
  /**
   * Of the parts that what was said at `message` is split into for its platform, so many have arrived: they
   * are not sent again.
   */
  PartsDelivered: fact(
    { message: Seq, parts: z.int() },
    { ...byItself, state: ['deliveries'], outside: ['message'] },
  ),
  DeliveryFailed: fact(
    { message: Seq, reason: z.string() },
    { ...byItself, state: ['deliveries'], index: 'deliveries', outside: ['message', 'reason'] },
  ),
}
