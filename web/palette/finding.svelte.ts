/** Searches everything of one or all personas while the user types. */

import { inRoom, type Place, type Room } from '../shared/address.ts'
import type { Failure } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import type { Persona, Shape } from '../shared/shapes.ts'

export type Hit = Shape<'Found'>

export interface Found {
  readonly persona: Persona
  readonly hits: readonly Hit[]
  readonly more: boolean
}

/** Milliseconds without a key press before the search starts. */
const pauseMs = 180
const maxHitsOfOne = 12
const maxHitsOfEach = 5

export class Finding {
  results = $state.raw<readonly Found[]>([])
  failure = $state.raw<Failure | null>(null)
  /** True while a search is pending or running. */
  busy = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0

  /** Starts a search. Empty text clears the results. */
  search(text: string, personas: readonly Persona[]): void {
    clearTimeout(this.#timer)
    this.#asked += 1
    const request = this.#asked
    const isWanted = text.trim() !== '' && personas.length > 0
    this.busy = isWanted
    if (!isWanted) {
      this.results = []
      this.failure = null
      return
    }
    this.#timer = setTimeout(() => void this.#ask(request, text.slice(0, 500), personas), pauseMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#asked += 1
  }

  async #ask(request: number, q: string, personas: readonly Persona[]): Promise<void> {
    const limit = personas.length === 1 ? maxHitsOfOne : maxHitsOfEach
    const answers = await Promise.all(
      personas.map(async (persona) => ({
        persona,
        answer: await answerTo(
          client.GET('/api/persona/{persona_id}/search', {
            params: { path: { persona_id: persona.id }, query: { q, limit } },
          }),
        ),
      })),
    )
    if (request !== this.#asked) return
    this.busy = false
    this.results = answers.flatMap(({ persona, answer }) =>
      answer.ok && answer.value.found.length > 0
        ? [{ persona, hits: answer.value.found, more: answer.value.has_more }]
        : [],
    )
    // The results of the other personas are shown nevertheless.
    this.failure = answers.map(({ answer }) => (answer.ok ? null : answer.failure)).find(Boolean) ?? null
  }
}

/** Returns the address of a result. */
export const toPlace = (id: string, hit: Hit): Place => {
  if (hit.message !== null) return inRoom('talk', id, { record: hit.message })
  return inRoom(roomFor[hit.kind], id, { record: hit.id })
}

const roomFor: Readonly<Record<Hit['kind'], Room>> = {
  said: 'talk',
  file: 'talk',
  memory: 'memory',
  plan: 'calendar',
  instruction: 'instructions',
  day: 'calendar',
  history: 'life',
}

export interface Stretch {
  readonly words: string
  readonly hit: boolean
}

/** Splits a text so that words that start with a search word are separate stretches. */
export const stretches = (text: string, prefixes: readonly string[]): readonly Stretch[] => {
  const toPlainText = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return text
    .split(/([\p{L}\p{N}\p{M}]+)/u)
    .filter((part) => part !== '')
    .map((part) => ({ words: part, hit: prefixes.some((prefix) => toPlainText(part).startsWith(prefix)) }))
}
