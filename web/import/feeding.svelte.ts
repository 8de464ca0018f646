/**
 * Imports an exported history into a persona's memory: preview, selection, import. It continues while the
 * user is in another room, and stops when the page is closed.
 */
import { SvelteSet } from 'svelte/reactivity'
import { type Failure, readFailure } from '../shared/answer.ts'
import { readJournal } from '../shared/journal-lines.ts'
import { type Shape, toFields } from '../shared/shapes.ts'
import { subscribe } from '../shared/system-line.ts'
import { upload } from '../talk/upload.ts'

type Preview = Shape<'ConversationPreview'>

export interface Conversation extends Preview {
  /** Its position in the file, starting at 1. */
  readonly place: number
}

/** Number of conversations that were imported and of statements that were learned. */
export interface ImportResult {
  readonly conversations: number
  readonly statements: number
}

export class Feeding {
  phase = $state<'none' | 'reading' | 'chosen' | 'feeding' | 'ended'>('none')
  file = $state.raw<File | null>(null)
  /** Upload progress from 0 to 1. */
  sent = $state(0)
  /** Progress of the import in conversations. Null until the daemon reports it. */
  progress = $state.raw<{ readonly done: number; readonly total: number } | null>(null)
  conversations = $state.raw<readonly Conversation[]>([])
  /** Null if the journal could not be read. */
  result = $state.raw<ImportResult | null>(null)
  failure = $state.raw<Failure | null>(null)
  /** Notes of the daemon about the file, such as guessed encodings and omitted parts. */
  notes = $state.raw<readonly string[]>([])
  /** Names in chats between people, if the file does not say who the user is. */
  people = $state.raw<readonly string[]>([])
  /** The chosen name of the user. Empty if none is chosen. */
  ownName = $state('')
  /** The recovery words that decrypt a diary. They are sent with the file. */
  phrase = $state('')
  readonly chosenIndexes = new SvelteSet<number>()
  readonly #id: string
  #going = new AbortController()

  constructor(id: string) {
    this.#id = id
  }

  get newConversations(): readonly Conversation[] {
    return this.conversations.filter(({ known }) => !known)
  }

  /** Loads a preview of the file. Nothing is imported. */
  async read(file: File): Promise<void> {
    this.people = []
    this.ownName = ''
    await this.#preview(file)
  }

  /** Reads the file again with the name of the user. */
  async identify(name: string): Promise<void> {
    this.ownName = name
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
    this.conversations = toConversations(answer.body)
    this.notes = getStrings(answer.body, 'notes')
    // With a name the daemon does not ask again. The choice can still be changed.
    if (this.ownName === '') this.people = getStrings(answer.body, 'people')
    this.chosenIndexes.clear()
    for (const { place } of this.newConversations) this.chosenIndexes.add(place)
    this.phase = 'chosen'
  }

  /** Imports the selected conversations. An import that is stopped early keeps its results so far. */
  async start(source: string): Promise<void> {
    const { file } = this
    if (!file || this.chosenIndexes.size === 0) return
    this.phase = 'feeding'
    this.progress = null
    this.result = null
    const latestFact = await readJournal(this.#id, { last: 1 })
    const unsubscribe = subscribe((frame) => {
      if (frame.type === 'feeding' && frame.of === this.#id) this.progress = frame
    })
    const all = this.chosenIndexes.size === this.conversations.length
    const selection = all ? {} : { only: [...this.chosenIndexes].sort((a, b) => a - b).join(',') }
    const answer = await this.#send(file, { source, ...selection })
    unsubscribe()
    const lastSeq = latestFact.ok ? latestFact.value.lines.at(-1)?.seq : undefined
    this.result = lastSeq === undefined ? null : await loadResult(this.#id, lastSeq)
    if (!answer) this.failure = null
    if (answer?.ok) this.notes = getStrings(answer.body, 'notes')
    this.phase = 'ended'
  }

  /** Cancels the running step. */
  stop(): void {
    this.#going.abort()
    if (this.phase === 'reading') this.leave()
  }

  leave(): void {
    this.phase = 'none'
    this.file = null
    this.phrase = ''
    this.people = []
    this.ownName = ''
    this.conversations = []
    this.notes = []
    this.chosenIndexes.clear()
    this.failure = null
    this.result = null
  }

  /** Resolves to null if the user cancelled the request. */
  async #send(
    file: File,
    fields: Readonly<Record<string, string>>,
    query = '',
  ): Promise<{ readonly ok: boolean; readonly body: unknown } | null> {
    this.failure = null
    this.sent = 0
    const aborter = new AbortController()
    this.#going = aborter
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    if (/\.diary$/i.test(file.name) && this.phrase !== '') form.append('phrase', this.phrase)
    if (this.ownName !== '') form.append('me', this.ownName)
    form.append('history', file, file.name)
    addEventListener('beforeunload', askBeforeUnload)
    const { status, body, getHeader } = await upload(
      `/api/persona/${encodeURIComponent(this.#id)}/feed${query}`,
      form,
      {},
      {
        onProgress: (share) => {
          this.sent = share
        },
        signal: aborter.signal,
        timeoutMs: noTimeoutMs,
      },
    )
    removeEventListener('beforeunload', askBeforeUnload)
    if (aborter.signal.aborted) return null
    const answer = parseJson(body)
    const ok = status !== null && status < 400
    if (!ok) this.failure = readFailure(status, answer, getHeader)
    return { ok, body: answer }
  }
}

/** Milliseconds. The longest delay that a timer supports: an import has no timeout. */
const noTimeoutMs = 2 ** 31 - 1

/** Asks for confirmation, because closing the page stops the import. */
const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()

const toConversations = (body: unknown): readonly Conversation[] => {
  const { conversations } = toFields(body)
  return Array.isArray(conversations)
    ? conversations.map((preview: Preview, index) => ({ ...preview, place: index + 1 }))
    : []
}

const getStrings = (body: unknown, field: 'notes' | 'people'): readonly string[] => {
  const list = toFields(body)[field]
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

const loadResult = async (id: string, afterSeq: number): Promise<ImportResult | null> => {
  const answer = await readJournal(id, { after: afterSeq, type: 'HistoryFed,MemoryKept' })
  if (!answer.ok) return null
  const getLines = (type: string) => answer.value.lines.filter((line) => line.type === type)
  const learnedFacts = getLines('MemoryKept').filter(({ payload }) => payload?.origin === 'history')
  return { conversations: getLines('HistoryFed').length, statements: learnedFacts.length }
}

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

const feedingsById = new Map<string, Feeding>()

/** Returns the persona's import, which outlives its room. */
export const getFeeding = (id: string): Feeding => {
  const feeding = feedingsById.get(id) ?? new Feeding(id)
  feedingsById.set(id, feeding)
  return feeding
}
