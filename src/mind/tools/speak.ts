/** speak: sends a voice message, made by the Mouth. */
import * as z from 'zod'
import { createMadeFile, failWithoutOrgan } from './made-file.ts'
import { defineTool } from './tool.ts'

export const speak = defineTool({
  name: 'speak',
  description: 'Send a clip of your voice. Only when the user wants to hear you.',
  input: z.object({ text: z.string().trim().min(1).max(20_000).describe('word for word') }),
  organ: 'mouth',
  run: async ({ text }, context) => {
    const { organs } = context
    if (!organs.has('mouth')) return failWithoutOrgan('Mouth', 'speak aloud')
    const { value, used } = await organs.speak(text)
    return createMadeFile(context, value, { name: 'voice', caption: text }, used)
  },
})
