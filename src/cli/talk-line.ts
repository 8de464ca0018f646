/** A conversation with one persona over its WebSocket. */

import { toMaskedText } from '../../packages/kit/redact.ts'
import { toMarkedText } from '../../projections/message-parts.ts'
import type { PersonaView } from '../../projections/view.ts'
import { type DaemonClient, socketAddress } from './daemon-client.ts'
import { CommandFailed, exitCodes } from './exit-codes.ts'
import { personaPath } from './find-persona.ts'
import type { Form } from './form-upload.ts'
import { harmless, printStyled } from './printing.ts'

/** A tool call that waits for a decision of the user. */
export interface Question {
  readonly id: number
  readonly turn: number
  readonly server: string
  readonly tool: string
  readonly input: unknown
  readonly changed: boolean
}

export const decisions = ['once', 'always', 'no'] as const
export type Decision = (typeof decisions)[number]

export interface Attachment {
  readonly path: string
  /** The file is a recording of the user's voice. */
  readonly voice: boolean
}

interface TalkListeners {
  /** Called after a message was printed. */
  readonly onSaid: () => void
  readonly onQuestion: (question: Question) => void
}

export interface TalkLine {
  /**
   * Sends a message and prints the answer as it arrives. Resolves when the answer ends: to null, or to the
   * question it waits for.
   */
  send(words: string, attachment?: Attachment): Promise<Question | null>
  /** Sends a request that causes an answer, and prints the answer. */
  ask(request: () => Promise<unknown>): Promise<Question | null>
  /** Answers a question and prints the rest of the answer. */
  settle(question: Question, decision: Decision): Promise<Question | null>
  /** Prints messages and questions that arrive between two answers. */
  listen(listeners: TalkListeners): void
  close(): void
}

type Frame = { readonly seq?: number; readonly turn?: number; readonly step?: number } & (
  | { readonly type: 'person_message' }
  | { readonly type: 'chat_delta'; readonly offset: number; readonly delta: string }
  | { readonly type: 'chat_message'; readonly content: string; readonly notice?: true }
  | { readonly type: 'chat_image' | 'chat_audio'; readonly url: string }
  | { readonly type: 'approval'; readonly state: 'settled' }
  | ({ readonly type: 'approval'; readonly state: 'asked' } & Question)
  | { readonly type: 'event'; readonly title: string; readonly details: Details }
)

interface Details {
  readonly turn?: number
  readonly outcome?: string
  readonly reason?: string | null
}

export const openTalk = async (client: DaemonClient, persona: PersonaView): Promise<TalkLine> => {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(socketAddress(client, `/ws/${encodeURIComponent(persona.id)}`))
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve())
    socket.once('error', () =>
      reject(
        new CommandFailed(`the connection to ${persona.name} could not be opened`, exitCodes.unreachable),
      ),
    )
  })
  let onFrame: (frame: Frame) => void = () => {}
  let onLost: (error: Error) => void = () => {}
  socket.on('message', (data) => onFrame(JSON.parse(String(data)) as Frame))
  socket.on('close', () =>
    onLost(
      new CommandFailed('the daemon closed the connection. The message is stored', exitCodes.unreachable),
    ),
  )

  const printAnswer = async (answer: Answer, ask: () => Promise<unknown>): Promise<Question | null> => {
    const endTask = new Promise<Question | null>((resolve, reject) => {
      onLost = reject
      onFrame = (frame) => {
        try {
          const state = answer.take(frame)
          if (state !== 'goes on') resolve(state === 'ended' ? null : state)
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      }
    })
    endTask.catch(() => {})
    await ask()
    return endTask
  }

  return {
    send: (words, attachment) => {
      if (words === '' && !attachment) throw new CommandFailed('the message is empty', exitCodes.usage)
      return printAnswer(createAnswer(client.url), () =>
        attachment
          ? client.upload(
              personaPath(persona, attachment.voice ? 'hear' : 'attach'),
              toForm(attachment, words),
            )
          : client.send('POST', personaPath(persona, 'read'), { message: words }),
      )
    },
    ask: (request) => printAnswer(createAnswer(client.url), request),
    settle: (question, decision) =>
      printAnswer(createAnswer(client.url, question.turn), () =>
        client.send('POST', personaPath(persona, `approvals/${question.id}`), { decision }),
      ),
    listen: ({ onSaid, onQuestion }) => {
      onFrame = (frame) => {
        if (frame.type === 'chat_message') {
          printStyled(`\n${harmless(toMarkedText(frame.content, frame.notice === true))}`)
          onSaid()
        }
        if (frame.type === 'approval' && frame.state === 'asked') onQuestion(frame)
      }
    },
    close: () => {
      onLost = () => {}
      socket.close()
    },
  }
}

/** The question to the user about a tool call. `daimon approvals --json` prints the whole input. */
export const formatQuestion = ({ server, tool, input, changed }: Question): string => {
  const changeNote = changed ? ' It was allowed, but its definition has changed.' : ''
  const shownInput = toMaskedText(JSON.stringify(input) ?? '', maxInputLength)
  return harmless(`May ${tool} of ${server} be used with ${shownInput}?${changeNote}`)
}

/** In UTF-16 units. */
const maxInputLength = 2000

const toForm = ({ path, voice }: Attachment, caption: string): Form => ({
  file: { field: voice ? 'audio' : 'file', path },
  fields: caption ? { caption } : {},
  headers: { 'idempotency-key': crypto.randomUUID() },
})

interface Answer {
  /** Returns the state of the answer after this frame. Throws if there will be no answer. */
  take(frame: Frame): 'goes on' | 'ended' | Question
}

/** Prints an answer as it arrives. `runningTurn` is the turn if it has begun before. */
const createAnswer = (address: URL, runningTurn = 0): Answer => {
  /** Number of letters printed, by step. */
  const printedLengths = new Map<string, number>()
  let messageSeq = 0
  let turn = runningTurn
  let open = false

  const print = (words: string) => {
    process.stdout.write(harmless(words))
    open = !words.endsWith('\n')
  }
  const endLine = () => {
    if (open) process.stdout.write('\n')
    open = false
  }
  const grow = (name: string, offset: number, delta: string) => {
    const printedBefore = printedLengths.get(name) ?? 0
    // The step started again, so the printed text is outdated.
    if (offset === 0 && printedBefore > 0) endLine()
    const printedEnd = offset === 0 ? 0 : printedBefore
    print(delta.slice(Math.max(0, printedEnd - offset)))
    printedLengths.set(name, Math.max(printedEnd, offset + delta.length))
  }

  const takeFrame = (frame: Frame): ReturnType<Answer['take']> => {
    const { seq = 0 } = frame
    const name = `${frame.turn}.${frame.step ?? 0}`
    switch (frame.type) {
      case 'person_message':
        messageSeq = seq
        return 'goes on'
      case 'chat_delta':
        grow(name, frame.offset, frame.delta)
        return 'goes on'
      case 'chat_message':
        if (frame.notice) {
          endLine()
          print(`${toMarkedText(frame.content, true)}\n`)
          return 'goes on'
        }
        print(frame.content.slice(printedLengths.get(name) ?? 0))
        printedLengths.set(name, frame.content.length)
        endLine()
        return 'goes on'
      case 'chat_image':
      case 'chat_audio':
        print(`[${new URL(frame.url, address)}]\n`)
        return 'goes on'
      case 'approval':
        if (frame.state !== 'asked' || frame.turn !== turn) return 'goes on'
        endLine()
        return frame
      case 'event':
        if (frame.title === 'AnswerAsked') messageSeq = seq
        if (frame.title === 'TurnBegan' && messageSeq > 0 && seq > messageSeq && turn === 0) turn = seq
        if (frame.title !== 'TurnEnded' || turn === 0 || frame.details.turn !== turn) return 'goes on'
        endLine()
        return toEnd(frame.details)
      default:
        return 'goes on'
    }
  }
  return { take: takeFrame }
}

const toEnd = ({ outcome = 'answered', reason }: Details): 'ended' => {
  if (outcome === 'answered' || outcome === 'hushed') return 'ended'
  throw new CommandFailed(`no answer: ${reason ?? outcome}. The message is stored.`, exitCodes.refused)
}
