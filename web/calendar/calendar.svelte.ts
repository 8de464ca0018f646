/** The calendar of a persona, as its room shows and changes it. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import { whenName } from '../shared/moments.ts'
import { takeBackLast } from '../shared/take-back.ts'
import { text } from '../strings/strings.ts'
import {
  type Content,
  callOff,
  change,
  contentThen,
  contentWithin,
  type Entry,
  endOfTime,
  moveTo,
  plan,
  type View,
  type Written,
} from './calendar-entries.ts'
import { agendaFrom, isElsewhere, spanOf, stepped, zoneHere } from './spans.ts'

/** What was done last, and can be taken back. */
interface Done {
  readonly words: string
  readonly fact: 'EntryMoved' | 'EntryCancelled'
  readonly entry: string
}

/** As the person chose it; the same in every calendar, until the page is loaded anew. */
let chosen = $state<View>('agenda')

export class Calendar {
  readonly content: Loaded<Content>
  /** A day of the week or the month that is shown. */
  day = $state.raw(new Date())
  /** How far the agenda goes back. */
  steps = $state(1)
  done = $state.raw<Done | null>(null)
  /** Where the daemon lives, where its clocks show another time than those here. */
  elsewhere = $state<string | null>(null)
  readonly #id: string

  constructor(id: string, at: () => string | null) {
    this.#id = id
    this.content = new Loaded(() => {
      const then = at()
      if (then !== null) return contentThen(id, then)
      return contentWithin(
        id,
        chosen === 'agenda'
          ? { from: agendaFrom(new Date(), this.steps), to: endOfTime }
          : spanOf(chosen, this.day),
      )
    })
    void answerTo(client.GET('/api/health')).then((answer) => {
      if (answer.ok && isElsewhere(answer.value.zone)) this.elsewhere = answer.value.zone
    })
  }

  get view(): View {
    return chosen
  }

  show(view: View): void {
    chosen = view
    void this.content.load()
  }

  goTo(day: Date): void {
    this.day = day
    void this.content.load()
  }

  step(by: 1 | -1): void {
    this.goTo(stepped(chosen, this.day, by))
  }

  further(): void {
    this.steps += 1
    void this.content.load()
  }

  plan(written: Written): Promise<Answer<unknown>> {
    return this.#after(plan(this.#id, written, this.elsewhere === null ? null : { zone: zoneHere() }))
  }

  change(entry: Entry, to: Written): Promise<Answer<unknown>> {
    return this.#after(change(this.#id, entry, to))
  }

  async move(entry: string, at: Date): Promise<Answer<unknown>> {
    const answer = await this.#after(moveTo(this.#id, entry, at))
    if (answer.ok) this.done = { words: text.calendar.moved(whenName(at)), fact: 'EntryMoved', entry }
    return answer
  }

  async callOff({ id, body }: Entry): Promise<Answer<unknown>> {
    const answer = await this.#after(callOff(this.#id, id))
    if (answer.ok)
      this.done = { words: `${text.calendar.cancelled} ${body}`, fact: 'EntryCancelled', entry: id }
    return answer
  }

  /** Empty: done. */
  async undo({ fact, entry }: Done): Promise<string> {
    const answer = await takeBackLast(this.#id, fact, entry)
    this.done = null
    await this.content.load()
    if (answer === null) return text.calendar.gone
    return answer.ok ? '' : answer.failure.words
  }

  async #after(asked: Promise<Answer<unknown>>): Promise<Answer<unknown>> {
    this.done = null
    const answer = await asked
    await this.content.load()
    return answer
  }
}
