/**
 * The talk of a persona as one ACP session: prompts, their answers, questions about tools, and the end of a
 * turn. Sends no message twice.
 */
import type { ContentBlock, StopReason } from '@agentclientprotocol/sdk'
import type { ConversationMessage } from '../../../projections/conversation.ts'
import type { PersonaView } from '../../../projections/view.ts'
import type { Details, PersonaFrame } from '../../socket/frames.ts'
import type { DaemonClient } from '../daemon-client.ts'
import { CommandFailed, exitCodes } from '../exit-codes.ts'
import { personaPath } from '../find-persona.ts'
import type { Decision } from '../talk-line.ts'
import { type AcpMessage, toAcpMessage } from './acp-message.ts'
import {
  type BegunTurn,
  createExchange,
  type Exchange,
  isAnsweredBy,
  isOwn,
  storedNote,
  toStopReason,
} from './exchange.ts'
import { createFrameLine } from './frame-line.ts'
import type { Question, Updates } from './updates.ts'

export interface AcpTalk {
  /** Connects. Throws CommandFailed if the daemon cannot be reached. */
  open(): Promise<void>
  /** Shows the messages that `read` returns. Frames that come meanwhile follow them. */
  showHistory(read: () => Promise<readonly ConversationMessage[]>): Promise<void>
  /** Resolves when the turn of the message ends. Throws CommandFailed if there is no answer. */
  prompt(blocks: readonly ContentBlock[]): Promise<StopReason>
  /** Stops the turn of the prompt, if there is one. */
  cancel(): void
  /** Resolves when a message that is on its way has arrived. */
  settle(): Promise<unknown>
  close(): void
}

interface AcpTalkDeps {
  readonly client: DaemonClient
  readonly persona: PersonaView
  readonly updates: Updates
  /** Returns null if the user did not decide. Stops waiting when the signal aborts. */
  readonly askDecision: (question: Question, signal: AbortSignal) => Promise<Decision | null>
  readonly log: (line: string) => void
}

/** Max time without a connection before a prompt fails. */
const maxOutageMs = 10_000
const retryDelayMs = 250
/** Max time for the turn of a cancelled message to begin, before the prompt ends. */
const cancelWithinMs = 1000

export const createAcpTalk = ({ client, persona, updates, askDecision, log }: AcpTalkDeps): AcpTalk => {
  /** The prompt that waits for its answer. */
  let exchange: Exchange | null = null
  /** A cancelled message whose turn has not begun: it is stopped when it begins. */
  let stopping: Exchange | null = null
  let isStopAsked = false
  /** Messages up to this position are in the history that the editor shows. */
  let skippedUpTo = 0
  /** Frames that came while the history was read. Null: frames are handled as they come. */
  let heldFrames: PersonaFrame[] | null = null
  let sending: Promise<unknown> = Promise.resolve()
  let outage: NodeJS.Timeout | undefined
  /** The turn in progress; 0 if there is none. A turn that waits for a decision is not in progress. */
  let currentTurn = 0

  const fail = (line: string, code: number = exitCodes.refused) =>
    exchange?.reject(new CommandFailed(line, code))

  const line = createFrameLine({
    client,
    id: persona.id,
    onFrame: (frame) => (heldFrames ? void heldFrames.push(frame) : onFrame(frame)),
    onConnected: () => clearTimeout(outage),
    onUnreadable: () => log('a frame of the daemon cannot be read'),
    onLost: () => {
      log('the connection to the daemon was lost')
      clearTimeout(outage)
      outage = setTimeout(
        () => fail(`the daemon does not answer any more. ${storedNote(exchange)}`, exitCodes.unreachable),
        maxOutageMs,
      )
    },
    onGone: () => fail(`${persona.name} was deleted`, exitCodes.unknown),
  })

  const onFrame = (frame: PersonaFrame) => {
    switch (frame.type) {
      case 'reset':
        updates.showNotice(`The history of ${persona.name} has changed. Load the session again to see it.`)
        return fail('the history of the persona has changed. Load the session again')
      case 'chat_delta':
        return updates.onDelta(frame)
      case 'person_message':
        return isOld(frame) ? undefined : onUserMessage(frame)
      case 'chat_message':
        if (isOld(frame)) return
        if (exchange && frame.turn === exchange.turn) exchange.stopReason = toStopReason(frame)
        return updates.onAnswer(frame)
      case 'chat_image':
      case 'chat_audio':
        return isOld(frame) ? undefined : updates.onMedia(frame)
      case 'approval':
        return frame.state === 'asked' ? onQuestion(frame) : exchange?.questions.get(frame.id)?.abort()
      case 'event':
        updates.onFact(frame)
        return onFact(frame)
      case 'typing':
    }
  }

  const isOld = ({ seq }: PersonaFrame) => seq !== null && seq <= skippedUpTo

  const onUserMessage = (frame: Extract<PersonaFrame, { type: 'person_message' }>) => {
    const { seq, content, media, channel } = frame
    if (exchange && seq !== null && channel?.type === 'web') {
      if (exchange.isSent && exchange.seq === 0 && isOwn(exchange, content)) {
        exchange.seq = seq
        exchange.filesLeft = exchange.message.files.length - 1
        return
      }
      if (exchange.seq > 0 && exchange.filesLeft > 0 && content === '' && media) {
        exchange.filesLeft -= 1
        return
      }
    }
    updates.onUserMessage(frame)
  }

  const onQuestion = (question: Question) => {
    updates.onQuestion(question)
    if (currentTurn === question.turn) currentTurn = 0
    if (!exchange || exchange.turn !== question.turn) return
    if (exchange.isCancelled) return stopTurn(exchange)
    const aborter = new AbortController()
    exchange.questions.set(question.id, aborter)
    void decide(question, aborter.signal)
  }

  const decide = async (question: Question, signal: AbortSignal) => {
    const path = personaPath(persona, `approvals/${question.id}`)
    try {
      const decision = await askDecision(question, signal)
      if (signal.aborted) return
      if (decision !== null) await client.send('POST', path, { decision })
      else if (exchange && !exchange.isCancelled)
        updates.showNotice(
          `The question is still open. Answer it on the page, or with \`daimon approvals answer ${persona.id} ${question.id} once|always|no\`.`,
        )
    } catch (error) {
      // Another client may have answered it first.
      if (!signal.aborted) updates.showNotice(`The decision was not stored: ${formatError(error)}`)
    }
  }

  const onFact = ({ seq, title, details }: Extract<PersonaFrame, { type: 'event' }>) => {
    if (title === 'StopAsked' || (title === 'StatusSet' && details.status !== 'active')) isStopAsked = true
    if (title === 'StartAsked' || title === 'Woke') isStopAsked = false
    if (title === 'Stopped' && isStopAsked) fail(`${persona.name} was stopped. ${storedNote(exchange)}`)
    if (title === 'TurnBegan' && seq !== null) {
      currentTurn = seq
      const begunTurn = { ...(details as unknown as BegunTurn), seq }
      for (const candidate of [exchange, stopping]) {
        if (!candidate || candidate.turn > 0 || !isAnsweredBy(candidate, begunTurn)) continue
        candidate.turn = seq
        if (candidate.isCancelled) stopTurn(candidate)
      }
    }
    const turn = Number(details.turn)
    if (title === 'TurnResumed') currentTurn = turn
    if (title !== 'TurnEnded') return
    if (currentTurn === turn) currentTurn = 0
    if (stopping?.turn === turn) stopping = null
    else if (stopping && stopping.turn > 0) stopTurn(stopping)
    if (exchange?.turn === turn) endExchange(exchange, details)
  }

  const endExchange = ({ resolve, reject, isCancelled, stopReason }: Exchange, details: Details) => {
    if (isCancelled || details.outcome === 'hushed') return resolve('cancelled')
    if (details.outcome === 'unreachable')
      return reject(
        new CommandFailed(
          `no answer: ${details.reason}. The message is stored, and is answered when the model can be reached.`,
          exitCodes.refused,
        ),
      )
    resolve(stopReason)
  }

  /**
   * Stops the turn of a cancelled message. Another turn in progress is not stopped: it belongs to another
   * message.
   */
  const stopTurn = (target: Exchange) => {
    const { turn } = target
    if (!target.isSent) return target.resolve('cancelled')
    if (turn === 0 || (currentTurn !== 0 && currentTurn !== turn)) {
      stopping = target
      return void setTimeout(() => target.resolve('cancelled'), cancelWithinMs)
    }
    client.send('POST', personaPath(persona, 'hush')).catch(target.reject)
  }

  /** Sends the message again with the same key after a lost connection. */
  const deliver = async (ownExchange: Exchange): Promise<void> => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const deadline = Date.now() + maxOutageMs
    for (;;)
      try {
        await line.connect()
        if (ownExchange.isCancelled && !ownExchange.isSent) return
        ownExchange.isSent = true
        return await postMessage(ownExchange.message, headers)
      } catch (error) {
        // It may have arrived, although its response did not.
        if (ownExchange.isCancelled) return
        if (!isPassing(error) || Date.now() > deadline) throw explain(error)
        await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
      }
  }

  const send = async (ownExchange: Exchange, blocks: readonly ContentBlock[]): Promise<void> => {
    ownExchange.message = await toAcpMessage(blocks)
    // A daemon that does not run is reported immediately.
    await line.connect()
    await deliver(ownExchange)
  }

  const postMessage = async (
    { text, files: [file, ...otherFiles] }: AcpMessage,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const form = { file, otherFiles, fields: text ? { caption: text } : {}, headers }
    if (file) await client.upload(personaPath(persona, 'attach'), { ...form, file })
    else await client.send('POST', personaPath(persona, 'read'), { message: text }, headers)
  }

  const explain = (error: unknown): unknown =>
    error instanceof CommandFailed && error.status === notActive
      ? new CommandFailed(
          `${persona.name} is not running. Start it with \`daimon start ${persona.id}\` or on its page`,
          exitCodes.refused,
          notActive,
        )
      : error

  const runPrompt = async (blocks: readonly ContentBlock[]): Promise<StopReason> => {
    const { promise, ownExchange } = createExchange()
    exchange = ownExchange
    stopping = null
    try {
      sending = send(ownExchange, blocks)
      await sending
      ownExchange.isStored = true
      if (ownExchange.isCancelled) stopTurn(ownExchange)
      return await promise
    } finally {
      exchange = null
      clearTimeout(outage)
      for (const aborter of ownExchange.questions.values()) aborter.abort()
    }
  }

  return {
    open: () => line.connect(),
    showHistory: async (read) => {
      heldFrames ??= []
      try {
        const messages = await read()
        skippedUpTo = messages.at(-1)?.id ?? 0
        updates.showHistory(messages)
      } finally {
        const frames: readonly PersonaFrame[] = heldFrames ?? []
        heldFrames = null
        frames.forEach(onFrame)
      }
    },
    prompt: async (blocks) => {
      if (exchange)
        throw new CommandFailed('a prompt is in progress: wait for its end, or cancel it', exitCodes.usage)
      return runPrompt(blocks)
    },
    cancel: () => {
      if (!exchange || exchange.isCancelled) return
      exchange.isCancelled = true
      for (const aborter of exchange.questions.values()) aborter.abort()
      if (exchange.isStored) stopTurn(exchange)
    },
    settle: () => sending.catch(() => undefined),
    close: () => {
      clearTimeout(outage)
      exchange?.resolve('cancelled')
      line.close()
    },
  }
}

const notActive = 409
const unavailable = 503

/** Returns whether the same request may succeed after a while. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof CommandFailed) ||
  error.code === exitCodes.unreachable ||
  error.status === unavailable ||
  error.message === 'Web channel not connected'

const formatError = (error: unknown): string => (error instanceof Error ? error.message : String(error))
