/** ask_teacher: asks a stronger model for advice. */
import * as z from 'zod'
import { ownText } from '../prompt/prompt-part.ts'
import { createFailure, defineTool } from './tool.ts'

const frame = `You are the teacher of a persona who talks with a person every day and is unsure how to handle something. Answer what it asks: say what to do, step by step, and what to avoid, in plain words and at most 400 words.
It acts through its own tools alone. Speak to it, not to the person.`

export const askTeacher = defineTool({
  name: 'ask_teacher',
  description:
    'Ask your Teacher, a stronger model, when you do not know how to handle something.\nTell it everything it needs: it does not know your talk.',
  input: z.object({ question: z.string().trim().min(1).max(8000) }),
  organ: 'teacher',
  run: async ({ question }, { organs }) => {
    if (!organs.has('teacher'))
      return createFailure(
        'You have no Teacher: think it through yourself. One can be given to you under settings.',
      )
    const { value, used } = await organs.ask('teacher', { system: frame, content: question }, [
      ownText(frame),
      ownText(question),
    ])
    return { ok: true, output: { advice: value }, calls: [{ used }] }
  },
})
