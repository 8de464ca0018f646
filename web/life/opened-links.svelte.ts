/** The causes or the effects of an event, which are loaded when the user opens them. */
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import type { Shape } from '../shared/shapes.ts'

export type Direction = 'causes' | 'effects'
type Graph = Shape<'CauseGraph'>

export class OpenedLinks {
  open = $state(false)
  readonly seq: number
  readonly direction: Direction
  /** The sentence of the event if it is one of a list; else null. */
  readonly of: string | null
  readonly graph: Loaded<Graph>
  /** The messages at the end of the way, however far. */
  readonly messages: Loaded<Graph>
  readonly #id: string
  readonly #next = new Map<number, OpenedLinks>()

  constructor(id: string, seq: number, direction: Direction, of: string | null = null) {
    this.#id = id
    this.seq = seq
    this.direction = direction
    this.of = of
    this.graph = new Loaded(() => this.#ask({ depth: 1 }))
    this.messages = new Loaded(() => this.#ask({ depth: 20, kinds: 'MessageHeard' }))
  }

  toggle(): void {
    this.open = !this.open
    if (!this.open) return
    void this.graph.load()
    if (this.direction === 'causes' && this.of === null) void this.messages.load()
  }

  /** Returns the links of an event in this list. */
  next(seq: number, of: string): OpenedLinks {
    const links = this.#next.get(seq) ?? new OpenedLinks(this.#id, seq, this.direction, of)
    this.#next.set(seq, links)
    return links
  }

  #ask(query: { readonly depth: number; readonly kinds?: string }) {
    const params = { path: { persona_id: this.#id, seq: String(this.seq) }, query }
    return this.direction === 'causes'
      ? answerTo(client.GET('/api/persona/{persona_id}/journal/{seq}/causes', { params }))
      : answerTo(client.GET('/api/persona/{persona_id}/journal/{seq}/effects', { params }))
  }
}
