/** remember: keep, correct or forget one statement. */
import * as z from 'zod'
import { Document } from '../../../journal/events.ts'
import { defineTool, failed, type ToolContext } from './tool.ts'

const Text = z.string().trim().min(1).max(300)

const Input = z.object({
  op: z.enum(['keep', 'revise', 'forget']),
  document: Document.optional().describe('where a kept statement belongs; needed for keep'),
  text: Text.optional().describe('one short statement, in the third person; needed for keep and revise'),
  id: z.string().optional().describe('of a statement you know; needed for revise and forget'),
})

const unknown = (id: string | undefined) => failed(`There is no statement with the id ${JSON.stringify(id ?? '')}.`)

const known = ({ persona }: ToolContext, id: string | undefined) => (id === undefined ? undefined : persona.knowledge.statements[id])

export const remember = defineTool({
  name: 'remember',
  description:
    'Keep, revise or forget one statement about the person or yourself. person: facts about them; traits: how they are; persona-trait: how you should be; wishes; struggles; permissions: what they allow you.',
  input: Input,
  run: ({ op, document, text, id }, context) => {
    if (op === 'keep') {
      if (!document || !text) return failed('To keep a statement, give document and text.')
      const kept = `m${context.newId()}`
      return { ok: true, output: { kept }, effect: [{ type: 'Keep', id: kept, document, text, sources: context.sources }] }
    }
    const statement = known(context, id)
    if (!statement) return unknown(id)
    if (op === 'forget') return { ok: true, output: { forgotten: statement.id }, effect: [{ type: 'Forget', id: statement.id }] }
    if (!text) return failed('To revise a statement, give id and text.')
    return { ok: true, output: { revised: statement.id }, effect: [{ type: 'Revise', id: statement.id, text, sources: context.sources }] }
  },
})
