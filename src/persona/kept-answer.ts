/** Loads the answer of a model. Long answers are stored beside the journal. */
import * as z from 'zod'
import { Answer } from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import type { Journal } from '../../journal/log/journal.ts'
import type { Opaque } from '../../packages/models/mind.ts'

/** Returns null if another fact holds the answer or it is lost. */
export const keptAnswer = async (
  journal: Pick<Journal, 'part'>,
  { answer }: Pick<EventOf<'ModelAnswered'>, 'answer'>,
): Promise<Answer | null> => {
  if (!answer || !('part' in answer)) return answer
  const bytes = await journal.part(answer.part)
  return bytes ? Answer.parse(JSON.parse(Buffer.from(bytes).toString())) : null
}

const KeptOpaque = z.strictObject({ for: z.string(), data: z.unknown() })

/** Undefined if there was none, or if it is kept no longer. */
export const keptOpaque = async (
  journal: Pick<Journal, 'part'>,
  { opaque }: Pick<EventOf<'ModelAnswered'>, 'opaque'>,
): Promise<Opaque | undefined> => {
  const bytes = opaque ? await journal.part(opaque) : undefined
  return bytes && KeptOpaque.parse(JSON.parse(Buffer.from(bytes).toString()))
}
