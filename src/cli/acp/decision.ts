/** Asks the user of an editor for permission to use a tool. */
import { type AgentContext, methods, type RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { type Decision, decisions } from '../talk-line.ts'
import { describeQuestion, type Question, toToolCallId } from './updates.ts'

interface Asking {
  readonly context: AgentContext
  readonly sessionId: string
  readonly question: Question
  readonly signal: AbortSignal
}

const decisionKinds = { once: 'allow_once', always: 'allow_always', no: 'reject_once' } as const
const decisionNames = { once: 'Allow once', always: 'Always allow', no: 'Do not allow' } as const

/** Returns null if the user did not decide or cannot be asked. Stops waiting when the signal aborts. */
export const askDecision = async ({
  context,
  sessionId,
  question,
  signal,
}: Asking): Promise<Decision | null> => {
  const { title, kind, input } = describeQuestion(question)
  const text = [toQuestionNote(question), JSON.stringify(input, null, 2)].filter(Boolean).join('\n\n')
  const request: RequestPermissionRequest = {
    sessionId,
    toolCall: {
      toolCallId: toToolCallId(question),
      title,
      kind,
      status: 'pending',
      rawInput: input,
      content: [{ type: 'content', content: { type: 'text', text } }],
    },
    options: decisions.map((decision) => ({
      optionId: decision,
      name: decisionNames[decision],
      kind: decisionKinds[decision],
    })),
  }
  try {
    const { outcome } = await context.request(methods.client.session.requestPermission, request, {
      cancellationSignal: signal,
      stopWaitingOnCancel: true,
    })
    if (outcome.outcome !== 'selected') return null
    return decisions.find((decision) => decision === outcome.optionId) ?? null
  } catch {
    return null
  }
}

const toQuestionNote = ({ changed: hasChanged, again: isRepeat }: Question): string => {
  if (hasChanged) return 'You allowed this tool, but its definition has changed since.'
  return isRepeat ? 'You always allow this, but this address is new.' : ''
}
