/** Routes of the messages that a persona writes by itself. */
import * as z from 'zod'
import { InitiativeKind, InitiativeLevel, type PersonaId } from '../../../facts/fact-values.ts'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { isSourced } from '../../../projections/initiative.ts'
import type { Persona } from '../../../projections/persona.ts'
import { changeReason, chooseInitiative, dislikeReason, removeReason } from '../../commands/initiative.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { type Deps, route } from '../route.ts'

const DayTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time, such as 21:00')
const Sources = z.array(z.int()).readonly().describe('Positions of the messages that it comes from.')
const reasonFields = { id: z.string(), kind: InitiativeKind, reason: z.string(), sources: Sources }

const Initiative = z
  .object({
    level: InitiativeLevel.describe('At most one message a day (gentle) or three (lively), or none (off).'),
    zone: z.string().describe('The time zone of the quiet hours and of the reasons.'),
    own_zone: z.boolean().describe('False if it is that of the daemon.'),
    quiet_from: z.string(),
    quiet_until: z.string(),
    unanswered: z.boolean().describe('It wrote last, and waits for an answer before it writes again.'),
    reasons: z
      .array(
        z.object({
          ...reasonFields,
          time: z
            .string()
            .nullable()
            .describe('When it might write. Null for a wish that waits for a new time.'),
          yearly: z.boolean(),
        }),
      )
      .readonly()
      .describe('Why it might write, the next first.'),
    recent: z
      .array(
        z.object({
          ...reasonFields,
          time: z.string(),
          outcome: z.enum(['spoke', 'silent', 'expired', 'failed']),
          message: z.int().nullable().describe('Position of the message that it wrote.'),
          disliked: z.boolean(),
        }),
      )
      .readonly()
      .describe('The last ones that it decided on, the newest first.'),
  })
  .meta({ id: 'Initiative' })

const toView = ({ initiative, talk }: Persona, daemonZone: string): z.infer<typeof Initiative> => {
  const { level, quietFrom, quietUntil, open, recent, disliked, unanswered } = initiative
  const zone = initiative.zone ?? daemonZone
  return {
    level,
    zone,
    own_zone: initiative.zone !== null,
    quiet_from: quietFrom,
    quiet_until: quietUntil,
    unanswered,
    reasons: open
      .filter((candidate) => isSourced(candidate, talk))
      .sort((a, b) => Number(a.resting) - Number(b.resting) || a.at - b.at)
      .map(({ id, kind, reason, sources, at, yearly, resting }) => ({
        id,
        kind,
        reason,
        sources,
        time: resting ? null : isoIn(zone, at),
        yearly: yearly ?? false,
      })),
    recent: recent
      .map(({ id, kind, reason, sources, at, outcome, message }) => ({
        id,
        kind,
        reason,
        sources,
        time: isoIn(zone, at),
        outcome,
        message,
        disliked: disliked.some((entry) => entry.id === id),
      }))
      .reverse(),
  }
}

const readView = ({ personas, clock }: Pick<Deps, 'personas' | 'clock'>, id: PersonaId) =>
  personas.read(id, async ({ persona }) => toView(persona, clock.zone))

export const getInitiativeRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/initiative',
  summary: 'When the persona writes by itself, and why it might',
  description: 'Reasons are found when it goes over the talk, while it may write by itself.',
  tag: 'Calendar',
  reply: Initiative,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => {
      requireListed(deps.personas, id)
      return readView(deps, id)
    },
})

const InitiativeRequest = z
  .object({
    level: InitiativeLevel.optional(),
    zone: z.string().nullish().describe('IANA name. Null means the zone of the daemon.'),
    quiet_from: DayTime.optional().describe('Start of the quiet hours, local time.'),
    quiet_until: DayTime.optional().describe('End of the quiet hours. The same as the start: none.'),
  })
  .meta({ id: 'InitiativeRequest' })

export const setInitiativeRoute = route({
  method: 'put',
  path: '/api/persona/{persona_id}/initiative',
  summary: 'Choose how often the persona may write by itself, and when it may not',
  description: 'Fields that are not sent stay. It is off at first.',
  tag: 'Calendar',
  body: InitiativeRequest,
  reply: Initiative,
  refuses: ['persona_unknown', 'zone_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id }, body: { level, zone, quiet_from, quiet_until } }) => {
      await chooseInitiative(deps, id, { level, zone, quietFrom: quiet_from, quietUntil: quiet_until })
      return readView(deps, id)
    },
})

export const changeReasonRoute = route({
  method: 'patch',
  path: '/api/persona/{persona_id}/initiative/{id}',
  summary: 'Change a reason to write. Fields that are not sent stay',
  description:
    '`less` drops it and tells the persona to write less about such things. It also works for a reason whose message was sent.',
  tag: 'Calendar',
  body: z
    .object({
      when: z
        .string()
        .optional()
        .describe('Local date and time, as 2026-11-24T18:00, or one with an offset.'),
      reason: z.string().optional(),
      less: z.literal(true).optional(),
    })
    .meta({ id: 'InitiativeChange' }),
  reply: Initiative,
  refuses: ['persona_unknown', 'initiative_unknown', 'when_invalid', 'when_past', 'entry_empty', 'too_long'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id }, body: { when, reason, less } }) => {
      if (less) await dislikeReason(deps, persona, id)
      else await changeReason(deps, persona, id, { when, reason })
      return readView(deps, persona)
    },
})

export const removeReasonRoute = route({
  method: 'delete',
  path: '/api/persona/{persona_id}/initiative/{id}',
  summary: 'Remove a reason to write',
  description: 'The persona does not write about it by itself.',
  tag: 'Calendar',
  reply: z.null(),
  refuses: ['persona_unknown', 'initiative_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: persona, id } }) => {
      await removeReason(deps, persona, id)
      return null
    },
})
