/** Sends a message, clip or file to a persona. Greets, and cancels the turn in progress. */
import type { Channel, HeardMedia, PersonaId } from '../../facts/fact-values.ts'
import type { Staged } from '../../home/media.ts'
import { fittingCharset } from '../../packages/documents/declared-charset.ts'
import { getExtension, typeOfClip, typeOfFile, unknownType } from '../../packages/documents/media-types.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import type { Agents } from '../agents/agents.ts'
import { findHelp } from '../mind/help-offer.ts'
import type { ExecuteResult, PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import type { Words } from '../persona/rules/talk.ts'
import { toWebChannel } from '../web-channel.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed, requireRunning } from './lifecycle.ts'
import { type ReplyView, waitForReply } from './waited-reply.ts'

type TellPersonaDeps = Pick<CommandDeps, 'agents' | 'bus' | 'clock' | 'log' | 'personas' | 'web'>

export interface OutgoingMessage {
  readonly content: string
  /** Stores the file of the message. */
  readonly keepFile?: () => Promise<HeardMedia>
  /** Store further files of the message. */
  readonly keepOtherFiles?: readonly (() => Promise<HeardMedia>)[]
  readonly key: string | null
}

/** Durable when it resolves. Throws Refused: not_active, web_closed. */
export const sendToPersona = async (
  deps: TellPersonaDeps,
  id: PersonaId,
  message: OutgoingMessage,
): Promise<void> => {
  await requireRunning(deps.agents, id)
  if (!deps.web.isOpen(id)) {
    // The persona stopped since, which also closes the channel: check again.
    if (!deps.agents.isRunning(id)) return sendToPersona(deps, id, message)
    throw new Refused({ code: 'web_closed' })
  }
  await sendMessage(deps, id, message)
}

/**
 * Opens the web channel. Returns null on timeout or when the persona is stopped. Throws Refused: not_active.
 */
export const askPersona = async (
  deps: TellPersonaDeps,
  id: PersonaId,
  message: OutgoingMessage,
  { seconds, abortSignal }: { readonly seconds: number; readonly abortSignal: AbortSignal },
): Promise<ReplyView | null> => {
  await requireRunning(deps.agents, id)
  deps.web.open(id)
  const send = () => sendMessage(deps, id, message)
  return waitForReply(deps, { id, key: message.key, seconds, abortSignal, send })
}

const sendMessage = (
  { personas }: TellPersonaDeps,
  id: PersonaId,
  { content, key, keepFile, keepOtherFiles = [] }: OutgoingMessage,
) =>
  receiveMessage(personas, id, {
    channel: toWebChannel(id),
    words: { content },
    key,
    keepOtherFiles,
    ...(keepFile && { keepFile }),
  })

export interface Saying {
  readonly channel: Channel
  readonly words: Words
  readonly key: string | null
  /** Stores the file of the message. */
  readonly keepFile?: () => Promise<HeardMedia>
  /** Store further files of the message. All go into one commit. */
  readonly keepOtherFiles?: readonly (() => Promise<HeardMedia>)[]
}

type Keeping = Pick<PersonaStore, 'execute' | 'keepMedia' | 'dropMedia'>

/** Durable when it resolves. Removes files that no fact names. */
export const receiveMessage = async (
  personas: Pick<Keeping, 'execute' | 'dropMedia'>,
  id: PersonaId,
  { channel, words, key, keepFile, keepOtherFiles = [] }: Saying,
): Promise<ExecuteResult> => {
  const files: HeardMedia[] = []
  let hasName = false
  try {
    for (const keepNext of keepFile ? [keepFile, ...keepOtherFiles] : []) files.push(await keepNext())
    const [media = null, ...rest] = files
    const command = { type: 'Hear', channel, ...words, media, others: rest, key } as const
    const result = await personas.execute(id, command, 'person')
    hasName = result.entries.length > 0
    return result
  } finally {
    if (!hasName) for (const { filename } of files) await personas.dropMedia(id, filename)
  }
}

interface IncomingFile extends Pick<HeardMedia, 'name' | 'caption' | 'from' | 'by'> {
  readonly staged: Staged
  /** The encoding of the file, if the client named it. */
  readonly charset?: string | null
}

/** Stores a file. Detects its type from its bytes. */
export const keepFile = async (
  personas: Pick<Keeping, 'keepMedia'>,
  id: PersonaId,
  { staged, charset: declaredCharset = null, ...fields }: IncomingFile,
): Promise<HeardMedia> => {
  const { name } = fields
  const { mime, extension } = await typeOfFile(staged.path)
  // The type of a short text in an old encoding cannot be detected.
  const mayBeText = mime === 'text/plain' || mime === unknownType
  const charset = mayBeText && declaredCharset ? await fittingCharset(staged.path, declaredCharset) : null
  return {
    ...fields,
    ...(charset && { charset }),
    mime,
    voice: false,
    ...(await personas.keepMedia(id, staged, getExtension(name) ?? extension)),
  }
}

/** Stores a voice message. The speaker is the user by default. */
export const keepVoice = async (
  personas: Pick<Keeping, 'keepMedia'>,
  id: PersonaId,
  { staged, charset: _, ...fields }: IncomingFile,
): Promise<HeardMedia> => {
  const { name } = fields
  const extension = getExtension(name) ?? 'webm'
  const mime = await typeOfClip(staged.path, extension)
  return { ...fields, mime, voice: true, ...(await personas.keepMedia(id, staged, extension)) }
}

type GreetPersonDeps = Pick<CommandDeps, 'agents' | 'personas' | 'web'>

/** Returns whether it will greet. Throws Refused: not_active, web_closed. */
export const greetPerson = async (
  { agents, personas, web }: GreetPersonDeps,
  id: PersonaId,
  { isAllowed, language }: { readonly isAllowed: boolean; readonly language: string | undefined },
): Promise<boolean> => {
  await requireRunning(agents, id)
  if (!web.isOpen(id)) throw new Refused({ code: 'web_closed' })
  if (!isAllowed) return false
  const { entries } = await personas.execute(id, { type: 'Greet', language }, 'person')
  return entries.length > 0
}

interface HushTurnDeps {
  readonly agents: Pick<Agents, 'getSaying'>
  readonly personas: Pick<PersonaStore, 'getRow' | 'execute' | 'read'>
  readonly clock: Pick<Clock, 'now' | 'zone'>
}

/** Returns whether there was a turn. Throws Refused: persona_unknown. */
export const cancelTurn = async (
  { agents, personas, clock }: HushTurnDeps,
  id: PersonaId,
): Promise<boolean> => {
  requireListed(personas, id)
  const { hasTurn, help } = await personas.read(id, async (reading) => {
    const { turn, parked } = reading.persona.talk
    return { hasTurn: turn !== null || parked.length > 0, help: await findHelp(reading, turn, clock) }
  })
  // A turn that begins from here on would end without its help.
  if (!hasTurn) return false
  const command = { type: 'Hush', said: agents.getSaying(id), help } as const
  const { entries } = await personas.execute(id, command, 'person')
  return entries.length > 0
}
