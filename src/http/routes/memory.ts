/** Routes of the memory of a persona: its statements, its documents and its instructions. */

import * as z from 'zod'
import { Document, Via } from '../../../facts/fact-values.ts'
import { type Clock, isoIn } from '../../../packages/kit/time/clock.ts'
import { isPartialDate } from '../../../packages/kit/time/partial-date.ts'
import { type Knowledge as KnowledgeState, toDocuments } from '../../../projections/knowledge.ts'
import {
  listMemories,
  type Memory as MemoryView,
  type Time,
  toMemory,
} from '../../../projections/memories.ts'
import { valueAt } from '../../../projections/persistent-map.ts'
import { listProposed, type Proposed } from '../../../projections/proposals.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { amendStatement, keepStatement, settleProposal } from '../../commands/memory.ts'
import { listInstructions } from '../../mind/prompt/instructions.ts'
import { Refused } from '../../persona/refusals.ts'
import { route } from '../route.ts'

interface ShownMemory extends MemoryView {
  readonly as_you?: string
}

const Memory: z.ZodType<ShownMemory, ShownMemory> = z
  .object({
    id: z.string(),
    document: Document,
    text: z.string(),
    as_you: z
      .string()
      .exactOptional()
      .describe('The text in the second person, present only if it can be formed with certainty.'),
    origin: z
      .enum(['persona', 'person', 'consolidation', 'history'])
      .describe(
        'Who made it: the persona in a turn or during consolidation, or the user, by hand or by accepting a proposal.',
      ),
    via: Via.nullable().describe(
      'Source of text in it that the user did not write. Null if the user wrote everything. A marked statement grants nothing.',
    ),
    sources: z
      .array(z.int())
      .readonly()
      .describe('Records of the journal that it comes from. Empty if it was written by hand.'),
    time: z.string(),
    from: z
      .string()
      .nullable()
      .describe('When it begins to be true: `2027`, `2027-03` or `2027-03-31`. Null if unknown.'),
    until: z.string().nullable().describe('When it ends to be true, in the same form. Null if unknown.'),
    pinned: z.boolean().describe('Whether every system prompt contains it.'),
    forgotten: z.boolean(),
    merged_into: z
      .string()
      .nullable()
      .describe('Of a forgotten statement: the id of the one that it was merged into, else null.'),
  })
  .meta({ id: 'Memory' })

const PartialDate = z
  .string()
  .refine((text) => text === '' || isPartialDate(text), 'must be a date such as 2027, 2027-03 or 2027-03-31')

const Proposal: z.ZodType<Proposed, Proposed> = z
  .object({
    id: z.string().describe('Becomes the id of the statement if it is accepted.'),
    document: Document,
    text: z.string(),
    by: z.string().nullable().describe('Name of the program that proposed it, if it gave one.'),
    time: z.string(),
  })
  .meta({ id: 'Proposal' })

export const Memories = z
  .object({
    memories: z.array(Memory).readonly(),
    proposed: z
      .array(Proposal)
      .readonly()
      .describe('Proposals of programs. The persona knows none of them until it is accepted.'),
  })
  .meta({ id: 'Memories' })

// Reads the zone on each call, because loading the time zone data takes longer than the rest of the start.
export const timeIn =
  (clock: Clock): Time =>
  (timeMs) =>
    isoIn(clock.zone, timeMs)

/** Finds a known or forgotten statement. Throws statement_unknown. */
const findMemory = async (
  { statements, forgotten }: KnowledgeState,
  id: string,
  clock: Clock,
): Promise<ShownMemory> => {
  const statement = valueAt(statements, id) ?? valueAt(forgotten, id)
  if (!statement) throw new Refused({ code: 'statement_unknown', id })
  return (await loadSecondPerson())(toMemory(statement, timeIn(clock)))
}

/** Only what the persona knows about the user is said to them. */
const isAboutUser: Readonly<Record<Document, boolean>> = {
  person: true,
  traits: true,
  wishes: true,
  struggles: true,
  'persona-trait': false,
  permissions: false,
  self: false,
}

/** Loads the grammar with the first request. */
export const loadSecondPerson = async () => {
  const { toSecondPerson } = await import('../../../packages/practice-mind/statement-sentences.ts')
  return (memory: MemoryView): ShownMemory => {
    const sentence = isAboutUser[memory.document] ? toSecondPerson(memory.text) : null
    return sentence === null ? memory : { ...memory, as_you: sentence }
  }
}

export const getMemoriesRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/memories',
  summary: 'The memory of the persona as single statements with their sources, and the forgotten ones',
  description: 'Each statement with its source messages and its author, and the proposals of programs.',
  tag: 'Memory',
  query: z.object({
    source: z
      .int()
      .min(1)
      .optional()
      .describe('Only statements with this record of the journal as a source.'),
  }),
  reply: Memories,
  refuses: ['persona_unknown'],
  handle:
    ({ personas, clock }) =>
    async ({ params: { persona_id: id }, query: { source = null } }) => {
      requireListed(personas, id)
      const withSecondPerson = await loadSecondPerson()
      return personas.read(id, async ({ persona: { knowledge, proposals } }) => ({
        memories: listMemories(knowledge, source, timeIn(clock)).map(withSecondPerson),
        proposed: source === null ? listProposed(proposals, timeIn(clock)) : [],
      }))
    },
})

export const writeMemoryRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/memories',
  summary: 'Add a statement to the memory of the persona. The same text is not added twice',
  description: 'Its author is the user.',
  tag: 'Memory',
  body: z.object({ document: Document, text: z.string() }).meta({ id: 'MemoryRequest' }),
  reply: Memory,
  refuses: ['persona_unknown', 'statement_empty', 'too_long', 'self_full'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona }, body }) => {
      const { knowledge, id } = await keepStatement(deps, persona, body)
      return findMemory(knowledge, id, deps.clock)
    },
})

export const amendMemoryRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/memories/{id}',
  summary: 'Correct a statement, date it, pin it, forget it, or restore it',
  description:
    'Fields that are not sent stay. A corrected statement keeps its sources, and its history has the earlier text. A pinned statement is part of every system prompt; at most 30 are pinned.',
  tag: 'Memory',
  body: z
    .object({
      text: z.string().nullish(),
      forgotten: z.boolean().nullish(),
      pinned: z.boolean().nullish(),
      from: PartialDate.nullish().describe('`2027`, `2027-03` or `2027-03-31`. An empty text removes it.'),
      until: PartialDate.nullish().describe('The same.'),
    })
    .meta({ id: 'MemoryChange' }),
  reply: Memory,
  refuses: [
    'persona_unknown',
    'statement_unknown',
    'statement_empty',
    'statement_forgotten',
    'too_long',
    'pins_full',
    'period_reversed',
    'self_full',
  ],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body }) => {
      const { text = null, forgotten = null, pinned = null, from = null, until = null } = body
      const change = { id, text, forgotten, pinned, from, until }
      return findMemory(await amendStatement(deps, persona, change), id, deps.clock)
    },
})

export const forgetMemoryRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/memories/{id}',
  summary:
    'Forget a statement. The persona does not learn it again from earlier messages. It can be restored',
  description: 'A PATCH with `forgotten: false` restores it.',
  tag: 'Memory',
  reply: z.null(),
  refuses: ['persona_unknown', 'statement_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await amendStatement(deps, persona, { id, text: null, forgotten: true })
      return null
    },
})

export const settleProposedRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/proposals/{id}',
  summary: 'Accept the proposal of a program, which makes it a statement, or decline it',
  description: 'The persona does not know a proposal before it is accepted. A declined one is deleted.',
  tag: 'Memory',
  body: z.object({ accepted: z.boolean() }).meta({ id: 'ProposalAnswer' }),
  reply: z
    .object({ memory: Memory.nullable().describe('Null if it was declined.') })
    .meta({ id: 'ProposalSettled' }),
  refuses: ['persona_unknown', 'statement_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body: { accepted } }) => {
      const statement = await settleProposal(deps, persona, { id, accepted })
      return { memory: statement && toMemory(statement, timeIn(deps.clock)) }
    },
})

export const Knowledge = z
  .object({
    memory: z
      .partialRecord(Document, z.string())
      .describe('Markdown; a document without a statement is left out.'),
    instruction: z
      .array(z.object({ intention: z.string(), body: z.string(), source: z.enum(['builtin', 'custom']) }))
      .readonly(),
  })
  .meta({ id: 'Knowledge' })

export const knowledgeView = (knowledge: KnowledgeState) => ({
  memory: toDocuments(knowledge),
  instruction: listInstructions(knowledge),
})

export const getKnowledgeRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/knowledge',
  summary: 'The memory of the persona, and its instructions',
  description: 'All of its memory as documents, and its instructions.',
  tag: 'Memory',
  reply: Knowledge,
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id } }) => {
      requireListed(personas, id)
      return personas.read(id, async ({ persona }) => knowledgeView(persona.knowledge))
    },
})
