/** A talk, kept in sync with the persona's journal: messages, streamed answers and undelivered messages. */
import type { Failure } from '../shared/answer.ts'
import * as api from '../shared/api.ts'
import { answerTo, client } from '../shared/client.ts'
import { newestPage } from '../shared/first-page.ts'
import type { Register } from '../shared/register.ts'
import {
  type Frame,
  type HiddenReason,
  type Message,
  type MindChange,
  type Step,
  toHiddenReason,
  toList,
} from '../shared/shapes.ts'
import { openLine } from '../shared/socket.ts'
import { language } from '../strings/strings.ts'
import { createOutbox, type Letter, type Outbox } from './outbox.ts'
import { applyDelta, type Draft, dropCompletedDrafts } from './speech.ts'

export interface Talk {
  readonly outbox: Outbox
  readonly load: () => Promise<void>
  readonly loadEarlier: () => Promise<void>
  readonly hush: () => Promise<void>
  /** True if the socket is connected. */
  readonly open: () => boolean
  /** Called when the persona was started or stopped, to send pending messages. */
  readonly presence: () => void
  readonly close: () => void
}

export interface TalkEvents {
  readonly onLoaded: (failure: Failure | null) => void
  /** In any order. `live`: the messages are new. */
  readonly onMessages: (messages: readonly Message[], live: boolean) => void
  /** Messages were hidden, or are shown again. */
  readonly onHidden: (ids: readonly number[], reason: HiddenReason | null) => void
  readonly onMinds: (minds: readonly MindChange[]) => void
  readonly onMore: (state: 'more' | 'loading' | 'none', failure: Failure | null) => void
  readonly onSpeech: (drafts: readonly Draft[], busy: boolean) => void
  readonly onLetters: () => void
  /** Upload progress of an undelivered message, from 0 to 1. */
  readonly onProgress: (key: string, share: number) => void
  /** Null if some frames may have been missed. */
  readonly onApproval: (news: ApprovalFrame | null) => void
  /** Called for every frame with a fact. */
  readonly onFact: (frame: Frame) => void
  readonly onGone: () => void
}

type ApprovalFrame = Extract<Frame, { readonly type: 'approval' }>

interface Surroundings {
  readonly register: Register
  readonly lines: { report(name: string, open: boolean): void; forget(name: string): void }
  readonly parcels: Map<string, readonly Letter[]>
}

export const createTalk = (
  id: string,
  { register, lines, parcels }: Surroundings,
  events: TalkEvents,
): Talk => {
  /**
   * Sequence numbers of the known messages. The value is true if its file is known: a text and its file
   * arrive as two frames with the same number.
   */
  const knownMessages = new Map<number, boolean>()
  let afterSeq = 0
  let drafts: readonly Draft[] = []
  let busy = false
  let hasMore = false
  let isLoading = false
  let line: ReturnType<typeof openLine> | null = null
  let isClosed = false

  const addMessages = (messages: readonly Message[], live: boolean) => {
    const newMessages = messages.filter(
      ({ id: messageId, media }) =>
        !knownMessages.has(messageId) || (media !== null && !knownMessages.get(messageId)),
    )
    for (const { id: messageId, media } of newMessages) knownMessages.set(messageId, media !== null)
    if (newMessages.length > 0) events.onMessages(newMessages, live)
    return newMessages
  }

  const speech = (nextDrafts: readonly Draft[], nextBusy: boolean) => {
    drafts = nextDrafts
    busy = nextBusy
    events.onSpeech(drafts, busy)
  }

  const addMessage = (message: Message, step: Step | null) => {
    if (step) speech(dropCompletedDrafts(drafts, step), busy)
    // Only new messages complete an undelivered one: a replayed frame may have the same text as an older
    // message.
    for (const { role, content, media } of addMessages([message], true)) {
      if (role === 'person') outbox.onMessage(content, media)
    }
  }

  const onFrame = (frame: Frame) => {
    if (frame.seq !== null) afterSeq = Math.max(afterSeq, frame.seq)
    if (frame.type === 'said') addMessage(frame.said, frame.step)
    if (frame.type === 'delta') speech(applyDelta(drafts, frame), true)
    if (frame.type === 'typing') speech(frame.on ? drafts : [], frame.on)
    if (frame.type === 'approval') events.onApproval(frame)
    if (frame.fact) events.onFact(frame)
    if (frame.fact === 'MessagesHidden' || frame.fact === 'MessagesShown') {
      const ids = toList(frame.details.messages).filter((seq) => typeof seq === 'number')
      events.onHidden(ids, toHiddenReason(frame.details.reason))
    }
    if (frame.fact === 'OrganRecovered') void requestGreeting()
    if (frame.fact === 'OrganReplaced' && frame.details.slot === 'thinking') void loadMinds()
    // The journal may have been replaced, so sequence numbers start again.
    if (frame.type !== 'reset') return
    afterSeq = 0
    events.onApproval(null)
    void refresh()
  }

  const listen = () => {
    if (line || isClosed) return
    line = openLine({
      path: () => `/ws/${encodeURIComponent(id)}?after=${afterSeq}`,
      onFrame: onFrame,
      onGone: events.onGone,
      onState: (isOpen) => {
        if (isClosed) return
        lines.report(id, isOpen)
        // A streamed answer is streamed again, or is already in the journal.
        speech([], false)
        events.onLetters()
        if (!isOpen) return
        outbox.flush()
        void requestGreeting()
      },
    })
  }

  const loadMinds = async () => {
    const answer = await api.conversation(id, undefined, 1)
    if (answer.ok && !isClosed) events.onMinds(answer.value.minds)
  }

  const load = async () => {
    const answer = await newestPage(id)
    if (isClosed) return
    if (!answer.ok) {
      if (answer.failure.status === 404) events.onGone()
      else events.onLoaded(answer.failure)
      return
    }
    const { messages } = answer.value
    afterSeq = Math.max(afterSeq, messages.at(-1)?.id ?? 0)
    hasMore = answer.value.more
    events.onMinds(answer.value.minds)
    addMessages(messages, false)
    events.onLoaded(null)
    events.onMore(hasMore ? 'more' : 'none', null)
    listen()
  }

  /** Reloads the newest page, and older pages until there is no gap to the known messages. */
  const refresh = async () => {
    const newest = Math.max(0, ...knownMessages.keys())
    let answer = await api.conversation(id)
    if (answer.ok && !isClosed) events.onMinds(answer.value.minds)
    while (answer.ok && !isClosed) {
      const { messages, more: hasOlder } = answer.value
      addMessages(
        messages.filter(({ hidden }) => hidden === null),
        true,
      )
      addMessages(messages, false)
      for (const reason of new Set(messages.map(({ hidden }) => hidden)))
        events.onHidden(
          messages.flatMap(({ id: seq, hidden }) => (hidden === reason ? seq : [])),
          reason,
        )
      const oldest = messages[0]?.id
      if (!hasOlder || oldest === undefined || oldest <= newest) return
      answer = await api.conversation(id, oldest)
    }
  }

  const loadEarlier = async () => {
    if (!hasMore || isLoading || knownMessages.size === 0) return
    isLoading = true
    events.onMore('loading', null)
    const answer = await api.conversation(id, Math.min(...knownMessages.keys()))
    isLoading = false
    if (isClosed) return
    if (!answer.ok) return events.onMore('more', answer.failure)
    hasMore = answer.value.more
    addMessages(answer.value.messages, false)
    events.onMore(hasMore ? 'more' : 'none', null)
  }

  const open = () => line?.open() === true

  /**
   * Requests a greeting if the talk is empty. The daemon greets at most once. If it does not, the talk waits
   * for the user.
   */
  const requestGreeting = async () => {
    const isEmpty = knownMessages.size === 0 && outbox.letters().length === 0
    if (isClosed || !isEmpty || !open() || register.find(id)?.running !== true) return
    await answerTo(
      client.POST('/api/persona/{persona_id}/greet', {
        params: { path: { persona_id: id }, query: { language } },
      }),
    )
  }

  const outbox = createOutbox({
    id,
    parcels,
    send: ({ content, parcel, key }, options) =>
      parcel ? api.send(id, parcel, content, key, options) : api.read(id, content, key),
    ready: () => open() && register.find(id)?.running === true,
    awake: async () => {
      await register.load()
      return register.find(id)?.running === true
    },
    onChange: events.onLetters,
    onProgress: events.onProgress,
    onUnseen: refresh,
  })

  return {
    outbox,
    open,
    load,
    loadEarlier,
    hush: async () => {
      const answer = await api.act(id, 'hush')
      if (answer.ok) speech(drafts, false)
    },
    presence: () => {
      if (register.find(id)?.running) {
        outbox.flush()
        void requestGreeting()
      } else if (busy) speech([], false)
    },
    close: () => {
      isClosed = true
      outbox.close()
      line?.close()
      lines.forget(id)
    },
  }
}
