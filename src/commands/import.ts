/** Imports or previews conversations with another AI. */
import type { PersonaId } from '../../facts/fact-values.ts'
import { Unreadable, type UnreadableReason } from '../../packages/history-import/unreadable.ts'
import { oneLine } from '../../projections/knowledge.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import { Unanswered } from '../mind/model-retries.ts'
import { type Refusal, Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { requireListed, requireRunning } from './lifecycle.ts'
import { recordFor } from './organ-request.ts'

/** An exported file, and the name of the AI as the user gave it. */
export interface GivenHistory {
  readonly path: string
  readonly name: string
  /** For an encrypted file. */
  readonly phrase?: string | undefined
  /** The encoding of the file, if the client named it. */
  readonly charset?: string | undefined
  /** The name of the user in chats between people, if the file does not say it. */
  readonly me?: string | undefined
  readonly sha256: string
  readonly source: string
  /** Positions of conversations in the preview, from 1; default: all. */
  readonly only?: ReadonlySet<number> | undefined
}

/** A conversation in the file; `known`: it was imported before and is skipped. */
export interface ImportPreview {
  readonly title: string
  readonly messages: number
  readonly time: string | null
  readonly known: boolean
}

export interface Fed {
  readonly persona: PersonaRecord
  /** In the file, including skipped ones. */
  readonly conversations: number
  /** Sentences about the reading: guessed encodings, and a count of the parts that were left out. */
  readonly notes: readonly string[]
}

/** Remarks about the file as a whole. */
export interface PreviewRemarks {
  readonly notes: readonly string[]
  /** Names in chats between people whose user is unknown. */
  readonly people: readonly string[]
}

type Deps = Pick<CommandDeps, 'agents' | 'config' | 'histories' | 'log' | 'personas'>

/** In UTF-16 units. */
const maxSourceLength = 200

/**
 * Resolves when everything is imported. Throws Refused: not_active, too_long, spent, history_unreadable,
 * history_unknown, history_page, history_locked, history_ended_twice, history_unanalyzed.
 */
export const feedHistory = (
  deps: Deps,
  id: PersonaId,
  history: GivenHistory,
  disconnectSignal: AbortSignal,
): Promise<Fed> =>
  withHistory(deps, id, history, disconnectSignal, async (source) => {
    const { agents, config, personas } = deps
    const notes: string[] = []
    const onNote = (note: string) => void notes.push(note)
    const conversations = await agents.feed(id, { ...history, source, onNote, disconnectSignal })
    return {
      persona: await recordFor(personas, requireListed(personas, id).self, config.urls),
      conversations,
      notes,
    }
  })

/**
 * Streams the conversations, so that long lists fit in memory. Throws like `feedHistory`, before the first
 * line.
 */
export const previewHistory = (
  deps: Deps,
  id: PersonaId,
  history: GivenHistory,
  disconnectSignal: AbortSignal,
  show: (lines: AsyncIterable<ImportPreview>, remarks: PreviewRemarks) => Promise<void>,
): Promise<void> =>
  withHistory(deps, id, history, disconnectSignal, async () => {
    const { histories, personas } = deps
    const open = await histories.open({
      id,
      path: history.path,
      name: history.name,
      phrase: history.phrase,
      charset: history.charset,
      me: history.me,
      sha256: history.sha256,
      as: 'previews',
      signal: disconnectSignal,
    })
    try {
      const { readFed } = await import('../../packages/history-import/fed.ts')
      const knownLines = await personas.read(id, ({ journal }) => readFed(journal))
      const lines = async function* () {
        for await (const line of open.lines()) {
          const { title, messages, time } = line
          yield { title, messages, time, known: knownLines.has(line) }
          knownLines.add(line)
        }
      }
      await show(lines(), { notes: open.notes, people: open.people })
    } finally {
      await open.close()
    }
  })

const withHistory = async <T>(
  { agents, log }: Deps,
  id: PersonaId,
  history: GivenHistory,
  disconnectSignal: AbortSignal,
  work: (source: string) => Promise<T>,
): Promise<T> => {
  await requireRunning(agents, id)
  const source = oneLine(history.source)
  if (source.length > maxSourceLength)
    throw new Refused({ code: 'too_long', what: 'source', most: maxSourceLength })
  try {
    return await work(source)
  } catch (error) {
    if (!disconnectSignal.aborted) log.warn({ id, err: error }, 'failed to import a history')
    throw toRefusal(error, disconnectSignal)
  }
}

/** An interrupted import is `history_unanalyzed`. Errors of the disk or of the daemon stay as they are. */
const toRefusal = (error: unknown, disconnectSignal: AbortSignal): unknown => {
  if (error instanceof Unreadable) return new Refused({ code: toCode(error) })
  const isCutOff =
    disconnectSignal.aborted || error instanceof Unanswered || (error instanceof Refused && wasStopped(error))
  return isCutOff ? new Refused({ code: 'history_unanalyzed' }) : error
}

const codes = {
  unknown_form: 'history_unknown',
  no_history: 'history_unknown',
  web_page: 'history_page',
  locked: 'history_locked',
  ended_twice: 'history_ended_twice',
} as const satisfies Partial<Record<UnreadableReason, Refusal['code']>>

const toCode = ({ reason }: Unreadable) =>
  reason in codes ? codes[reason as keyof typeof codes] : 'history_unreadable'

/** The persona was stopped, restarted or deleted during the import. */
const wasStopped = ({ refusal: { code } }: Refused): boolean =>
  code === 'life_over' || code === 'persona_unknown'
