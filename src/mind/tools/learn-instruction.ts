/** learn_instruction: stores, changes or deletes a lesson for a kind of situation. */

import * as z from 'zod'
import { listValues } from '../../../projections/persistent-map.ts'
import { teach } from '../memory/authority.ts'
import { builtIn, foldText } from '../prompt/instructions.ts'
import { createFailure, defineTool } from './tool.ts'

/** More would not fit into the prompt. */
const maxLessons = 100

export const learnInstruction = defineTool({
  name: 'learn_instruction',
  lasting: true,
  description:
    'Keep in your own words how to handle a kind of moment, so that you find it by its title next time; say it again under the same title to change it, without a body to drop it. Ask your Teacher first when you are unsure.',
  input: z.object({
    intention: z.string().trim().min(1).max(100).describe('a short title of the kind of moment'),
    body: z.string().trim().max(4000).optional().describe('what to do, in your own words'),
  }),
  run: ({ intention, body = '' }, { persona, provenance, newId }) => {
    const refusal = teach(intention, body, provenance)
    if (refusal !== null) return createFailure(refusal)
    const lessons = listValues(persona.knowledge.instructions)
    const old = lessons.find((lesson) => foldText(lesson.intention) === foldText(intention))
    if (!old && builtIn.some((instruction) => foldText(instruction.intention) === foldText(intention)))
      return createFailure(
        'That one is built in and stays as it is. Choose another title for what you have learned.',
      )
    if (body === '') {
      if (!old) return createFailure('You have no such lesson.')
      return {
        ok: true,
        output: { dropped: old.intention },
        effect: [{ type: 'RemoveInstruction', id: old.id }],
      }
    }
    if (old)
      return {
        ok: true,
        output: { changed: old.intention },
        effect: [{ type: 'ReviseInstruction', id: old.id, body }],
      }
    if (lessons.length >= maxLessons)
      return createFailure('You have as many lessons as you can hold. Drop one first.')
    const id = `i${newId()}`
    return {
      ok: true,
      output: { learned: intention },
      effect: [{ type: 'LearnInstruction', id, intention, body }],
    }
  },
})
