/** Finds out which bot a token belongs to. */

import * as z from 'zod'
import type { Fetch } from '../../../packages/kit/network/network.ts'
import { type Bot, TokenRefused } from '../../commands/bots.ts'
import { createApi, DiscordError } from './api.ts'
import { Snowflake } from './message.ts'

const Me = z.object({ id: Snowflake, username: z.string().min(1) })

/** Timeout in ms. */
const maxWaitMs = 10_000

/** Rejects with TokenRefused. */
export const checkToken = async (
  token: string,
  signal: AbortSignal,
  deps: { readonly base: string; readonly fetch: Fetch },
): Promise<Bot> => {
  try {
    const api = createApi({ ...deps, token })
    const answer = await api
      .call({
        method: 'GET',
        route: '/users/@me',
        signal: AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]),
      })
      .finally(api.close)
    const ownUser = Me.safeParse(answer)
    if (!ownUser.success) throw new DiscordError('Discord’s answer could not be understood.', 'passing')
    return { id: ownUser.data.id, name: ownUser.data.username }
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error
    const advice =
      error.kind === 'token' ? ' Copy it again from the Discord developer portal, under Bot.' : ''
    throw new TokenRefused(`${error.message}${advice}`)
  }
}
