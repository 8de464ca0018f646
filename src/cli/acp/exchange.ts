/** A prompt of an ACP client from its message to the end of its turn. */
import type { StopReason } from '@agentclientprotocol/sdk'
import type { AcpMessage } from './acp-message.ts'
import type { Answer } from './updates.ts'

export interface Exchange {
  message: AcpMessage
  readonly resolve: (reason: StopReason) => void
  readonly reject: (error: Error) => void
  /** The questions that the editor shows, by id. */
  readonly questions: Map<number, AbortController>
  isSent: boolean
  isStored: boolean
  /** Position of its message and of its turn; 0 until they are known. */
  seq: number
  turn: number
  /** Number of files whose messages follow. */
  filesLeft: number
  isCancelled: boolean
  /** The reason for the end of its turn, if the turn is answered or given up. */
  stopReason: StopReason
}

/** Details of `TurnBegan` with its position. */
export interface BegunTurn {
  readonly seq: number
  readonly channel: { readonly type: string } | null
  readonly stimuli: { readonly after: number; readonly upTo: number }
}

export const createExchange = () => {
  let resolve: Exchange['resolve'] = () => undefined
  let reject: Exchange['reject'] = () => undefined
  const promise = new Promise<StopReason>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  promise.catch(() => undefined)
  const ownExchange: Exchange = {
    message: { text: '', files: [] },
    resolve,
    reject,
    questions: new Map(),
    isSent: false,
    isStored: false,
    seq: 0,
    turn: 0,
    filesLeft: 0,
    isCancelled: false,
    stopReason: 'end_turn',
  }
  return { promise, ownExchange }
}

/** Returns whether a message of the user is that of the prompt. */
export const isOwn = ({ message: { text } }: Exchange, content: string): boolean =>
  content.trim() === text.trim()

/** Limits of tokens, and failures of the daemon, are only shown as notices. */
export const toStopReason = ({ incomplete, notice_code: code }: Answer): StopReason => {
  if (incomplete === 'cut') return 'max_tokens'
  if (code === 'refused' || code === 'refused_repeatedly') return 'refusal'
  return code === 'too_many_steps' ? 'max_turn_requests' : 'end_turn'
}

export const storedNote = (exchange: Exchange | null): string =>
  exchange?.isStored ? 'The message is stored' : 'The message may not have arrived'

/** Returns whether the turn answers the message of the prompt. */
export const isAnsweredBy = (
  { seq }: Pick<Exchange, 'seq'>,
  { channel, stimuli: { after, upTo } }: BegunTurn,
): boolean => seq > 0 && channel?.type === 'web' && seq > after && seq <= upTo
