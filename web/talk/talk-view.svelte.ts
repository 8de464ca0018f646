/** One talk as what is drawn sees it. */
import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { Failure } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { connection } from '../shared/connection.svelte.ts'
import { parcels } from '../shared/held.ts'
import { register } from '../shared/people.svelte.ts'
import type { Asked, Frame, Said } from '../shared/shapes.ts'
import { Approvals, type Settled } from './approvals.svelte.ts'
import { createTalk } from './conversation.ts'
import type { Letter } from './outbox.ts'
import { joined, type Row, rowsOf } from './rows.ts'
import type { Draft } from './speech.ts'

export interface TalkNews {
  /** Said just now. */
  readonly onLive: (said: readonly Said[]) => void
  /** Asked just now. */
  readonly onAsked: (asked: Asked) => void
}

export class TalkView {
  readonly id: string
  phase = $state.raw<'loading' | 'here' | Failure>('loading')
  said = $state.raw<readonly Said[]>([])
  readonly rows = $derived<readonly Row[]>(rowsOf(this.said))
  /** What came in last came before everything else: whoever reads stays at the same line. */
  grewUpwards = $state(false)
  earlier = $state<'more' | 'loading' | 'none'>('none')
  earlierTrouble = $state('')
  letters = $state.raw<readonly Letter[]>([])
  /** By key, from 0 to 1. */
  readonly progress = new SvelteMap<string, number>()
  drafts = $state.raw<readonly Draft[]>([])
  busy = $state(false)
  lineOpen = $state(false)
  /** Turns that ended without an answer, as far as the page knows: for good, or until the Mind is back. */
  readonly refused = new SvelteSet<number>()
  readonly #unreached = new SvelteSet<number>()
  /** The last that the persona said in a turn that came to its end: what was said after it waits. */
  readonly answered = $derived(
    this.said.findLast(({ turn }) => turn !== null && !this.#unreached.has(turn))?.id ?? 0,
  )
  /** What was unfolded stays so while it is out of sight: turns, and messages too long to be shown whole. */
  readonly unfolded = new SvelteSet<number>()
  readonly whole = new SvelteSet<number>()
  readonly approvals: Approvals
  /** By the message that was the last before it was asked. */
  readonly settled = $derived.by(() => {
    const places = new Map<number, readonly Settled[]>()
    for (const one of this.approvals.settled) {
      const before = this.said.findLast(({ id }) => id < one.asked.id)?.id
      if (before !== undefined) places.set(before, [...(places.get(before) ?? []), one])
    }
    return places
  })
  readonly #news: TalkNews
  readonly #talk: ReturnType<typeof createTalk>
  #frame = 0

  constructor(id: string, news: TalkNews) {
    this.id = id
    this.#news = news
    this.approvals = new Approvals(id, news.onAsked)
    this.#talk = createTalk(
      id,
      { register, lines: connection, parcels },
      {
        onLoaded: (failure) => {
          this.phase = failure ?? 'here'
        },
        onSaid: (said, live) => this.#say(said, live),
        onMore: (which, failure) => {
          this.earlier = which
          this.earlierTrouble = failure?.words ?? ''
        },
        onSpeech: (drafts, busy) => this.#hear(drafts, busy),
        onLetters: () => {
          this.letters = this.#talk.outbox.letters()
          this.lineOpen = this.#talk.open()
        },
        onProgress: (key, share) => this.progress.set(key, share),
        onApproval: (news) => (news ? this.approvals.take(news) : void this.approvals.load()),
        onFact: (frame) => this.#learn(frame),
        onGone: () => register.drop(id),
      },
    )
    this.letters = this.#talk.outbox.letters()
  }

  get outbox() {
    return this.#talk.outbox
  }

  async load(): Promise<void> {
    this.phase = 'loading'
    await Promise.all([this.#talk.load(), this.approvals.load()])
    await this.#look()
  }

  /** How the last turn ended was told before the page was there. */
  async #look() {
    const turn = this.said.at(-1)?.turn ?? null
    if (turn === null) return
    const answer = await answerTo(
      client.GET('/api/persona/{persona_id}/turns/{id}', {
        params: { path: { persona_id: this.id, id: String(turn) } },
      }),
    )
    if (answer.ok) this.#end(turn, answer.value.outcome)
  }

  #end(turn: number, outcome: unknown) {
    if (outcome === 'refused') this.refused.add(turn)
    if (outcome === 'unreachable') this.#unreached.add(turn)
  }

  earlierNow = (): Promise<void> => this.#talk.earlier()

  hush = (): Promise<void> => this.#talk.hush()

  presence = (): void => this.#talk.presence()

  close(): void {
    cancelAnimationFrame(this.#frame)
    this.#talk.close()
  }

  #say(said: readonly Said[], live: boolean) {
    const first = this.said[0]?.id
    this.grewUpwards = first !== undefined && said.every(({ id }) => id < first)
    this.said = joined(this.said, said)
    if (live) return this.#news.onLive(said)
    const oldest = said[0]?.id
    if (oldest !== undefined) void this.approvals.recall(oldest - 1, first).catch(() => undefined)
  }

  /** Words come quicker than a screen shows them: what of them stands at the next picture is drawn. */
  #hear(drafts: readonly Draft[], busy: boolean) {
    cancelAnimationFrame(this.#frame)
    const draw = () => {
      this.drafts = drafts
      this.busy = busy
    }
    if (busy !== this.busy || drafts.length < this.drafts.length) return draw()
    this.#frame = requestAnimationFrame(draw)
  }

  #learn({ fact, details }: Frame) {
    const { turn, outcome } = details
    if (fact === 'TurnEnded' && typeof turn === 'number') this.#end(turn, outcome)
  }
}
