/**
 * Approvals by reactions. The persona reacts to its own question with one emoji per answer, and a user
 * presses one of them. The content of the question names the answers, so presses after a restart are
 * understood.
 */
import { join } from 'node:path'
import * as z from 'zod'
import { MatrixError, roomPath } from '../../../packages/matrix/api.ts'
import { openJsonFile } from '../../../packages/matrix/json-file.ts'
import { parseEvent } from '../../../packages/matrix/sync-answer.ts'
import type { ClearEvent } from '../../../packages/matrix/sync-handling.ts'
import { type Button, createNonce, type Gateway } from '../platform.ts'
import type { MatrixContext } from './context.ts'
import { parseRelation } from './message.ts'
import { createText } from './text-content.ts'

type Content = Readonly<Record<string, unknown>>

/** The field of a question with its answers by emoji. */
const buttonsField = 'daimon.buttons'
const Buttons = z.record(z.string(), z.string().max(64))
/** By the end of the data. Other buttons get numbers. */
const emojis: Readonly<Record<string, string>> = { once: '👍', always: '♾️', no: '👎' }

const getKey = ({ data }: Button, n: number): string =>
  emojis[data.slice(data.lastIndexOf(':') + 1)] ?? `${n + 1}\u{fe0f}\u{20e3}`

/** Clients differ in variation selectors and skin tones. */
const normalize = (key: string): string => key.replace(/[\u{fe0f}\u{1f3fb}-\u{1f3ff}]/gu, '')

/** Adds the answers to a question. */
export const addButtons = (content: Content, buttons: readonly Button[]): Content => {
  if (buttons.length === 0) return content
  const legend = buttons.map((button, n) => `${getKey(button, n)} ${button.label}`).join(' · ')
  return {
    ...createText(`${content.body}\n\n${legend}`),
    [buttonsField]: Object.fromEntries(buttons.map((button, n) => [getKey(button, n), button.data])),
  }
}

/** Ids of the own reactions by question. */
const PressState = z.record(z.string(), z.array(z.string()))
const maxQuestions = 200

export interface MatrixPresses {
  /** Reacts to a question that was sent. Never rejects: a user can also pick an emoji. */
  addReactions(question: {
    readonly room: string
    readonly event: string
    readonly buttons: readonly Button[]
    readonly nonce: string
  }): Promise<void>
  /** Handles a reaction of another user in the paired room. */
  onReaction(event: ClearEvent): Promise<void>
  unbutton: Gateway['unbutton']
}

export const openPresses = async (
  folder: string,
  { bot, connect, sender, listener, log, signal }: MatrixContext,
): Promise<MatrixPresses> => {
  const file = await openJsonFile(join(folder, 'questions.json'), PressState, {}, log)

  /** Returns the content of an own message, or null. Rejects if the server may answer later. */
  const getQuestion = async (room: string, id: string): Promise<Content | null> => {
    try {
      const { api, crypto } = await connect()
      const raw = await api.call({ method: 'GET', path: roomPath(room, 'event', id), signal })
      const event = parseEvent(room, raw)
      if (event?.sender !== bot.id) return null
      if (event.type !== 'm.room.encrypted') return event.content
      const decrypted = await crypto?.decrypt(room, raw)
      return decrypted?.state === 'clear' ? decrypted.content : null
    } catch (error) {
      if (error instanceof MatrixError && error.kind === 'lasting') return null
      throw error
    }
  }

  const unbutton: Gateway['unbutton'] = async (target, question) => {
    const [room = ''] = target.split('/')
    const { [question]: reactions = [], ...others } = file.value
    for (const event of reactions)
      await sender.redact({ room, event, txn: `un${createNonce(event)}`, signal }).catch(() => {})
    await file.save(others).catch((err) => log.warn({ err }, 'failed to store the open questions'))
  }

  const showResult = async (
    { id, room }: ClearEvent,
    {
      question,
      content,
      words,
      isDecided,
    }: {
      readonly question: string
      readonly content: Content
      readonly words: string
      readonly isDecided: boolean
    },
  ): Promise<void> => {
    const send = (newContent: Content) =>
      sender.send({
        room,
        type: 'm.room.message',
        content: newContent,
        txn: `press${createNonce(id)}`,
        signal,
      })
    if (!isDecided) {
      await send({
        ...createText(words, 'm.notice'),
        'm.relates_to': { 'm.in_reply_to': { event_id: question } },
      })
      return
    }
    const text = String(content.body).slice(0, 6000)
    const newContent = createText(`${text}\n\n${words}`)
    await send({
      ...createText(`* ${String(newContent.body).slice(0, 2000)}`),
      'm.new_content': newContent,
      'm.relates_to': { rel_type: 'm.replace', event_id: question },
    })
  }

  return {
    addReactions: async ({ room, event, buttons, nonce }) => {
      const reactions: string[] = []
      for (const [n, button] of buttons.entries()) {
        const relation = { rel_type: 'm.annotation', event_id: event, key: getKey(button, n) }
        const content = { 'm.relates_to': relation }
        try {
          reactions.push(
            await sender.send({ room, type: 'm.reaction', content, txn: `${nonce}.r${n}`, signal }),
          )
        } catch (err) {
          if (!signal.aborted) log.info({ err }, 'failed to react to a question on Matrix')
        }
      }
      const entries = [...Object.entries(file.value), [event, reactions] as const].slice(-maxQuestions)
      await file
        .save(Object.fromEntries(entries))
        .catch((err) => log.warn({ err }, 'failed to store the open questions'))
    },
    onReaction: async (event) => {
      const { reaction } = parseRelation(event.content)
      if (!reaction) return
      const content = await getQuestion(event.room, reaction.event)
      const { data: answers } = Buttons.safeParse(content?.[buttonsField])
      const entry = Object.entries(answers ?? {}).find(([key]) => normalize(key) === normalize(reaction.key))
      if (!content || !entry) return
      const result = await listener.onPress({ target: event.room, data: entry[1] })
      if (!result) return
      const { words, decided: isDecided } = result
      await showResult(event, { question: reaction.event, content, words, isDecided }).catch((err) =>
        log.info({ err }, 'failed to show the result of a press on Matrix'),
      )
      await unbutton(event.room, reaction.event)
    },
    unbutton,
  }
}
