/** follow_instruction: returns the instruction for a kind of situation. */
import * as z from 'zod'
import { findInstruction, listInstructions } from '../prompt/instructions.ts'
import { defineTool } from './tool.ts'

export const followInstruction = defineTool({
  name: 'follow_instruction',
  description: 'Read one of your instructions, by its title, before you handle a moment of that kind.',
  input: z.object({
    intention: z.string().trim().min(1).max(200).describe('its title as it stands in your list'),
  }),
  run: ({ intention }, { persona }) => {
    const known = listInstructions(persona.knowledge)
    const instruction = findInstruction(known, intention)
    if (instruction)
      return { ok: true, output: { intention: instruction.intention, instruction: instruction.body } }
    return {
      ok: false,
      output: {
        error: 'You have no instruction for that.',
        instructions: known.map((item) => item.intention),
      },
    }
  },
})
