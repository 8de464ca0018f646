/**
 * Requests the messages that were written while the bot was not connected. Discord does not send them again.
 */
import * as z from 'zod'
import { pauseAfter } from '../../../packages/kit/flow/backoff.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import { type Api, DiscordError } from './api.ts'
import { Message } from './message.ts'

export interface MissedDeps {
  readonly api: Api
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

const perPage = 100
const maxPages = 10
const attempts = 5
/** Channel type of a direct chat. */
const directChannel = 1

const Page = z.array(z.unknown())
const Channel = z.object({ type: z.number() })

/** Yields up to 1000 messages after this id, oldest first. If a request fails, logs a warning and stops. */
export async function* missedIn(target: string, afterId: string, deps: MissedDeps): AsyncGenerator<Message> {
  let last = afterId
  for (let page = 0; page < maxPages; page++) {
    const query = { after: last, limit: String(perPage) }
    const parsedPage = Page.safeParse(
      await requestJson(deps, { route: `/channels/${target}/messages`, query }),
    )
    if (!parsedPage.success) return
    const messages = parsedPage.data
      .flatMap((item) => Message.safeParse(item).data ?? [])
      .sort((first, second) => compareIds(first.id, second.id))
    yield* messages
    last = messages.at(-1)?.id ?? last
    if (parsedPage.data.length < perPage || messages.length === 0) return
  }
  deps.log.warn({ count: maxPages * perPage }, 'more messages were missed on Discord than are requested')
}

/** Returns whether the chat is a direct chat, or null if Discord does not answer. */
export const isDirect = async (target: string, deps: MissedDeps): Promise<boolean | null> => {
  const parsedChannel = Channel.safeParse(await requestJson(deps, { route: `/channels/${target}` }))
  return parsedChannel.success ? parsedChannel.data.type === directChannel : null
}

/** Compares ids as strings, because they do not fit into a number. */
export const compareIds = (first: string, second: string): number =>
  first.length - second.length || (first < second ? -1 : Number(first > second))

const requestJson = async (
  { api, clock, log, signal }: MissedDeps,
  call: { readonly route: `/${string}`; readonly query?: Readonly<Record<string, string>> },
): Promise<unknown> => {
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      return await api.call({ method: 'GET', ...call, signal })
    } catch (error) {
      if (!(error instanceof DiscordError)) throw error
      if (error.kind !== 'passing' || attempt === attempts || signal.aborted) {
        if (!signal.aborted)
          log.warn({ reason: error.message }, 'failed to request the missed messages from Discord')
        return undefined
      }
      await clock.wait(error.wait ?? pauseAfter(attempt), signal)
    }
  }
  return undefined
}
