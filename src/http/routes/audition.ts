/** Routes that let two models answer past turns again, side by side. */
import * as z from 'zod'
import { Provider, type Used } from '../../../facts/fact-values.ts'
import { toMaskedText } from '../../../packages/kit/redact.ts'
import { isoWithOffset } from '../../../packages/kit/time/clock.ts'
import { shownUsd } from '../../../projections/usage.ts'
import { type AuditionTurn, auditionSubjects, maxAuditionTurns, sides } from '../../agents/audition-turns.ts'
import type { Audition, AuditionResult } from '../../commands/audition.ts'
import { alreadySent, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { organRefusals } from './persona-shapes.ts'

const Turn = z
  .object({
    turn: z.int(),
    time: z.string(),
    subject: z.enum(auditionSubjects),
    heard: z.string().describe('The words of the user.'),
    answered: z.string().describe('The recorded answer.'),
  })
  .meta({ id: 'AuditionTurn' })

export const getAuditionTurnsRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/audition/turns',
  summary: 'The past turns that an audition can repeat, and those that it would pick',
  description:
    'The last 60 turns with words of the user and an answer, oldest first. Turns with files, and with messages that are hidden or erased, are left out. Picked are turns of all subjects, the newest of each first.',
  tag: 'Turns',
  reply: z
    .object({ turns: z.array(Turn).readonly(), picked: z.array(z.int()).readonly() })
    .meta({ id: 'AuditionTurns' }),
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      const { listTurns } = await import('../../commands/audition.ts')
      const { turns, picked } = await listTurns(deps, id, maxAuditionTurns)
      return { turns: turns.map(toTurn), picked }
    },
})

const Mind = z
  .object({
    provider: z.string().nullish(),
    model: z.string(),
    url: z.string().nullish(),
    api_key: z.string().nullish().describe('It is used for this request and not stored.'),
    api_key_from: z.string().nullish().describe('The organ of the persona whose key is used.'),
    profile: z.string().nullish(),
  })
  .meta({ id: 'AuditionMind' })

const MindName = z.object({ provider: Provider.nullable(), model: z.string() })

const Line = z
  .union([
    z.object({
      type: z.literal('begun'),
      current: MindName,
      candidate: MindName,
      turns: z.array(Turn).readonly(),
    }),
    z.object({
      type: z.literal('answer'),
      turn: z.int(),
      side: z.enum(sides),
      text: z.string().nullable().describe('Null if the model failed.'),
      calls: z
        .array(z.object({ name: z.string(), input: z.unknown(), from_record: z.boolean() }))
        .readonly()
        .describe(
          'The tools that it called. `from_record`: it got the recorded result of the same call. All others were not carried out.',
        ),
      reason: z.string().nullable().describe('Why the model failed.'),
      input: z.int().describe('Tokens.'),
      output: z.int().describe('Tokens.'),
      ms: z.int(),
      usd: z.number().nullable().describe('Null without a price.'),
    }),
    z.object({ type: z.literal('done') }),
  ])
  .meta({ id: 'AuditionLine' })

export const auditionRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/audition',
  summary: 'Let two models answer up to ten past turns again, side by side',
  description:
    'Each answer is one line, as it arrives. A model gets the view of that time, as it would get it as the Mind. No tool runs, and nothing is kept but the usage. A model that fails ends only its answer. Close the connection to cancel.',
  tag: 'Turns',
  body: z
    .object({
      candidate: Mind,
      against: Mind.nullish().describe('Default: the Mind of the persona.'),
      turns: z.array(z.int().min(1)).min(1).max(maxAuditionTurns).nullish().describe('Default: picked.'),
    })
    .meta({ id: 'AuditionRequest' }),
  reply: { lines: Line },
  refuses: ['persona_unknown', ...organRefusals, 'turn_unfit', 'audition_empty', 'spent', 'cut_short'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, body: { candidate, against, turns }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const { openAudition } = await import('../../commands/audition.ts')
        const request = {
          candidate: withoutNulls(candidate),
          against: against ? withoutNulls(against) : null,
          turns: turns ?? null,
        }
        const audition = await openAudition(deps, id, request, signal)
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' })
        const send = (line: z.input<typeof Line>) => void response.write(`${JSON.stringify(line)}\n`)
        send(toBegun(audition))
        try {
          await audition.run((result) => send(toLine(result)))
          send({ type: 'done' })
        } catch (error) {
          // The client knows from the missing last line.
          if (!signal.aborted) deps.log.warn({ id, err: error }, 'an audition failed')
        }
        response.end()
        return alreadySent
      }),
})

/** A missing key is not the same as an empty one. */
const withoutNulls = ({ api_key, ...mind }: z.infer<typeof Mind>) => ({
  ...mind,
  ...(api_key != null && { api_key }),
})

const toBegun = ({ minds, turns }: Audition) =>
  ({ type: 'begun', ...minds, turns: turns.map(toTurn) }) as const

const toTurn = ({ turn, at, offset, subject, heard, answered }: AuditionTurn) => ({
  turn,
  time: isoWithOffset(at, offset),
  subject,
  heard,
  answered,
})

const toLine = ({ turn, side, answer, reason, used }: AuditionResult) =>
  ({
    type: 'answer',
    turn,
    side,
    text: answer?.text ?? null,
    calls: (answer?.calls ?? []).map(({ name, input, fromRecord }) => ({
      name,
      input: input ?? null,
      from_record: fromRecord,
    })),
    reason: reason === null ? null : toMaskedText(reason),
    ...sumOf(used),
  }) as const

const sumOf = (usedCalls: readonly Used[]) => {
  const add = (getValue: (call: Used) => number | null) =>
    usedCalls.reduce((sum, call) => sum + (getValue(call) ?? 0), 0)
  const isPriced = usedCalls.length > 0 && usedCalls.every(({ price }) => price)
  return {
    input: add(({ usage }) => usage.input),
    output: add(({ usage }) => usage.output),
    ms: add(({ ms }) => ms),
    usd: isPriced ? shownUsd(add(({ price }) => price?.usd ?? 0)) : null,
  }
}
