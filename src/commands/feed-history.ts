/** Feed: the conversations with another AI are gone over, or only told. */
import type { PersonaId } from '../../journal/facts/fact-values.ts'
import { oneLine } from '../../projections/knowledge.ts'
import type { PersonaRecord } from '../../projections/persona-record.ts'
import { Unreadable, type UnreadableReason } from '../mind/import/unreadable.ts'
import { Unanswered } from '../mind/think.ts'
import { type Refusal, Refused } from '../persona/refusals.ts'
import type { CommandDeps } from './command-deps.ts'
import { known } from './known.ts'
import { recordFor } from './organ-keys.ts'
import { served } from './running.ts'

/** A file that an AI exported, and which one, as the person calls it. */
export interface GivenHistory {
  readonly path: string
  readonly name: string
  /** The words that open it, where it is locked. */
  readonly phrase?: string | undefined
  readonly sha256: string
  readonly source: string
  /** Places of its conversations as the preview has them, the first is 1; without it all of them. */
  readonly only?: ReadonlySet<number> | undefined
}

/** A conversation in it; `known`: it was gone over already, and will not be again. */
export interface Previewed {
  readonly title: string
  readonly messages: number
  readonly time: string | null
  readonly known: boolean
}

export interface Fed {
  readonly persona: PersonaRecord
  /** In the file, those that were left out included. */
  readonly conversations: number
  /** Sentences about the reading: encodings that were guessed, and what was left out. */
  readonly notes: readonly string[]
}

type Deps = Pick<CommandDeps, 'agents' | 'config' | 'histories' | 'log' | 'personas'>

/** UTF-16 units of what an AI is called. */
const longestSource = 200

/**
 * Resolves when all of it is gone over. Refused: not_active, too_long, spent, history_unreadable,
 * history_unknown, history_page, history_locked, history_ended_twice, history_unanalyzed.
 */
export const feedHistory = (
  deps: Deps,
  id: PersonaId,
  history: GivenHistory,
  gone: AbortSignal,
): Promise<Fed> =>
  goingOver(deps, id, history, gone, async (source) => {
    const { agents, config, personas } = deps
    const notes: string[] = []
    const onNote = (note: string) => void notes.push(note)
    const conversations = await agents.feed(id, { ...history, source, onNote, gone })
    return { persona: await recordFor(personas, known(personas, id).self, config.urls), conversations, notes }
  })

/**
 * Hands over what is in it, line by line: no list of any length has to be held. What is damaged further on is
 * refused before any. The same refusals.
 */
export const previewHistory = (
  deps: Deps,
  id: PersonaId,
  history: GivenHistory,
  gone: AbortSignal,
  show: (lines: AsyncIterable<Previewed>, notes: readonly string[]) => Promise<void>,
): Promise<void> =>
  goingOver(deps, id, history, gone, async () => {
    const { histories, personas } = deps
    const open = await histories.open({
      id,
      path: history.path,
      name: history.name,
      phrase: history.phrase,
      sha256: history.sha256,
      as: 'previews',
      signal: gone,
    })
    try {
      const { readFed } = await import('../mind/import/fed.ts')
      const before = await personas.read(id, ({ journal }) => readFed(journal))
      const lines = async function* () {
        for await (const line of open.lines()) {
          const { title, messages, time } = line
          yield { title, messages, time, known: before.has(line) }
          before.add(line)
        }
      }
      await show(lines(), open.notes)
    } finally {
      await open.close()
    }
  })

const goingOver = async <T>(
  { agents, log }: Deps,
  id: PersonaId,
  history: GivenHistory,
  gone: AbortSignal,
  work: (source: string) => Promise<T>,
): Promise<T> => {
  await served(agents, id)
  const source = oneLine(history.source)
  if (source.length > longestSource)
    throw new Refused({ code: 'too_long', what: 'source', most: longestSource })
  try {
    return await work(source)
  } catch (error) {
    if (!gone.aborted) log.warn({ id, err: error }, 'a history could not be fed')
    throw refusalOf(error, gone)
  }
}

/**
 * What was not gone over to its end is told in the contract's two sentences; what is wrong with the disk, or
 * with us, as ever.
 */
const refusalOf = (error: unknown, gone: AbortSignal): unknown => {
  if (error instanceof Unreadable) return new Refused({ code: codeOf(error) })
  const cut = gone.aborted || error instanceof Unanswered || (error instanceof Refused && isOver(error))
  return cut ? new Refused({ code: 'history_unanalyzed' }) : error
}

const codes = {
  unknown_form: 'history_unknown',
  no_history: 'history_unknown',
  web_page: 'history_page',
  locked: 'history_locked',
  ended_twice: 'history_ended_twice',
} as const satisfies Partial<Record<UnreadableReason, Refusal['code']>>

const codeOf = ({ reason }: Unreadable) =>
  reason in codes ? codes[reason as keyof typeof codes] : 'history_unreadable'

/** Stopped, restarted or deleted in the middle of it. */
const isOver = ({ refusal: { code } }: Refused): boolean => code === 'life_over' || code === 'persona_unknown'
