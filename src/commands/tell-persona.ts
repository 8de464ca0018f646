/** Sends a message, clip or file on the web channel, and waits for the reply if asked to. */
import type { HeardMedia, PersonaId } from '../../journal/facts/fact-values.ts'
import { Refused } from '../persona/refusals.ts'
import { webChannelOf } from '../web-channel.ts'
import type { CommandDeps } from './command-deps.ts'
import { hearing } from './hear-message.ts'
import { served } from './running.ts'
import { type ReplyView, waitForReply } from './waited-reply.ts'

type Deps = Pick<CommandDeps, 'agents' | 'bus' | 'clock' | 'log' | 'personas' | 'web'>

export interface OutgoingMessage {
  readonly content: string
  /** Stores the file of the message. */
  readonly keep?: () => Promise<HeardMedia>
  /** Store further files of the message. */
  readonly others?: readonly (() => Promise<HeardMedia>)[]
  readonly key: string | null
}

/** Durable when it resolves. Throws Refused: not_active, web_closed. */
export const tellPersona = async (deps: Deps, id: PersonaId, message: OutgoingMessage): Promise<void> => {
  await served(deps.agents, id)
  if (!deps.web.isOpen(id)) {
    // The persona stopped since, which also closes the channel: check again.
    if (!deps.agents.running(id)) return tellPersona(deps, id, message)
    throw new Refused({ code: 'web_closed' })
  }
  await sendMessage(deps, id, message)
}

/**
 * Opens the web channel. Returns null on timeout or when the persona is stopped. Throws Refused: not_active.
 */
export const askPersona = async (
  deps: Deps,
  id: PersonaId,
  message: OutgoingMessage,
  { seconds, over }: { readonly seconds: number; readonly over: AbortSignal },
): Promise<ReplyView | null> => {
  await served(deps.agents, id)
  deps.web.open(id)
  const send = () => sendMessage(deps, id, message)
  return waitForReply(deps, { id, key: message.key, seconds, over, send })
}

const sendMessage = (
  { personas }: Deps,
  id: PersonaId,
  { content, key, keep, others = [] }: OutgoingMessage,
) =>
  hearing(personas, id, { channel: webChannelOf(id), words: { content }, key, others, ...(keep && { keep }) })
