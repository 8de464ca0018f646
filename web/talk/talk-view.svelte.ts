/** A talk as reactive state. */
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { Failure } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { connection } from '../shared/connection.svelte.ts'
import { parcels } from '../shared/held.ts'
import { register } from '../shared/people.svelte.ts'
import type { Approval, Frame, HiddenReason, Message, MindChange } from '../shared/shapes.ts'
import { Approvals, type Settled } from './approvals.svelte.ts'
import { createTalk } from './conversation.ts'
import { findLastExchange } from './last-exchange.ts'
import { loadParser, needsParser } from './markdown.svelte.ts'
import { translateNotice } from './notice-words.ts'
import type { Letter } from './outbox.ts'
import { joined, type Row, toRows } from './rows.ts'
import type { Draft } from './speech.ts'

export interface TalkNews {
  /** Called with new messages. */
  readonly onLive: (messages: readonly Message[]) => void
  /** Called with a new tool call to approve. */
  readonly onAsked: (asked: Approval) => void
}

/** Notices that tell which model answers from now on. */
const nameModel: readonly string[] = ['model_in_use', 'model_without_tools']

const typingIntervalMs = 60_000

export class TalkView {
  readonly id: string
  phase = $state.raw<'loading' | 'here' | Failure>('loading')
  /** Includes hidden messages. */
  loaded = $state.raw<readonly Message[]>([])
  readonly messages = $derived(this.loaded.filter(({ hidden }) => hidden === null))
  /** By turns that arrived while the page was open: the turn whose answer they continue. */
  readonly #continuedTurns = new SvelteMap<number, number>()
  /** Null unless the talk ends with a message of the user or its answer. */
  readonly lastExchange = $derived(findLastExchange(this.loaded, this.#continuedTurns))
  /** The last message of the shown answer, if its actions are below the list. */
  readonly lastAnswer = $derived.by(() => {
    const turn = this.lastExchange?.shownTurn ?? null
    if (turn === null || this.busy || this.letters.length > 0) return null
    return this.messages.findLast((message) => message.turn === turn && !message.asks) ?? null
  })
  readonly rows = $derived<readonly Row[]>(toRows(this.messages.filter(({ asks }) => !asks)))
  /** True if the last change prepended messages, so that the scroll position must be kept. */
  grewUpwards = $state(false)
  earlierState = $state<'more' | 'loading' | 'none'>('none')
  earlierTrouble = $state('')
  letters = $state.raw<readonly Letter[]>([])
  /** Upload progress by key, from 0 to 1. */
  readonly progress = new SvelteMap<string, number>()
  drafts = $state.raw<readonly Draft[]>([])
  busy = $state(false)
  lineOpen = $state(false)
  /** Known turns that ended without an answer. `refused` is final; `#unreached` waits for the Mind. */
  readonly refusedTurns = new SvelteSet<number>()
  /** Known turns that the user stopped. */
  readonly stoppedTurns = new SvelteSet<number>()
  readonly #unreached = new SvelteSet<number>()
  /** What the persona understood of clips that arrived while the page was open, by message. */
  readonly #heardTexts = new SvelteMap<number, string>()
  /** The turn whose rest the user asked for last; null if another answer was asked for since. */
  #continuedTurn: number | null = null
  /** The id of the persona's last message in a finished turn. Later messages of the user are waiting. */
  readonly answeredUpTo = $derived(
    this.messages.findLast(({ turn }) => turn !== null && !this.#unreached.has(turn))?.id ?? 0,
  )
  /** Ids of expanded turns and long messages, which stay expanded while they are out of sight. */
  readonly unfoldedIds = new SvelteSet<number>()
  readonly wholeIds = new SvelteSet<number>()
  readonly approvals: Approvals
  /** Settled tool calls by the id of the message before them. */
  readonly settledApprovals = $derived.by(() => {
    const places = new Map<number, readonly Settled[]>()
    for (const approval of this.approvals.settled) {
      const previousId = this.rows.findLast(({ message }) => message.id < approval.approval.id)?.message.id
      if (previousId !== undefined) places.set(previousId, [...(places.get(previousId) ?? []), approval])
    }
    return places
  })
  /** The last changes of the model, oldest first. */
  minds = $state.raw<readonly MindChange[]>([])
  /** The changes of the model by the id of the message before them. A notice may tell of one already. */
  readonly mindChanges = $derived.by(() => {
    const places = new Map<number, MindChange>()
    for (const change of this.minds.slice(1)) {
      const next = this.rows.find(({ message }) => message.id > change.id)?.message
      if (next && nameModel.includes(next.noticeCode)) continue
      const previousId = this.rows.findLast(({ message }) => message.id < change.id)?.message.id
      if (previousId !== undefined) places.set(previousId, change)
    }
    return places
  })
  readonly #news: TalkNews
  readonly #talk: ReturnType<typeof createTalk>
  #frame = 0
  /** The last report that the user types: the answer before it, and its time. */
  #typing = { answer: -1, at: Number.NEGATIVE_INFINITY }

  constructor(id: string, news: TalkNews) {
    this.id = id
    this.#news = news
    this.approvals = new Approvals(id, news.onAsked)
    this.#talk = createTalk(
      id,
      { register, lines: connection, parcels },
      {
        onLoaded: (failure) => void this.#showLoaded(failure),
        onMessages: (messages, live) => this.#say(messages, live),
        onHidden: (ids, reason) => this.#hide(ids, reason),
        onMinds: (minds) => {
          this.minds = minds
        },
        onMore: (state, failure) => {
          this.earlierState = state
          this.earlierTrouble = failure?.message ?? ''
        },
        onSpeech: (drafts, busy) => this.#showDrafts(drafts, busy),
        onLetters: () => {
          this.letters = this.#talk.outbox.letters()
          this.lineOpen = this.#talk.open()
        },
        onProgress: (key, share) => this.progress.set(key, share),
        onApproval: (news) => (news ? this.approvals.applyFrame(news) : void this.approvals.load()),
        onFact: (frame) => this.#learn(frame),
        onGone: () => register.drop(id),
      },
    )
    this.letters = this.#talk.outbox.letters()
  }

  /** Waits for the Markdown parser if a message needs it: no message changes its height afterwards. */
  async #showLoaded(failure: Failure | null) {
    if (this.loaded.some(({ role, content }) => role === 'assistant' && needsParser(content)))
      await loadParser()
    this.phase = failure ?? 'here'
  }

  get outbox() {
    return this.#talk.outbox
  }

  async load(): Promise<void> {
    this.phase = 'loading'
    await Promise.all([this.#talk.load(), this.approvals.load()])
    await this.#look()
  }

  /** Loads the outcome of the last turn, which may have ended before the page was opened. */
  async #look() {
    const turn = this.messages.at(-1)?.turn ?? null
    if (turn === null) return
    const answer = await answerTo(
      client.GET('/api/persona/{persona_id}/turns/{id}', {
        params: { path: { persona_id: this.id, id: String(turn) } },
      }),
    )
    if (answer.ok) this.#end(turn, answer.value.outcome)
  }

  #end(turn: number, outcome: unknown) {
    if (outcome === 'refused') this.refusedTurns.add(turn)
    if (outcome === 'hushed') this.stoppedTurns.add(turn)
    if (outcome === 'unreachable') this.#unreached.add(turn)
  }

  /** What the persona understood of a voice recording; empty if nothing is known. */
  getHeard = ({ id, heard }: Message): string => heard || (this.#heardTexts.get(id) ?? '')

  /** The model that wrote an answer; empty if it is unknown, or for other messages. */
  getMind = ({ role, turn, notice, model }: Message): string => {
    if (role !== 'assistant' || turn === null || notice) return ''
    return model || (this.minds.findLast(({ id }) => id < turn)?.model ?? '')
  }

  /** Shows or hides the details of a turn. */
  /** `id`: of a turn, or of a message outside of a turn. */
  unfold(id: number): void {
    if (!this.unfoldedIds.delete(id)) this.unfoldedIds.add(id)
  }

  loadEarlier = (): Promise<void> => this.#talk.loadEarlier()

  hush = (): Promise<void> => this.#talk.hush()

  /** Reports the first key after an answer, at most once a minute: a model on this machine then prepares. */
  onTyping = (): void => {
    const isReported = this.#typing.answer === this.answeredUpTo
    if (isReported || Date.now() - this.#typing.at < typingIntervalMs) return
    this.#typing = { answer: this.answeredUpTo, at: Date.now() }
    void answerTo(
      client.POST('/api/persona/{persona_id}/typing', { params: { path: { persona_id: this.id } } }),
    )
  }

  presence = (): void => this.#talk.presence()

  close(): void {
    cancelAnimationFrame(this.#frame)
    this.#talk.close()
  }

  #say(messages: readonly Message[], live: boolean) {
    const first = this.loaded[0]?.id
    this.grewUpwards = first !== undefined && messages.every(({ id }) => id < first)
    if (live) this.#noteContinued(messages)
    this.loaded = joined(this.loaded, messages.map(translateNotice))
    if (live) return this.#news.onLive(messages.filter(({ asks }) => !asks).map(translateNotice))
    const oldest = messages[0]?.id
    if (oldest !== undefined) void this.approvals.recall(oldest - 1, first).catch(() => undefined)
  }

  #hide(ids: readonly number[], reason: HiddenReason | null) {
    const isChanged = ({ id, hidden }: Message) => hidden !== reason && ids.includes(id)
    if (!this.loaded.some(isChanged)) return
    this.grewUpwards = false
    this.loaded = this.loaded.map((message) =>
      isChanged(message) ? { ...message, hidden: reason } : message,
    )
  }

  /** Chunks arrive faster than the screen refreshes: renders at most once per frame. */
  #showDrafts(drafts: readonly Draft[], busy: boolean) {
    cancelAnimationFrame(this.#frame)
    const draw = () => {
      this.drafts = drafts
      this.busy = busy
    }
    if (busy !== this.busy || drafts.length < this.drafts.length) return draw()
    this.#frame = requestAnimationFrame(draw)
  }

  #noteContinued(messages: readonly Message[]) {
    for (const { role, turn } of messages) {
      if (role === 'person') this.#continuedTurn = null
      if (turn !== null && this.#continuedTurn !== null && turn > this.#continuedTurn)
        this.#continuedTurns.set(turn, this.#continuedTurn)
    }
  }

  #learn({ fact, details }: Frame) {
    const { turn, outcome, mode } = details
    if (fact === 'AnswerAsked')
      this.#continuedTurn = mode === 'continue' && typeof turn === 'number' ? turn : null
    const { message, text: heard, organ } = details
    if (fact === 'MediaDescribed' && details.outcome === 'perceived' && organ === 'ear')
      if (typeof message === 'number' && typeof heard === 'string') this.#heardTexts.set(message, heard)
    if (fact === 'TurnEnded' && typeof turn === 'number') this.#end(turn, outcome)
  }
}
