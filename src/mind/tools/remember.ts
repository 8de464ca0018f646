/** remember: keep, correct or forget one statement. */
import * as z from 'zod'
import { Document } from '../../../journal/facts/fact-values.ts'
import { oneLine, plainly } from '../../../projections/knowledge.ts'
import { someValue, valueAt } from '../../../projections/persistent-map.ts'
import { grant, isSaidIn, withdraw, wordsIn } from '../memory/own-words.ts'
import { defineTool, failed, type ToolContext } from './tool.ts'

const Text = z.string().overwrite(oneLine).min(1).max(300)

const Input = z.object({
  op: z.enum(['keep', 'revise', 'forget']),
  document: Document.optional().describe('where a kept statement belongs; needed for keep'),
  text: Text.optional().describe(
    'one short statement, in the third person; needed for keep and revise. A permission in the person’s own words',
  ),
  id: z.string().optional().describe('of a statement you know; needed for revise and forget'),
})

export const remember = defineTool({
  name: 'remember',
  lasting: true,
  description:
    'Keep, revise or forget one statement about the person or yourself. person: facts about them; traits: how they are; persona-trait: how you should be; wishes; struggles; permissions: what they allow you.',
  input: Input,
  run: ({ op, document, text, id }, context) => {
    if (op === 'keep') {
      if (!document || !text) return failed('To keep a statement, give document and text.')
      const granted = allowed(document, text, context)
      if ('refused' in granted) return failed(granted.refused)
      const kept = `m${context.newId()}`
      return { ok: true, output: { kept }, effect: [{ type: 'Keep', id: kept, document, text, ...granted }] }
    }
    const statement = valueAt(context.persona.knowledge.statements, id ?? '')
    if (!statement) return failed(`There is no statement with the id ${JSON.stringify(id ?? '')}.`)
    if (op === 'forget') {
      const refused = withdraw(statement.document, statement.text, context.grounds)
      if (refused !== null) return failed(refused)
      return { ok: true, output: { forgotten: statement.id }, effect: [{ type: 'Forget', id: statement.id }] }
    }
    if (!text) return failed('To revise a statement, give id and text.')
    const granted = allowed(statement.document, text, context)
    if ('refused' in granted) return failed(granted.refused)
    return { ok: true, output: { revised: statement.id }, effect: [{ type: 'Revise', id: statement.id, text, ...granted }] }
  },
})

/** What was to be forgotten stays so until the person says it anew. */
const allowed = (document: Document, text: string, { persona, grounds }: ToolContext): ReturnType<typeof grant> => {
  const gone = someValue(persona.knowledge.forgotten, (one) => plainly(one.text) === plainly(text))
  if (gone && !isSaidIn(text, wordsIn(grounds.said)))
    return { refused: 'You were to forget this, and the person has not said it again. Leave it forgotten.' }
  return grant(document, text, grounds)
}
