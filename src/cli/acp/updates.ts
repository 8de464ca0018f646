/** Converts frames of a persona, and messages of its history, to session updates of ACP. */
import type { ContentBlock, SessionUpdate, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk'
import { toMaskedText } from '../../../packages/kit/redact.ts'
import type { ConversationMessage, MediaView } from '../../../projections/conversation.ts'
import { toMarkedText } from '../../../projections/message-parts.ts'
import type { PersonaFrame } from '../../socket/frames.ts'

type FrameOf<T extends PersonaFrame['type']> = Extract<PersonaFrame, { type: T }>
type Delta = FrameOf<'chat_delta'>
export type Answer = FrameOf<'chat_message'>
export type Question = Extract<FrameOf<'approval'>, { state: 'asked' }>

export interface Updates {
  /** A part of an answer. */
  onDelta(delta: Delta): void
  onAnswer(answer: Answer): void
  onMedia(media: FrameOf<'chat_image' | 'chat_audio'>): void
  /** A message that the user sent with another client. */
  onUserMessage(message: FrameOf<'person_message'>): void
  /** Any other fact. */
  onFact(fact: FrameOf<'event'>): void
  /** Announces the tool call that waits for a decision. */
  onQuestion(question: Question): void
  showNotice(text: string): void
  showHistory(messages: readonly ConversationMessage[]): void
}

interface UpdatesDeps {
  readonly send: (update: SessionUpdate) => void
  /** Sends the picture at a path of the daemon, or a link to it. */
  readonly sendPicture: (link: { readonly url: string; readonly name: string }) => void
  /** Returns the absolute address of a path of the daemon. */
  readonly toAddress: (path: string) => string
}

/** The text of a step. `shown`: the part that the editor has. */
interface StepText {
  text: string
  shown: string
  /** Number of times the step was shown from its beginning. */
  shows: number
}

/** Max UTF-16 units. */
const maxTitleLength = 120
const maxOutputLength = 8000

export const createUpdates = ({ send, sendPicture, toAddress }: UpdatesDeps): Updates => {
  const steps = new Map<string, StepText>()
  /** The announced tool calls of each turn that has not ended. */
  const calls = new Map<number, Map<string, 'open' | 'answered'>>()

  const say = (text: string, messageId?: string) => {
    if (text !== '')
      send({
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text },
        ...(messageId !== undefined && { messageId }),
      })
  }

  const toStep = ({ turn, step }: Pick<Answer, 'turn' | 'step'>) => {
    const key = `${turn}.${step}`
    const stepText = steps.get(key) ?? { text: '', shown: '', shows: 1 }
    steps.set(key, stepText)
    return { key, stepText }
  }

  /**
   * Shows the text of a step that is not shown yet. A step that begins again is not shown again while its
   * text equals the shown one.
   */
  const showStep = (place: Pick<Answer, 'turn' | 'step'>, text: string) => {
    const { key, stepText } = toStep(place)
    stepText.text = text
    const next = text.trimStart()
    if (stepText.shown.startsWith(next)) return
    if (next.startsWith(stepText.shown)) say(next.slice(stepText.shown.length), `${key}.${stepText.shows}`)
    else {
      stepText.shows += 1
      say(`\n\n${next}`, `${key}.${stepText.shows}`)
    }
    stepText.shown = next
  }

  const link = (name: string, url: string): ContentBlock => ({
    type: 'resource_link',
    name,
    uri: toAddress(url),
  })

  const sendLink = (name: string, url: string) =>
    send({ sessionUpdate: 'agent_message_chunk', content: link(name, url) })

  const announce = (turn: number, call: string, status: ToolCallStatus, tool: ToolDescription) => {
    const toolCallId = `${turn}.${call}`
    const ofTurn = calls.get(turn) ?? new Map()
    const isKnown = ofTurn.has(toolCallId)
    calls.set(turn, ofTurn.set(toolCallId, 'open'))
    const { title, kind, input } = tool
    const update = { toolCallId, title, kind, rawInput: input, status }
    send(
      isKnown ? { sessionUpdate: 'tool_call_update', ...update } : { sessionUpdate: 'tool_call', ...update },
    )
  }

  const onToolAnswered = ({ turn, call, ok: isDone, output }: AnsweredDetails) => {
    const toolCallId = `${turn}.${call}`
    // Announced before this connection.
    if (!calls.get(turn)?.has(toolCallId)) return
    calls.get(turn)?.set(toolCallId, 'answered')
    const text = toMaskedText(toOutputText(output), maxOutputLength)
    send({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: isDone ? 'completed' : 'failed',
      content: text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }],
      rawOutput: output,
    })
  }

  const onTurnEnded = (turn: number) => {
    for (const [toolCallId, state] of calls.get(turn) ?? [])
      if (state === 'open') send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' })
    calls.delete(turn)
    steps.clear()
  }

  return {
    onDelta: (frame) => {
      const { stepText } = toStep(frame)
      // Text before this connection is missing: the complete message follows.
      if (frame.offset <= stepText.text.length)
        showStep(frame, stepText.text.slice(0, frame.offset) + frame.delta)
    },
    onAnswer: (frame) => {
      const { content, notice = false, asks = false, media, sources = [] } = frame
      // The question has an approval frame.
      if (asks) return
      if (notice) say(`\n\n${toMarkedText(content, true)}\n\n`)
      else if (media) {
        say(content)
        sendLink(media.name, media.url)
      } else showStep(frame, content)
      for (const { title, url } of sources) sendLink(title, url)
    },
    onMedia: ({ type, url, name, content }) => {
      if (content) say(content)
      if (type === 'chat_image') sendPicture({ url, name })
      else sendLink(name, url)
    },
    onUserMessage: ({ seq, content, media }) => {
      for (const block of toUserBlocks(content, media, link))
        send({ sessionUpdate: 'user_message_chunk', content: block, messageId: String(seq) })
    },
    onFact: ({ title, details }) => {
      if (title === 'ToolCalled') {
        const called = details as unknown as CalledDetails
        announce(called.turn, called.call, 'in_progress', describeTool(called))
      }
      if (title === 'ToolAnswered') onToolAnswered(details as unknown as AnsweredDetails)
      if (title === 'TurnEnded') onTurnEnded(Number(details.turn))
    },
    onQuestion: (question) => announce(question.turn, question.call, 'pending', describeQuestion(question)),
    showNotice: (text) => say(`\n\n${toMarkedText(text, true)}\n\n`),
    showHistory: (messages) => {
      for (const { id, role, content, media, notice = false, asks = false } of messages) {
        if (asks) continue
        const sessionUpdate = role === 'person' ? 'user_message_chunk' : 'agent_message_chunk'
        for (const block of toUserBlocks(toMarkedText(content, notice), media, link))
          send({ sessionUpdate, content: block, messageId: String(id) })
      }
    },
  }
}

const toUserBlocks = (
  content: string,
  media: MediaView | null,
  link: (name: string, url: string) => ContentBlock,
): readonly ContentBlock[] => [
  ...(content === '' ? [] : [{ type: 'text', text: content } as const]),
  ...(media ? [link(media.name, media.url)] : []),
]

interface CalledDetails {
  readonly turn: number
  readonly call: string
  readonly name: string
  readonly input: unknown
  readonly of: { readonly server: string; readonly tool: string } | null
}

interface AnsweredDetails {
  readonly turn: number
  readonly call: string
  readonly ok: boolean
  readonly output: unknown
}

interface ToolDescription {
  readonly title: string
  readonly kind: ToolKind
  readonly input: unknown
}

/** Built-in tools whose kind is not `other`. */
const toolKinds: Readonly<Record<string, ToolKind>> = {
  recall: 'search',
  search_web: 'search',
  find_tools: 'search',
  read_page: 'fetch',
  read_document: 'read',
  look_again: 'read',
  use_skill: 'read',
  check_health: 'read',
  ask_teacher: 'think',
}

const describeTool = ({ name, input, of }: CalledDetails): ToolDescription => ({
  title: toTitle(name, of, input),
  kind: toolKinds[name] ?? 'other',
  input,
})

/** Pages are read by the server `web`, whose tools are hosts. */
export const describeQuestion = ({ server, tool, input }: Question): ToolDescription =>
  server === 'web'
    ? { title: toTitle('read_page', null, input), kind: 'fetch', input }
    : { title: toTitle(tool, { server, tool }, input), kind: 'other', input }

/** Returns the id of the tool call of a question in updates. */
export const toToolCallId = ({ turn, call }: Question): string => `${turn}.${call}`

/** Returns the name of the tool with the first texts of its input, such as `Plan: add · buy tea`. */
const toTitle = (name: string, of: CalledDetails['of'], input: unknown): string => {
  const words = name.replaceAll('_', ' ')
  const label =
    of && name !== 'read_page' ? `${of.server} · ${of.tool}` : words.charAt(0).toUpperCase() + words.slice(1)
  const values = typeof input === 'object' && input !== null ? Object.values(input) : [input]
  const texts = values.flatMap((value) =>
    typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : [],
  )
  return toMaskedText([label, texts.slice(0, 3).join(' · ')].filter(Boolean).join(': '), maxTitleLength)
}

/** Results of servers have their text in a field. */
const toOutputText = (output: unknown): string => {
  if (typeof output === 'string') return output
  if (typeof output === 'object' && output !== null && 'text' in output && typeof output.text === 'string')
    return output.text
  return output === null || output === undefined ? '' : JSON.stringify(output, null, 2)
}
