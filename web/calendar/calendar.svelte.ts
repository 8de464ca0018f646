/** The state and the actions of a persona's calendar room. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import { whenName } from '../shared/moments.ts'
import { undoLastFact } from '../shared/undo-fact.ts'
import { calendarText } from '../strings/calendar-words.ts'
import {
  type Content,
  cancelEntry,
  change,
  type Entry,
  type EntryInput,
  endOfTime,
  loadContent,
  loadPastContent,
  moveTo,
  plan,
  type View,
} from './calendar-entries.ts'
import { addStep, getAgendaStart, getSpan, isOtherZone, zoneHere } from './spans.ts'

/** The last change, which can be undone. */
interface LastChange {
  readonly words: string
  readonly fact: 'EntryMoved' | 'EntryCancelled'
  readonly entry: string
}

/** The view that the user chose. All calendars share it until the page is reloaded. */
let chosenView = $state<View>('agenda')

export class Calendar {
  readonly content: Loaded<Content>
  /** A day of the displayed week or month. */
  day = $state.raw(new Date())
  /** Number of 28-day steps that the agenda reaches back. */
  steps = $state(1)
  lastChange = $state.raw<LastChange | null>(null)
  /** The daemon's time zone if its clock differs from the local one, else null. */
  otherZone = $state<string | null>(null)
  readonly #id: string

  constructor(id: string, getMoment: () => string | null) {
    this.#id = id
    this.content = new Loaded(() => {
      const moment = getMoment()
      if (moment !== null) return loadPastContent(id, moment)
      return loadContent(
        id,
        chosenView === 'agenda'
          ? { from: getAgendaStart(new Date(), this.steps), to: endOfTime }
          : getSpan(chosenView, this.day),
      )
    })
    void answerTo(client.GET('/api/health')).then((answer) => {
      if (answer.ok && isOtherZone(answer.value.zone)) this.otherZone = answer.value.zone
    })
  }

  get view(): View {
    return chosenView
  }

  show(view: View): void {
    chosenView = view
    void this.content.load()
  }

  goTo(day: Date): void {
    this.day = day
    void this.content.load()
  }

  step(direction: 1 | -1): void {
    this.goTo(addStep(chosenView, this.day, direction))
  }

  loadMore(): void {
    this.steps += 1
    void this.content.load()
  }

  plan(input: EntryInput): Promise<Answer<unknown>> {
    return this.#after(plan(this.#id, input, this.otherZone === null ? null : { zone: zoneHere() }))
  }

  change(entry: Entry, input: EntryInput): Promise<Answer<unknown>> {
    return this.#after(change(this.#id, entry, input))
  }

  async move(entry: string, moment: Date): Promise<Answer<unknown>> {
    const answer = await this.#after(moveTo(this.#id, entry, moment))
    if (answer.ok)
      this.lastChange = { words: calendarText.calendar.moved(whenName(moment)), fact: 'EntryMoved', entry }
    return answer
  }

  async cancel({ id, body }: Entry): Promise<Answer<unknown>> {
    const answer = await this.#after(cancelEntry(this.#id, id))
    if (answer.ok)
      this.lastChange = {
        words: `${calendarText.calendar.cancelled} ${body}`,
        fact: 'EntryCancelled',
        entry: id,
      }
    return answer
  }

  /** Resolves to an error message, or to an empty string on success. */
  async undo({ fact, entry }: LastChange): Promise<string> {
    const answer = await undoLastFact(this.#id, fact, entry)
    this.lastChange = null
    await this.content.load()
    if (answer === null) return calendarText.calendar.gone
    return answer.ok ? '' : answer.failure.message
  }

  async #after(request: Promise<Answer<unknown>>): Promise<Answer<unknown>> {
    this.lastChange = null
    const answer = await request
    await this.content.load()
    return answer
  }
}
