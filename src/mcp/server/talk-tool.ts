/** talk: the persona answers as to any API client, and remembers the message only if `store` is set. */
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { PersonaId } from '../../../facts/fact-values.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import type { Agents } from '../../agents/agents.ts'
import type { SentMessage } from '../../agents/open-steps.ts'
import { type AnswerDeps, answerWith, errorResult, textResult } from './tool-answers.ts'

export interface TalkDeps extends AnswerDeps {
  readonly agents: Pick<Agents, 'converse' | 'awake'>
  readonly clock: Pick<Clock, 'now'>
  /** In bytes. */
  readonly maxMessageLength: number
}

const maxEarlier = 200

const TalkInput = z.object({
  message: z.string().min(1).describe('what is said to it'),
  earlier: z
    .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }))
    .max(maxEarlier)
    .optional()
    .describe('what was said before in this talk, oldest first: it has not kept it'),
  store: z
    .boolean()
    .optional()
    .describe('true: it keeps the message and its answer in its conversation; without it nothing is kept'),
})

export const offerTalk = (server: McpServer, deps: TalkDeps, id: PersonaId): void => {
  server.registerTool(
    'talk',
    {
      title: 'Talk to it',
      description:
        'Say something to the persona, and get its answer. It answers as itself, with what it knows; it can look things up, and change nothing. Not one word of it is remembered unless store is true.',
      inputSchema: TalkInput,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (input, context) => answerWith(deps, () => talk(deps, id, input, context)),
  )
}

const talk = async (
  { agents, clock, maxMessageLength }: TalkDeps,
  id: PersonaId,
  { message, earlier = [], store = false }: z.infer<typeof TalkInput>,
  { mcpReq }: ServerContext,
) => {
  const all = [...earlier, { role: 'user' as const, content: message }]
  if (all.some(({ content }) => Buffer.byteLength(content) > maxMessageLength))
    return errorResult(`A message is too large: ${maxMessageLength} bytes at most.`)
  if (!(await agents.awake(id))) return errorResult(notRunning(id))
  const onWords = createProgress(mcpReq, clock)
  const signal = mcpReq.signal
  const { text, cut } = await agents.converse(id, {
    talk: all.map(toUttered),
    store,
    onWords,
    disconnectSignal: signal,
  })
  return cut ? textResult(text, 'The answer ends here: it reached the limit of the model.') : textResult(text)
}

const toUttered = ({ role, content }: { role: 'user' | 'assistant'; content: string }): SentMessage =>
  role === 'user' ? { role, content, pictures: [], files: [] } : { role, content }

const notRunning = (id: PersonaId): string =>
  `The persona is not running, so it cannot answer. Start it on its page, or with POST /api/persona/${id}/start, and try again. recall, calendar, plan, remember and its resources work without that.`

/** Min ms between two progress notifications. */
const pause = 1000

/** A client that asks for progress keeps waiting as long as text arrives. */
const createProgress = ({ _meta, notify }: ServerContext['mcpReq'], clock: TalkDeps['clock']) => {
  const progressToken = _meta?.progressToken
  let progress = 0
  let last = -Infinity
  return (delta: string): void => {
    progress += delta.length
    if (progressToken === undefined || clock.now() - last < pause) return
    last = clock.now()
    // A client that disconnected needs no progress.
    notify({ method: 'notifications/progress', params: { progressToken, progress } }).catch(() => {})
  }
}
