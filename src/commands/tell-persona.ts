/** Tell: words, a clip or a file on the web channel, and the reply that a caller may wait for. */
import type { HeardMedia, PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import { webChannelOf } from '../web-channel.ts'
import type { CommandDeps } from './command-deps.ts'
import { hearing } from './hear-message.ts'
import { served } from './running.ts'
import { type ReplyView, waitForReply } from './waited-reply.ts'

type Deps = Pick<CommandDeps, 'agents' | 'bus' | 'clock' | 'log' | 'personas' | 'web'>

export interface Told {
  readonly content: string
  /** Keeps the file that came with it. */
  readonly keep?: () => Promise<HeardMedia>
  /** Keeps each of the files that came with that one. */
  readonly others?: readonly (() => Promise<HeardMedia>)[]
  /** The dedupe key. */
  readonly key: string | null
}

/** Durable when it resolves. Refused: not_active, web_closed. */
export const tellPersona = async (deps: Deps, id: PersonaId, told: Told): Promise<void> => {
  await served(deps.agents, id)
  if (!deps.web.isOpen(id)) {
    // Stopped again since: the channel is closed only for as long.
    if (!deps.agents.running(id)) return tellPersona(deps, id, told)
    throw new Refused({ code: 'web_closed' })
  }
  await telling(deps, id, told)
}

/**
 * Opens the web channel by itself. Null where the time is over first, or it is stopped meanwhile. Refused:
 * not_active.
 */
export const askPersona = async (
  deps: Deps,
  id: PersonaId,
  told: Told,
  { seconds, over }: { readonly seconds: number; readonly over: AbortSignal },
): Promise<ReplyView | null> => {
  await served(deps.agents, id)
  deps.web.open(id)
  return waitForReply(deps, { id, key: told.key, seconds, over, tell: () => telling(deps, id, told) })
}

const telling = ({ personas }: Deps, id: PersonaId, { content, key, keep, others = [] }: Told) =>
  hearing(personas, id, { channel: webChannelOf(id), words: { content }, key, others, ...(keep && { keep }) })
