/** The events of a persona in pages, newest first. New events are added at the front. */
import type { Answer, Failure } from '../shared/answer.ts'
import { type JournalLine, type JournalPart, readJournal } from '../shared/journal-lines.ts'
import { type Filter, getTypes } from './fact-kinds.ts'

const page = 40

export class Happenings {
  lines = $state.raw<readonly JournalLine[]>([])
  phase = $state<'loading' | 'here'>('loading')
  /** True if there may be older events. */
  more = $state(false)
  busy = $state(false)
  failure = $state.raw<Failure | null>(null)
  damage = $state<string | null>(null)
  readonly #id: string
  #filter: Filter = 'main'
  #upto: number | null = null
  /** The sequence number of the newest fact that was loaded. */
  #seen = 0
  /** Incremented on every full reload, so that responses to older requests are dropped. */
  #round = 0

  constructor(id: string) {
    this.#id = id
  }

  /** Loads the newest page up to a sequence number; null means now. */
  async load(filter: Filter, upto: number | null): Promise<void> {
    this.#filter = filter
    this.#upto = upto
    this.phase = 'loading'
    this.#round += 1
    const answer = await this.#read({ last: page, ...(upto !== null && { upto }) })
    if (!answer) return
    this.phase = 'here'
    if (!answer.ok) return
    this.#hold(answer.value)
    this.lines = answer.value.lines.toReversed()
    this.more = this.lines.length === page
    this.#seen = this.lines[0]?.seq ?? 0
  }

  async older(): Promise<void> {
    const oldest = this.lines.at(-1)?.seq ?? 1
    if (this.busy || oldest <= 1) return
    this.busy = true
    const answer = await this.#read({ last: page, upto: oldest - 1 })
    this.busy = false
    if (!answer?.ok) return
    const { lines } = answer.value
    this.lines = [...this.lines, ...lines.toReversed()]
    this.more = lines.length === page
  }

  /** Loads new events. Does nothing while a past moment is shown. */
  async newer(): Promise<void> {
    if (this.#upto !== null || this.phase === 'loading') return
    const answer = await this.#read({ after: this.#seen }, ',FactsErased')
    if (!answer?.ok) return
    const { lines } = answer.value
    this.#hold(answer.value)
    const newLines = lines.filter(({ seq }) => seq > this.#seen)
    this.#seen = newLines.at(-1)?.seq ?? this.#seen
    // Displayed events may have been erased, here or elsewhere.
    if (newLines.some(({ type }) => type === 'FactsErased')) await this.reload()
    else if (newLines.length > 0) this.lines = [...newLines.toReversed(), ...this.lines]
  }

  /** Reloads the displayed events, whose text may have been erased. */
  async reload(): Promise<void> {
    const oldest = this.lines.at(-1)?.seq ?? 1
    this.#round += 1
    const answer = await this.#read({ after: oldest - 1, ...(this.#upto !== null && { upto: this.#upto }) })
    if (!answer?.ok) return
    this.lines = answer.value.lines.toReversed()
    this.#seen = Math.max(this.#seen, this.lines[0]?.seq ?? 0)
  }

  #hold({ damage }: JournalPart): void {
    if (damage !== null) this.damage = damage
  }

  /** Resolves to null if the list was reloaded meanwhile. */
  async #read(
    query: { readonly last?: number; readonly after?: number; readonly upto?: number },
    alsoTypes = '',
  ): Promise<Answer<JournalPart> | null> {
    const round = this.#round
    const answer = await readJournal(this.#id, { ...query, type: getTypes(this.#filter) + alsoTypes })
    if (round !== this.#round) return null
    this.failure = answer.ok ? null : answer.failure
    return answer
  }
}
