/** What a persona knows, as its room shows and changes it. */
import { type Answer, failureOf } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import type { Document, Memory } from './documents.ts'

/** A statement that was forgotten here a moment ago still stands where it stood. */
interface Lately {
  readonly id: string
  /** The one it stood behind; null: it was the first. */
  readonly behind: string | null
}

export class Memories {
  readonly list: Loaded<readonly Memory[]>
  #lately = $state.raw<readonly Lately[]>([])
  readonly #id: string

  /** `at`: asked whenever it loads; a moment shows what was known then. */
  constructor(id: string, at: () => string | null) {
    this.#id = id
    this.list = new Loaded(() => memoriesAt(id, at()))
  }

  /** What it knows under a document, and what was forgotten there a moment ago. */
  under(document: Document): readonly Memory[] {
    const all = this.list.value ?? []
    const shown = all.filter((one) => one.document === document && !one.forgotten)
    for (const { id, behind } of this.#lately) {
      const gone = all.find((one) => one.id === id && one.document === document && one.forgotten)
      if (gone) shown.splice(shown.findIndex((one) => one.id === behind) + 1, 0, gone)
    }
    return shown
  }

  forgotten(): readonly Memory[] {
    return (this.list.value ?? []).filter((one) => one.forgotten && !this.isLately(one.id))
  }

  isLately(id: string): boolean {
    return this.#lately.some((one) => one.id === id)
  }

  /** `known`: it stood there already, in these words. */
  async write(document: Document, text: string): Promise<Answer<{ readonly known: boolean }>> {
    const before = new Set((this.list.value ?? []).filter((one) => !one.forgotten).map(({ id }) => id))
    const answer = await answerTo(
      client.POST('/api/persona/{persona_id}/memories', {
        params: { path: { persona_id: this.#id } },
        body: { document, text },
      }),
    )
    if (!answer.ok) return answer
    await this.list.load()
    return { ok: true, value: { known: before.has(answer.value.id) } }
  }

  correct(id: string, text: string): Promise<Answer<Memory>> {
    return this.#amend(id, { text })
  }

  forget(id: string): Promise<Answer<Memory>> {
    const one = this.list.value?.find((memory) => memory.id === id)
    const shown = one ? this.under(one.document) : []
    const place = shown.findIndex((memory) => memory.id === id)
    this.#lately = [...this.#lately, { id, behind: shown[place - 1]?.id ?? null }]
    return this.#amend(id, { forgotten: true })
  }

  async restore(id: string): Promise<Answer<Memory>> {
    const answer = await this.#amend(id, { forgotten: false })
    if (answer.ok) this.#lately = this.#lately.filter((one) => one.id !== id)
    return answer
  }

  async #amend(
    id: string,
    change: { readonly text?: string; readonly forgotten?: boolean },
  ): Promise<Answer<Memory>> {
    const answer = await answerTo(
      client.PATCH('/api/persona/{persona_id}/memories/{id}', {
        params: { path: { persona_id: this.#id, id } },
        body: change,
      }),
    )
    await this.list.load()
    return answer
  }
}

const memoriesAt = async (id: string, at: string | null): Promise<Answer<readonly Memory[]>> => {
  const path = { persona_id: id }
  const answer =
    at === null
      ? await answerTo(client.GET('/api/persona/{persona_id}/memories', { params: { path } }))
      : await answerTo(client.GET('/api/persona/{persona_id}/history', { params: { path, query: { at } } }))
  if (!answer.ok) return answer
  const { memories } = answer.value
  return Array.isArray(memories)
    ? { ok: true, value: memories }
    : { ok: false, failure: failureOf(200, null) }
}
