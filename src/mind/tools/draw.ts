/** draw: makes a picture for the user with the Imagination. */
import * as z from 'zod'
import { createMadeFile, failWithoutOrgan } from './made-file.ts'
import { defineTool } from './tool.ts'

export const draw = defineTool({
  name: 'draw',
  description: 'Draw a picture and show it to the user.',
  input: z.object({
    wish: z.string().trim().min(1).max(4000).describe('what it shows, in which manner and mood'),
    caption: z.string().trim().max(300).optional(),
  }),
  organ: 'imagination',
  run: async ({ wish, caption = '' }, context) => {
    const { organs } = context
    if (!organs.has('imagination')) return failWithoutOrgan('Imagination', 'draw')
    const { value, used } = await organs.draw(wish)
    return createMadeFile(context, value, { name: 'picture', caption }, used)
  },
})
