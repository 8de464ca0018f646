/** Shape of a turn in responses. */
import * as z from 'zod'
import { Channel, Decided, Outcome, PromptProfile, Provider, Slot } from '../../../facts/fact-values.ts'
import type { TurnView } from '../../../projections/turns.ts'
import { ConversationMessageShape } from './conversation.ts'
import { MediaView } from './media.ts'
import { cause, Sum } from './usage.ts'

const Output = z.object({ unit: z.enum(['image', 'character', 'second']), count: z.number() })
const tokens = z.int().nullable()

const call = {
  organ: Slot,
  provider: Provider.nullable(),
  model: z.string(),
  usage: z
    .object({
      input: tokens,
      output: tokens,
      cached: tokens,
      written: z.int().optional(),
      made: Output.nullable(),
    })
    .nullable(),
  ms: z.int(),
  tries: z.int(),
  usd: z.number().nullable(),
  dated: z.string().nullable(),
}

const ToolUse = z
  .object({
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    output: z.unknown(),
    ok: z.boolean().nullable(),
    server: z.string().nullable(),
    tool: z.string().nullable(),
    ms: z.int().nullable().describe('From the begin of the call to its result.'),
    allowed: z
      .enum([...Decided.options, 'waiting'])
      .nullable()
      .describe('For a tool of a server: the decision of the user. `always` if it was allowed before.'),
  })
  .meta({ id: 'ToolUse' })

export const Turn = z.object({
  id: z.int(),
  began: z.string(),
  ended: z.string().nullable(),
  outcome: Outcome.nullable(),
  reason: z.string().nullable(),
  life: z.int(),
  channel: Channel.nullable(),
  heard: z.array(ConversationMessageShape).readonly(),
  due: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(['reminder', 'schedule']).nullable(),
        content: z.string().nullable(),
      }),
    )
    .readonly(),
  perceptions: z
    .array(
      z.object({
        message: z.int(),
        filename: z.string(),
        organ: Slot.nullable(),
        outcome: z.enum(['perceived', 'shown', 'refused']),
        text: z.string(),
      }),
    )
    .readonly(),
  steps: z
    .array(
      z.object({
        step: z.int(),
        time: z.string(),
        text: z.string().nullable(),
        tools: z.array(ToolUse).readonly(),
        profile: PromptProfile.describe('Tools and instructions that the model got.'),
        ...call,
      }),
    )
    .readonly(),
  calls: z
    .array(
      z.object({
        id: z.int(),
        time: z.string(),
        cause,
        step: z.int().nullable(),
        ...call,
        reason: z.string().nullable(),
      }),
    )
    .readonly()
    .describe('Calls outside the steps: for perception, by a tool, or without an answer.'),
  facts: z
    .array(
      z.object({
        id: z.int(),
        time: z.string(),
        title: z.string(),
        details: z.record(z.string(), z.unknown()).readonly(),
      }),
    )
    .readonly()
    .describe('Other facts of the turn in the form of frames: memories, plans and instructions.'),
  spoken: z.array(ConversationMessageShape).readonly(),
  files: z.array(MediaView).readonly().describe('Files that the persona made in the turn.'),
  total: Sum,
  complete: z.boolean().describe('False if it is too long to be shown whole.'),
}) satisfies z.ZodType<TurnView, TurnView>
