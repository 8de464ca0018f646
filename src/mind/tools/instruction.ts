/** instruction: reads, stores, changes or removes an instruction for a kind of situation. */
import * as z from 'zod'
import { listValues } from '../../../projections/persistent-map.ts'
import { teach } from '../memory/authority.ts'
import { builtIn, findInstruction, foldText, listInstructions } from '../prompt/instructions.ts'
import { createFailure, createRefusal, defineTool, type ToolContext, type ToolResult } from './tool.ts'

/** More would not fit into the prompt. */
const maxLessons = 100

const intention = z.string().trim().min(1).max(100).describe('its title')

const Input = z.object({
  op: z.enum(['read', 'keep', 'remove']).optional(),
  intention,
  body: z.string().trim().max(4000).optional(),
})
type Input = z.infer<typeof Input>

const getOp = ({ op, body }: Input) => op ?? (body ? 'keep' : 'read')

export const instruction = defineTool({
  name: 'instruction',
  lasting: (input) => getOp(input) !== 'read',
  description: `read: one of your instructions, when its situation occurs.
keep: how you handle a kind of situation. The same title replaces it.`,
  input: Input,
  run: (input, context) => {
    switch (getOp(input)) {
      case 'read':
        return readInstruction(input, context)
      case 'keep':
        return input.body
          ? changeInstruction(input.intention, input.body, context)
          : createFailure('body is missing, such as {"body": "Listen first."}.')
      case 'remove':
        return changeInstruction(input.intention, '', context)
    }
  },
})

/** For programs, which may not change instructions. */
export const readOnly = defineTool({
  name: 'instruction',
  description: 'Read one of your instructions when its situation occurs.',
  input: z.object({ op: z.enum(['read']).default('read'), intention }),
  run: (input, context) => readInstruction(input, context),
})

const readInstruction = (
  { intention: title }: Pick<Input, 'intention'>,
  { persona }: ToolContext,
): ToolResult => {
  const knownInstructions = listInstructions(persona.knowledge)
  const foundInstruction = findInstruction(knownInstructions, title)
  if (foundInstruction)
    return { ok: true, output: { intention: foundInstruction.intention, instruction: foundInstruction.body } }
  return {
    ok: false,
    output: {
      error: 'You have no instruction for that.',
      instructions: knownInstructions.map((item) => item.intention),
    },
  }
}

/** Removes it if the body is empty. */
const changeInstruction = (
  title: string,
  body: string,
  { persona, provenance, newId }: ToolContext,
): ToolResult => {
  const refusal = teach(title, body, provenance)
  if (refusal !== null) return createRefusal(refusal)
  const lessons = listValues(persona.knowledge.instructions)
  const old = lessons.find((lesson) => foldText(lesson.intention) === foldText(title))
  if (!old && builtIn.some((item) => foldText(item.intention) === foldText(title)))
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
  return {
    ok: true,
    output: { learned: title },
    effect: [{ type: 'LearnInstruction', id: `i${newId()}`, intention: title, body }],
  }
}
