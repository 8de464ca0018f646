/** The state and the actions of a persona's memory room. */
import { type Answer, readFailure } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { Loaded } from '../shared/loaded.svelte.ts'
import type { Dates, Document, Memory, Proposal } from './documents.ts'

/** A statement that the user has just forgotten. It keeps its place in the list. */
interface RecentlyForgotten {
  readonly id: string
  /** The id of the statement before it; null if it was the first. */
  readonly previousId: string | null
}

/** The statements, and the proposals of programs. A past moment has no proposals. */
interface Book {
  readonly memories: readonly Memory[]
  readonly proposed: readonly Proposal[]
}

export class Memories {
  readonly loadedBook: Loaded<Book>
  #lately = $state.raw<readonly RecentlyForgotten[]>([])
  readonly #id: string

  /** `at` is called on every load. It returns the moment to show, or null for now. */
  constructor(id: string, getMoment: () => string | null) {
    this.#id = id
    this.loadedBook = new Loaded(() => loadBook(id, getMoment()))
  }

  /** Returns the statements of a document, including those that were just forgotten. */
  listOfDocument(document: Document): readonly Memory[] {
    const all = this.#all()
    const visibleMemories = all.filter((memory) => memory.document === document && !memory.forgotten)
    for (const { id, previousId } of this.#lately) {
      const forgottenMemory = all.find(
        (memory) => memory.id === id && memory.document === document && memory.forgotten,
      )
      if (forgottenMemory)
        visibleMemories.splice(
          visibleMemories.findIndex((memory) => memory.id === previousId) + 1,
          0,
          forgottenMemory,
        )
    }
    return visibleMemories
  }

  listForgotten(): readonly Memory[] {
    return this.#all().filter((memory) => memory.forgotten && !this.isLately(memory.id))
  }

  isLately(id: string): boolean {
    return this.#lately.some((entry) => entry.id === id)
  }

  /** Adds a statement. `known` is true if the document already has it. */
  async write(document: Document, text: string): Promise<Answer<{ readonly isKnown: boolean }>> {
    const previousIds = new Set(
      this.#all()
        .filter((memory) => !memory.forgotten)
        .map(({ id }) => id),
    )
    const answer = await answerTo(
      client.POST('/api/persona/{persona_id}/memories', {
        params: { path: { persona_id: this.#id } },
        body: { document, text },
      }),
    )
    if (!answer.ok) return answer
    await this.loadedBook.load()
    return { ok: true, value: { isKnown: previousIds.has(answer.value.id) } }
  }

  correct(id: string, text: string, dates: Dates): Promise<Answer<Memory>> {
    return this.#amend(id, { text, ...dates })
  }

  pin(id: string, isPinned: boolean): Promise<Answer<Memory>> {
    return this.#amend(id, { pinned: isPinned })
  }

  forget(id: string): Promise<Answer<Memory>> {
    const target = this.#all().find((memory) => memory.id === id)
    const visibleMemories = target ? this.listOfDocument(target.document) : []
    const place = visibleMemories.findIndex((memory) => memory.id === id)
    this.#lately = [...this.#lately, { id, previousId: visibleMemories[place - 1]?.id ?? null }]
    return this.#amend(id, { forgotten: true })
  }

  async restore(id: string): Promise<Answer<Memory>> {
    const answer = await this.#amend(id, { forgotten: false })
    if (answer.ok) this.#lately = this.#lately.filter((entry) => entry.id !== id)
    return answer
  }

  /** Accepts or declines a proposal. */
  async settle(id: string, isAccepted: boolean): Promise<Answer<unknown>> {
    const answer = await answerTo(
      client.PATCH('/api/persona/{persona_id}/proposals/{id}', {
        params: { path: { persona_id: this.#id, id } },
        body: { accepted: isAccepted },
      }),
    )
    await this.loadedBook.load()
    return answer
  }

  #all(): readonly Memory[] {
    return this.loadedBook.value?.memories ?? []
  }

  async #amend(
    id: string,
    change: Partial<Dates> & {
      readonly text?: string
      readonly forgotten?: boolean
      readonly pinned?: boolean
    },
  ): Promise<Answer<Memory>> {
    const answer = await answerTo(
      client.PATCH('/api/persona/{persona_id}/memories/{id}', {
        params: { path: { persona_id: this.#id, id } },
        body: change,
      }),
    )
    await this.loadedBook.load()
    return answer
  }
}

const loadBook = async (id: string, moment: string | null): Promise<Answer<Book>> => {
  const path = { persona_id: id }
  if (moment === null) {
    const current = await answerTo(client.GET('/api/persona/{persona_id}/memories', { params: { path } }))
    return current.ok ? toBook(current.value.memories, current.value.proposed) : current
  }
  const pastAnswer = await answerTo(
    client.GET('/api/persona/{persona_id}/history', { params: { path, query: { at: moment } } }),
  )
  return pastAnswer.ok ? toBook(pastAnswer.value.memories, []) : pastAnswer
}

const toBook = (memories: unknown, proposals: unknown): Answer<Book> =>
  Array.isArray(memories) && Array.isArray(proposals)
    ? { ok: true, value: { memories, proposed: proposals } }
    : { ok: false, failure: readFailure(200, null) }
