/** notify: sends the same message on all channels of the user. */

import * as z from 'zod'
import type { Channel } from '../../../facts/fact-values.ts'
import { listChats } from '../../../projections/bot-channels.ts'
import { createFailure, defineTool } from './tool.ts'

export const notify = defineTool({
  name: 'notify',
  description:
    'Say something on all your channels at once: when something is due and must reach the user anywhere, or when they ask for it.\nIt is said here too. Do not repeat it.',
  input: z.object({ text: z.string().trim().min(1).max(4000).describe('word for word') }),
  needs: ({ persona: { self, talk } }) => listChats(self.channels, talk.inboxes).length > 0,
  run: ({ text }, { persona: { self, talk } }) => {
    const chats = listChats(self.channels, talk.inboxes)
    if (chats.length === 0)
      return createFailure('You have no paired chat: what you say here is all that reaches the person.')
    const allChannels: readonly Channel[] = [{ type: 'web', name: self.id }, ...chats]
    return {
      ok: true,
      output: { said_on: allChannels.map(({ type }) => type) },
      effect: allChannels.map((channel) => ({ type: 'Say', channel, content: text, media: null }) as const),
    }
  },
})
