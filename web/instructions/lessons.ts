/** Builds the list of learned instructions from their facts. */
import type { Answer } from '../shared/answer.ts'
import { answerTo, client } from '../shared/client.ts'
import { type JournalLine, readJournal } from '../shared/journal-lines.ts'
import { type Shape, toText } from '../shared/shapes.ts'

export type BuiltIn = Pick<Shape<'Knowledge'>['instruction'][number], 'intention' | 'body'>

export interface Lesson {
  readonly id: string
  readonly intention: string
  readonly body: string
  /** The text before its last change; null if it never changed. */
  readonly previousText: string | null
  readonly isDropped: boolean
  /** The sequence number of its last fact, which can be undone. */
  readonly seq: number
  readonly time: string
  /** The sequence numbers of all its facts. */
  readonly facts: readonly number[]
}

export interface Instructions {
  readonly builtIn: readonly BuiltIn[]
  /** In the order in which they were learned, including the removed ones. */
  readonly lessons: readonly Lesson[]
}

const types = 'InstructionLearned,InstructionRevised,InstructionRemoved'

export const instructionsAt = async (id: string, moment: string | null): Promise<Answer<Instructions>> => {
  const path = { persona_id: id }
  const listedLessons =
    moment === null
      ? await answerTo(client.GET('/api/persona/{persona_id}/knowledge', { params: { path } }))
      : await answerTo(
          client.GET('/api/persona/{persona_id}/history', { params: { path, query: { at: moment } } }),
        )
  if (!listedLessons.ok) return listedLessons
  const { instruction } =
    'knowledge' in listedLessons.value ? listedLessons.value.knowledge : listedLessons.value
  const upto = 'at' in listedLessons.value ? { upto: listedLessons.value.at.seq } : {}
  const journal = await readJournal(id, { type: types, ...upto })
  if (!journal.ok) return journal
  return {
    ok: true,
    value: {
      builtIn: instruction.filter(({ source }) => source === 'builtin'),
      lessons: toLessons(journal.value.lines),
    },
  }
}

const toLessons = (facts: readonly JournalLine[]): readonly Lesson[] => {
  const lessons = new Map<string, Lesson>()
  for (const { seq, at, type, payload } of facts) {
    // The text was erased.
    if (!payload) continue
    const id = toText(payload.id)
    const old = lessons.get(id)
    const latest = { seq, time: at, facts: [...(old?.facts ?? []), seq] }
    if (type === 'InstructionLearned') {
      const intention = toText(payload.intention)
      const body = toText(payload.body)
      lessons.set(id, { id, intention, body, previousText: null, isDropped: false, ...latest })
    } else if (old && type === 'InstructionRevised')
      lessons.set(id, { ...old, body: toText(payload.body), previousText: old.body, ...latest })
    else if (old && type === 'InstructionRemoved') lessons.set(id, { ...old, isDropped: true, ...latest })
  }
  return [...lessons.values()]
}
