/**
 * The tools of the compact profile: at most six, each with one purpose and flat fields. Calls are converted
 * to the tools of the full profile (`tool-names.ts`), and those can still be called by name.
 */
import type { ToolSpec } from '../../../packages/models/mind.ts'
import type { Tool } from './tool.ts'

const maxTools = 6

const text = (description?: string) => ({ type: 'string', ...(description && { description }) })

const toSpec = (
  name: string,
  description: string,
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
): ToolSpec => ({ name, description, parameters: { type: 'object', properties, required } })

const remember = toSpec(
  'remember',
  'Keep one short fact about the user.',
  { text: text('third person, in the user’s language'), id: text('of the statement it corrects') },
  ['text'],
)
const forget = toSpec('forget', 'Forget a statement by its id.', { id: text() }, ['id'])
const recall = toSpec('recall', 'Search all earlier talk and files.', { query: text('a few words') }, [
  'query',
])
const remind = toSpec(
  'remind',
  'Plan a reminder for the user.',
  {
    content: text(),
    when: text('as in 15 minutes, Monday 20:00 or YYYY-MM-DDThh:mm'),
    id: text('of the plan it changes'),
    recurrence: { type: 'string', enum: ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] },
  },
  ['content', 'when'],
)
const cancelPlan = toSpec('cancel_plan', 'Cancel a plan by its id.', { id: text() }, ['id'])

/** Also shows pictures, so that one tool is enough for all files. */
const readDocument = toSpec(
  'read_document',
  'Read a file of the conversation again, or look at a picture again.',
  { file: text('its name'), question: text('about a picture'), from: { type: 'integer' } },
  ['file'],
)

/** These are replaced, or need more than a small model can do. */
const leftOut: ReadonlySet<string> = new Set([
  ...['remember', 'recall', 'plan', 'read_document', 'look_again'],
  ...['instruction', 'use_skill'],
])

/** `offered`: the tools of the full profile. `serverTools`: as the full profile lists them. */
export const listCompact = (
  offeredTools: readonly Tool[],
  serverTools: readonly ToolSpec[],
): readonly ToolSpec[] => {
  const names = offeredTools.map(({ spec }) => spec.name)
  const unchangedTools = offeredTools.filter(({ spec }) => !leftOut.has(spec.name))
  const ofOrgans = unchangedTools.filter(({ organ }) => organ !== undefined).map(({ spec }) => spec)
  const otherSpecs = unchangedTools.filter(({ organ }) => organ === undefined).map(({ spec }) => spec)
  return [
    ...(names.includes('remember') ? [remember] : []),
    ...(names.includes('recall') ? [recall] : []),
    ...(names.includes('plan') ? [remind] : []),
    ...ofOrgans,
    ...serverTools,
    ...(names.includes('plan') ? [cancelPlan] : []),
    ...(names.includes('remember') ? [forget] : []),
    ...(names.includes('read_document') ? [readDocument] : []),
    ...otherSpecs,
  ].slice(0, maxTools)
}
