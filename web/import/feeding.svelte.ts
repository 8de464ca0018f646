/**
 * An exported history on its way into a persona's memory: looked at, chosen from, gone over. It goes on while
 * the person is in another room, and ends with the page.
 */
import { SvelteSet } from 'svelte/reactivity'
import { type Failure, failureOf } from '../shared/answer.ts'
import type { Shape } from '../shared/client.ts'
import { readJournal } from '../shared/journal-lines.ts'
import { fieldsOf } from '../shared/shapes.ts'
import { hear } from '../shared/system-line.ts'
import { upload } from '../talk/upload.ts'

type Preview = Shape<'ConversationPreview'>

export interface Conversation extends Preview {
  /** Its place in the file, from 1 on. */
  readonly place: number
}

/** What was new in it. */
export interface Gained {
  readonly conversations: number
  readonly statements: number
}

export class Feeding {
  phase = $state<'none' | 'reading' | 'chosen' | 'feeding' | 'ended'>('none')
  file = $state.raw<File | null>(null)
  /** What has left this browser, from 0 to 1. */
  sent = $state(0)
  /** Those that are gone over, of those that were chosen; null until the daemon tells. */
  far = $state.raw<{ readonly done: number; readonly total: number } | null>(null)
  conversations = $state.raw<readonly Conversation[]>([])
  /** Null where the journal could not be asked. */
  gained = $state.raw<Gained | null>(null)
  failure = $state.raw<Failure | null>(null)
  /** Sentences of the daemon about the file: guessed encodings, and what was left out. */
  notes = $state.raw<readonly string[]>([])
  /** Names in chats between people whose user the file does not say. */
  people = $state.raw<readonly string[]>([])
  /** The one of them that is the user; empty if it was not said. */
  me = $state('')
  /** The words that open a diary; they go with it. */
  phrase = $state('')
  readonly chosen = new SvelteSet<number>()
  readonly #id: string
  #going = new AbortController()

  constructor(id: string) {
    this.#id = id
  }

  get unknown(): readonly Conversation[] {
    return this.conversations.filter(({ known }) => !known)
  }

  /** What is in the file; nothing of it is taken. */
  async read(file: File): Promise<void> {
    this.people = []
    this.me = ''
    await this.#preview(file)
  }

  /** Reads the file again with the name of the user. */
  async identify(name: string): Promise<void> {
    this.me = name
    if (this.file) await this.#preview(this.file)
  }

  async #preview(file: File): Promise<void> {
    this.phase = 'reading'
    this.file = file
    const answer = await this.#send(file, { source: 'preview' }, '?preview=1')
    if (!answer) return
    if (!answer.ok) {
      this.phase = 'none'
      return
    }
    this.conversations = conversationsOf(answer.body)
    this.notes = stringsOf(answer.body, 'notes')
    // With a name the daemon does not ask any more, and the choice can still be changed.
    if (this.me === '') this.people = stringsOf(answer.body, 'people')
    this.chosen.clear()
    for (const { place } of this.unknown) this.chosen.add(place)
    this.phase = 'chosen'
  }

  /** Those that were chosen are gone over; what was done before it ended early stays. */
  async feed(source: string): Promise<void> {
    const { file } = this
    if (!file || this.chosen.size === 0) return
    this.phase = 'feeding'
    this.far = null
    this.gained = null
    const before = await readJournal(this.#id, { last: 1 })
    const unhear = hear((frame) => {
      if (frame.type === 'feeding' && frame.of === this.#id) this.far = frame
    })
    const all = this.chosen.size === this.conversations.length
    const only = all ? {} : { only: [...this.chosen].sort((one, other) => one - other).join(',') }
    const answer = await this.#send(file, { source, ...only })
    unhear()
    const from = before.ok ? before.value.lines.at(-1)?.seq : undefined
    this.gained = from === undefined ? null : await gainedSince(this.#id, from)
    if (!answer) this.failure = null
    if (answer?.ok) this.notes = stringsOf(answer.body, 'notes')
    this.phase = 'ended'
  }

  /** What goes on ends here. */
  stop(): void {
    this.#going.abort()
    if (this.phase === 'reading') this.leave()
  }

  leave(): void {
    this.phase = 'none'
    this.file = null
    this.phrase = ''
    this.people = []
    this.me = ''
    this.conversations = []
    this.notes = []
    this.chosen.clear()
    this.failure = null
    this.gained = null
  }

  /** Null where it was stopped by the person. */
  async #send(
    file: File,
    fields: Readonly<Record<string, string>>,
    query = '',
  ): Promise<{ readonly ok: boolean; readonly body: unknown } | null> {
    this.failure = null
    this.sent = 0
    const going = new AbortController()
    this.#going = going
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    if (/\.diary$/i.test(file.name) && this.phrase !== '') form.append('phrase', this.phrase)
    if (this.me !== '') form.append('me', this.me)
    form.append('history', file, file.name)
    addEventListener('beforeunload', ask)
    const { status, body } = await upload(
      `/api/persona/${encodeURIComponent(this.#id)}/feed${query}`,
      form,
      {},
      {
        onProgress: (share) => {
          this.sent = share
        },
        signal: going.signal,
        patience: forEver,
      },
    )
    removeEventListener('beforeunload', ask)
    if (going.signal.aborted) return null
    const answer = jsonOf(body)
    const ok = status !== null && status < 400
    if (!ok) this.failure = failureOf(status, answer)
    return { ok, body: answer }
  }
}

/** Milliseconds: no history takes longer, and no timer counts further. */
const forEver = 2 ** 31 - 1

/** Whoever closes the page ends it. */
const ask = (event: BeforeUnloadEvent) => event.preventDefault()

const conversationsOf = (body: unknown): readonly Conversation[] => {
  const { conversations } = fieldsOf(body)
  return Array.isArray(conversations)
    ? conversations.map((one: Preview, at) => ({ ...one, place: at + 1 }))
    : []
}

const stringsOf = (body: unknown, field: 'notes' | 'people'): readonly string[] => {
  const list = fieldsOf(body)[field]
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

const gainedSince = async (id: string, after: number): Promise<Gained | null> => {
  const answer = await readJournal(id, { after, type: 'HistoryFed,MemoryKept' })
  if (!answer.ok) return null
  const of = (type: string) => answer.value.lines.filter((line) => line.type === type)
  const learned = of('MemoryKept').filter(({ payload }) => payload?.origin === 'history')
  return { conversations: of('HistoryFed').length, statements: learned.length }
}

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const feedings = new Map<string, Feeding>()

/** The one of this persona, also after its room was left and entered again. */
export const feedingOf = (id: string): Feeding => {
  const feeding = feedings.get(id) ?? new Feeding(id)
  feedings.set(id, feeding)
  return feeding
}
