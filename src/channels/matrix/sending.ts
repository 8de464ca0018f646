/** Sends text and files to a room, to a thread, or to another room that the persona reads. */
import { unlessAborted } from '../../../packages/kit/flow/abort-signals.ts'
import { MatrixError, toStorageError } from '../../../packages/matrix/api.ts'
import { sendTyping } from '../../../packages/matrix/send-event.ts'
import { type Gateway, SendError } from '../platform.ts'
import type { MatrixContext } from './context.ts'
import { createFileContent } from './files.ts'
import { addButtons, type MatrixPresses } from './presses.ts'
import { createText } from './text-content.ts'

type Ways = Pick<Gateway, 'send' | 'sendFile' | 'typing'>
type Content = Readonly<Record<string, unknown>>

interface Place {
  readonly room: string
  readonly thread: string | null
}

interface SendingDeps extends MatrixContext {
  readonly presses: MatrixPresses
  /** Called if the server rejects the token. */
  readonly onRefusal: (error: MatrixError) => void
  /** Called before a message is sent. */
  readonly beforeSend: () => void
}

export const createSending = (deps: SendingDeps): Ways => {
  const { connect, rooms, sender, presses, bot, signal: closeSignal, onRefusal, beforeSend } = deps
  /** Rooms with a typing indicator. */
  const typingRooms = new Set<string>()

  const withSendErrors = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      beforeSend()
      return await unlessAborted(work(), signal)
    } catch (error) {
      if (error instanceof SendError) throw error
      if (signal.aborted) throw new SendError('The request was cancelled.', { lasting: false })
      const failure = error instanceof MatrixError ? error : toStorageError(error)
      if (!failure)
        throw new SendError('The message could not be sent to Matrix.', { lasting: false }, { cause: error })
      if (failure.kind === 'token') onRefusal(failure)
      throw new SendError(failure.message, { lasting: failure.kind !== 'passing', wait: failure.wait })
    }
  }

  /** Tries the thread, then its room, then the paired room. */
  const withPlaces = async <T>(
    target: string,
    attempt: (place: Place, n: number) => Promise<T>,
  ): Promise<T> => {
    const places = listPlaces(target)
    for (const [n, place] of places.entries())
      try {
        return await attempt(place, n)
      } catch (error) {
        if (!(error instanceof MatrixError) || error.kind !== 'lasting') throw error
        if (n === places.length - 1) throw await explain(place.room, error)
      }
    throw new SendError('This is not a Matrix room.', { lasting: true })
  }

  const explain = async (room: string, error: MatrixError): Promise<MatrixError> => {
    const { isReplaced } = await rooms.get(room, closeSignal).catch(() => ({ isReplaced: false }))
    if (isReplaced) return new MatrixError(replacedReason, 'lasting')
    if (error.code === 'M_FORBIDDEN' || error.code === 'M_NOT_FOUND')
      return new MatrixError(goneReason, 'lasting', { code: error.code })
    return error
  }

  const sendAt = (
    { room, thread }: Place,
    n: number,
    {
      content,
      nonce,
      signal,
    }: { readonly content: Content; readonly nonce: string; readonly signal: AbortSignal },
  ) =>
    sender.send({
      room,
      type: 'm.room.message',
      content: { ...content, ...(thread !== null && { 'm.relates_to': toThread(thread) }) },
      txn: n === 0 ? nonce : `${nonce}.${n}`,
      signal,
    })

  const sendContent = (target: string, content: Content, nonce: string, signal: AbortSignal) =>
    withPlaces(target, async (place, n) => {
      stopTyping(place.room)
      return { room: place.room, event: await sendAt(place, n, { content, nonce, signal }) }
    })

  const stopTyping = (room: string) => {
    if (typingRooms.delete(room)) void show(room, false)
  }
  // A failed typing indicator is not important.
  const show = (room: string, isTyping: boolean) =>
    connect()
      .then(({ api }) => sendTyping(api, { room, userId: bot.id, isTyping, signal: closeSignal }))
      .catch(() => {})

  return {
    send: (target, text, nonce, signal, buttons = []) =>
      withSendErrors(signal, async () => {
        const content = addButtons(createText(text), buttons)
        // Only in the paired room are reactions read, and others must not see what is asked.
        const [paired = target, topic = ''] = target.split('/')
        const place = buttons.length > 0 && topic.startsWith('!') ? paired : target
        const { room, event } = await sendContent(place, content, nonce, signal)
        if (buttons.length > 0) await presses.addReactions({ room, event, buttons, nonce })
        return event
      }),
    sendFile: (target, file, nonce, signal) =>
      withSendErrors(signal, () =>
        withPlaces(target, async (place, n) => {
          const connection = await connect()
          const isEncrypted = await sender.isEncrypted(place.room, signal)
          const content = await createFileContent(connection, file, isEncrypted, signal)
          await sendAt(place, n, { content, nonce, signal })
        }),
      ),
    typing: (target) => {
      const [place] = listPlaces(target)
      if (!place || closeSignal.aborted) return
      typingRooms.add(place.room)
      void show(place.room, true)
    },
  }
}

export const goneReason =
  'The persona is no longer in this room. Invite it there again, or remove this channel and pair it in another room.'
export const replacedReason =
  'This room was upgraded, and nothing can be sent to it any more. Remove this channel, add it again, and pair it in the new room.'

/**
 * Returns the places of a gateway target: `<paired room>`, `<paired room>/<thread>`, `<paired room>/<room>`
 * or `<paired room>/<room> <thread>`.
 */
const listPlaces = (target: string): readonly Place[] => {
  const slash = target.indexOf('/')
  const paired = slash < 0 ? target : target.slice(0, slash)
  const topic = slash < 0 ? '' : target.slice(slash + 1)
  const [first = '', second = null] = topic.split(' ')
  const room = first.startsWith('!') ? first : paired
  const thread = first.startsWith('$') ? first : second
  return [
    ...(thread === null ? [] : [{ room, thread }]),
    { room, thread: null },
    ...(room === paired ? [] : [{ room: paired, thread: null }]),
  ]
}

const toThread = (root: string): Content => ({
  rel_type: 'm.thread',
  event_id: root,
  is_falling_back: true,
  'm.in_reply_to': { event_id: root },
})
