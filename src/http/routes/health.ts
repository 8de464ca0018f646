/** Routes of the health of daemon and personas. */

import * as z from 'zod'
import { ChannelKind, PromptProfile, Provider, Slot, Status } from '../../../facts/fact-values.ts'
import { calendarFailureKinds } from '../../../packages/calendars/calendar-failed.ts'
import { version } from '../../../packages/kit/version.ts'
import { mailFailureKinds } from '../../../packages/mail/mail-failed.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { type Diagnosis as DiagnosisView, diagnose as examine } from '../../health/diagnosis.ts'
import { places, signals } from '../../health/marks.ts'
import { isFailing, type OrganHealth } from '../../health/organ-health.ts'
import { alreadySent, route } from '../route.ts'

export const healthRoute = route({
  method: 'get',
  path: '/api/health',
  summary: 'Check that the daemon is alive',
  description: 'Does not read any journal.',
  tag: 'Daemon',
  reply: z
    .object({
      status: z.literal('ok'),
      version: z.string(),
      uptime: z.number().describe('Seconds.'),
      zone: z.string().describe('IANA name of the time zone of the daemon.'),
      log_lines_dropped: z.int().describe('Log lines that could not be written since the daemon started.'),
      warnings: z
        .array(z.string())
        .describe('Problems of the daemon itself, and how to fix them. Empty if there are none.'),
    })
    .meta({ id: 'Health' }),
  handle: ({ clock, log, personas, agents, subscriptions }) => {
    const startedAt = clock.now()
    const getUptime = () => Math.max(0, (clock.now() - startedAt) / 1000)
    const faults = () =>
      personas.all().flatMap(({ self: { id, name } }) => {
        const fault = agents.fault(id)
        return fault === null ? [] : `${name}: ${fault}`
      })
    return async () => ({
      status: 'ok' as const,
      version,
      uptime: getUptime(),
      zone: clock.zone,
      log_lines_dropped: log.droppedLines(),
      warnings: [clock.zoneWarning, await subscriptions.readTrouble(), ...faults()].filter(
        (warning) => typeof warning === 'string',
      ),
    })
  },
})

const OrganHealthShape = z
  .object({
    model: z.string(),
    provider: Provider.nullable(),
    state: z.enum(['well', 'failing']),
    last_error: z
      .object({
        reason: z.string(),
        time: z.string().nullable(),
        kind: z.enum(['unreachable', 'barred', 'refused']).nullable(),
      })
      .nullable(),
    key_missing: z
      .literal(true)
      .exactOptional()
      .describe('Only if its saved key is missing and must be entered again.'),
    server_refuses: z
      .array(z.string())
      .readonly()
      .exactOptional()
      .describe(
        'Features that its server refused by name since the daemon started. They are no longer requested.',
      ),
    test: z
      .object({
        result: z.enum(['works', 'no_tools', 'fails']),
        answers_json: z.boolean().nullable(),
        tokens_per_second: z.number().nullable(),
        reason: z.string().nullable(),
        time: z.string(),
      })
      .exactOptional()
      .describe('The last test of this model as the Mind, if there was one.'),
    profile: PromptProfile.exactOptional().describe(
      'Tools and instructions of its last answer in a turn. Only of a Mind that has answered.',
    ),
  })
  .meta({ id: 'OrganHealth' }) satisfies z.ZodType<OrganHealth>

const Diagnosis = z
  .object({
    status: Status,
    running: z.boolean(),
    reason: z.string().nullable().describe('Why it is not well or not awake. Null if no problem is known.'),
    version: z.string().describe('Version of the daemon.'),
    mind: z
      .object({
        messages: z
          .array(
            z.object({
              id: z.int(),
              role: z.enum(['person', 'assistant']),
              content: z.string(),
              time: z.string(),
            }),
          )
          .readonly()
          .describe(
            'Messages since the last consolidation, the oldest first. The last hundred, long ones cut.',
          ),
        archive: z
          .array(z.object({ time: z.string(), body: z.string() }))
          .readonly()
          .describe('The last thirty days that are over, the newest first.'),
        context: z.string().describe('The summary of everything before that it keeps in its context.'),
      })
      .readonly(),
    uptime: z
      .object({
        rows: z
          .array(
            z.object({
              from: z.string(),
              to: z.string(),
              cells: z
                .array(
                  z.object({
                    at: z.string(),
                    tick: z.boolean().describe('A tick ran in this minute.'),
                    fault: z.boolean(),
                    providers: z.array(z.enum(places)).readonly().describe('That failed.'),
                    signals: z.array(z.enum(signals)).readonly().describe('Signals in this minute.'),
                  }),
                )
                .readonly(),
            }),
          )
          .readonly(),
      })
      .describe(
        '24 rows of 60 minutes, the newest first in both directions, starting with the current minute. A row covers `from` to `to`, exclusive.',
      ),
    organs: z.partialRecord(Slot, OrganHealthShape).describe('The organs that it has.'),
    channels: z
      .array(
        z.object({
          type: ChannelKind,
          name: z.string().describe('The paired chat, or the bot before pairing.'),
          bot: z.string().describe('The name of the bot.'),
          verified: z.boolean(),
          state: z.enum(['well', 'failing']),
          reason: z.string().nullable().describe('Why it does not work.'),
          waiting: z.int().describe('Messages of the persona that are not delivered yet.'),
        }),
      )
      .readonly(),
    idle_timeout: z.int().describe('Seconds of silence before consolidation.'),
    diaries: z
      .object({
        kept: z.int(),
        older: z.int().describe('Number of diaries that only an older phrase opens.'),
        last: z.object({ time: z.string(), events: z.int(), bytes: z.int() }).nullable(),
      })
      .nullable()
      .describe('Diaries in the daemon. Null if the disk cannot be read.'),
    journal: z.object({
      events: z.int(),
      bytes: z.int().describe('Size on disk.'),
      bytes_per_1000_messages: z
        .int()
        .nullable()
        .describe('From the recent growth of the journal. Null if there were few messages.'),
      head: z.string().describe('Chain hash of the last record, hex.'),
      verified_at: z
        .string()
        .nullable()
        .describe('When the whole chain was last found intact. Null if unknown.'),
      durability: z
        .object({
          engine: z.literal('jetstream'),
          server: z.string().describe('Version of the server that the daemon is connected to.'),
          replicas: z.int().describe('Servers that store each commit. Most of them must acknowledge it.'),
          current: z.int().describe('Replicas that follow their leader now.'),
          differs: z
            .array(z.string())
            .readonly()
            .describe('Settings of the servers that differ from those the daemon asks for. Should be empty.'),
          age: z.number().describe('Seconds since the servers reported this.'),
        })
        .optional()
        .describe('Only in a cluster: how durable an acknowledged commit is.'),
    }),
    heads: z
      .object({
        signed: z.int().describe('Number of signed heads.'),
        events: z.int().describe('Position of the last one.'),
        time: z.string(),
      })
      .optional()
      .describe('Signed heads of the journal. Only if one was signed.'),
    calendars: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          host: z.string(),
          state: z.enum(['well', 'failing']),
          reason: z.string().nullable().describe('Why the last refresh failed.'),
          kind: z
            .enum([...calendarFailureKinds, 'daemon'])
            .nullable()
            .describe('The class of the reason.'),
          refreshed_at: z.string().nullable().describe('When the server last answered. Null: not yet.'),
        }),
      )
      .readonly()
      .optional()
      .describe('Only if the persona is subscribed to calendars of others.'),
    mailboxes: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          host: z.string(),
          state: z.enum(['well', 'failing']),
          reason: z.string().nullable().describe('Why the last look into the folder failed.'),
          kind: z
            .enum([...mailFailureKinds, 'daemon'])
            .nullable()
            .describe('The class of the reason.'),
          checked_at: z
            .string()
            .nullable()
            .describe('When it last succeeded since the start. Null: not yet.'),
          waiting: z.int().describe('New mails that are not read yet.'),
        }),
      )
      .readonly()
      .optional()
      .describe('Only if the persona reads mailboxes.'),
    subscriptions: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .readonly()
      .optional()
      .describe('Only if a subscription of another program does not get its facts. `*`: all.'),
    embeddings: z
      .object({
        model: z.string(),
        vectors: z.int(),
        tokens: z.int().describe('Tokens used, if the provider reports them.'),
        up_to: z.int().describe('Position in the journal up to which all searchable text is embedded.'),
        reason: z.string().nullable().describe('Why nothing is being embedded.'),
      })
      .optional()
      .describe('Only if texts are embedded for the search.'),
  })
  .meta({ id: 'Diagnosis' }) satisfies z.ZodType<DiagnosisView & { readonly version: string }>

export const diagnoseRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/diagnose',
  summary: 'Diagnose the persona: the context of its Mind, its last 24 hours, its organs, its journal',
  description: 'Calls no model. Works even if the journal is damaged.',
  tag: 'Health',
  reply: Diagnosis,
  refuses: ['persona_unknown'],
  handle:
    (deps) =>
    async ({ params: { persona_id: id } }) => ({
      ...(await examine(deps, id, requireListed(deps.personas, id))),
      version,
    }),
})

export const listOrgansRoute = route({
  method: 'get',
  path: '/api/persona/{persona_id}/organs',
  summary: 'The organs that it has, and which of them fail',
  description: 'A small part of the diagnosis.',
  tag: 'Health',
  reply: z
    .object({
      organs: z.partialRecord(Slot, z.object({ state: z.enum(['well', 'failing']) })),
    })
    .meta({ id: 'OrganStates' }),
  refuses: ['persona_unknown'],
  handle:
    ({ personas }) =>
    async ({ params: { persona_id: id } }) => {
      const { self } = requireListed(personas, id)
      const vitals = await personas.vitals(id)
      return personas.read(id, async ({ persona }) => ({
        organs: Object.fromEntries(
          (Object.keys(self.organs) as Slot[]).map((slot) => [
            slot,
            { state: isFailing(slot, persona, vitals) ? ('failing' as const) : ('well' as const) },
          ]),
        ),
      }))
    },
})

export const getMetricsRoute = route({
  method: 'get',
  path: '/metrics',
  summary: 'The metrics of the daemon, as Prometheus text',
  description:
    'In the text format of Prometheus, version 0.0.4. Contains no names, ids or texts of personas and users.',
  tag: 'Daemon',
  reply: 'text/plain',
  handle:
    ({ metrics, personas }) =>
    async ({ response }) => {
      await personas.ready
      const { text, type } = await metrics.render()
      response.setHeader('Content-Type', type)
      response.setHeader('Cache-Control', 'no-store')
      response.end(text)
      return alreadySent
    },
})
