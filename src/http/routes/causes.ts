/** Routes that return the causes and the effects of a fact. */
import * as z from 'zod'
import { Relations } from '../../../facts/fact.ts'
import { readEvent } from '../../../facts/fact-links.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import { createYielding } from '../../../packages/kit/flow/yielding.ts'
import { redactFields, toMaskedText } from '../../../packages/kit/redact.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import type { Graph, Node } from '../../causes/walk.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { Refused } from '../../persona/refusals.ts'
import { type RouteDeps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { parseTypes } from './journal.ts'

const LinkedFact = z
  .object({
    seq: z.int().describe('Position in the journal.'),
    type: z.string().nullable().describe('Null if the record cannot be read.'),
    at: z.string().nullable(),
    by: z.string().nullable().describe('Who caused it.'),
    text: z.string().nullable().describe('The beginning of its text; null if it has none.'),
    details: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Its fields, with long texts cut and secrets masked; null if it was erased or is damaged.'),
    erased: z.literal(true).exactOptional().describe('Only present if the payload was erased.'),
    damaged: z.literal(true).exactOptional().describe('Only present if the record is damaged.'),
  })
  .meta({ id: 'LinkedFact' })
type LinkedFact = z.input<typeof LinkedFact>

const CauseGraph = z
  .object({
    nodes: z.array(LinkedFact).readonly(),
    edges: z
      .array(
        z.object({
          from: z.int().describe('Position of the cause.'),
          to: z.int().describe('Position of the effect.'),
          relation: z.enum(Relations),
        }),
      )
      .readonly(),
    cut: z.boolean().describe('True if a limit was reached before the depth.'),
  })
  .meta({ id: 'CauseGraph' })

const query = z.object({
  depth: z.int().min(1).max(20).default(3).describe('Max links from the fact.'),
  kinds: z
    .string()
    .optional()
    .describe('Only these fact types, separated by commas. A way through others becomes one link.'),
})

const definition = {
  method: 'get',
  tag: 'Journal',
  query,
  reply: CauseGraph,
  refuses: ['persona_unknown', 'fact_unknown', 'journal_damaged', 'journal_unavailable', 'cut_short'],
} as const

interface Request {
  readonly persona: string
  readonly seq: string
  readonly query: z.output<typeof query>
  readonly direction: 'causes' | 'effects'
}

const readGraph = async (
  deps: RouteDeps,
  { persona, seq, query: { depth, kinds }, direction }: Request,
  signal: AbortSignal,
): Promise<z.input<typeof CauseGraph>> => {
  const types = parseTypes(kinds, 'kinds')
  requireListed(deps.personas, persona)
  if (!/^[1-9]\d{0,14}$/.test(seq)) throw new Refused({ code: 'fact_unknown' })
  const { walkFrom } = await import('../../causes/walk.ts')
  return deps.personas.read(persona, async ({ journal }) => {
    const graph = await walkFrom(
      { seq: Number(seq), direction, depth, types },
      {
        journal,
        withIndex: (work) => deps.links.use(persona, journal, signal, work),
        maybeYield: createYielding(signal),
      },
    )
    return toView(graph)
  })
}

export const getCausesRoute = route({
  ...definition,
  path: '/api/persona/{persona_id}/journal/{seq}/causes',
  summary: 'The causes of a fact: the facts that it follows from, and their causes',
  description: 'A graph of at most 500 facts. It ends at messages, at the user, and at the clock.',
  handle:
    (deps) =>
    ({ params: { persona_id: persona, seq }, query, response }) =>
      withAbortSignal(response, deps.closing, (signal) =>
        readGraph(deps, { persona, seq, query, direction: 'causes' }, signal),
      ),
})

export const getEffectsRoute = route({
  ...definition,
  path: '/api/persona/{persona_id}/journal/{seq}/effects',
  summary: 'The effects of a fact: the facts that follow from it, and their effects',
  description: 'A graph of at most 500 facts. The first request reads the whole journal once.',
  handle:
    (deps) =>
    ({ params: { persona_id: persona, seq }, query, response }) =>
      withAbortSignal(response, deps.closing, (signal) =>
        readGraph(deps, { persona, seq, query, direction: 'effects' }, signal),
      ),
})

const toView = ({ nodes, edges, cut }: Graph): z.input<typeof CauseGraph> => ({
  nodes: nodes.map(toLinkedFact),
  edges,
  cut,
})

const toLinkedFact = ({ seq, entry }: Node): LinkedFact => {
  if (!entry) return { seq, type: null, at: null, by: null, text: null, details: null, damaged: true }
  const { type, at, offset, cause, erased } = entry
  const head = { seq, type, at: isoWithOffset(at, offset), by: cause.by }
  if (erased) return { ...head, text: null, details: null, erased }
  const event = readEvent(entry)
  if (!event) return { ...head, text: null, details: null, damaged: true }
  const details = toDetails(event)
  return { ...head, text: getText(details), details }
}

/** Max UTF-16 units of a text. */
const maxTextLength = 240

/** Large, or with addresses and settings that may hold a secret. The journal shows them. */
const hiddenFields = new Set(['answer', 'described', 'lore', 'opaque', 'recipe', 'request', 'server', 'url'])

const toDetails = (event: Entry['event']): Readonly<Record<string, unknown>> => {
  const fields = Object.entries(event).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'type' || (hiddenFields.has(name) && typeof value === 'object')) return []
    if (name === 'url') return []
    if (name !== 'organ' || typeof value !== 'object' || value === null) return [[name, value]]
    const { model, provider } = value as { readonly model?: unknown; readonly provider?: unknown }
    return [[name, { model, provider }]]
  })
  return redactFields(Object.fromEntries(fields), maxTextLength)
}

const textFields = [
  'content',
  'text',
  'summary',
  'carry',
  'intention',
  'body',
  'title',
  'subject',
  'reason',
  'name',
  'tool',
]

/** Returns the most important text of a fact. */
const getText = (details: Readonly<Record<string, unknown>>): string | null => {
  const { parts } = details
  const spokenText = Array.isArray(parts)
    ? parts.map((part: { readonly text?: unknown }) => part.text).join(' ')
    : ''
  const texts = [spokenText, ...textFields.map((name) => details[name])]
  const text = texts.find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof text === 'string' ? toMaskedText(text.trim(), maxTextLength) : null
}
