/** Routes of the subscriptions of other programs to the facts of personas. */
import * as z from 'zod'
import { isFact } from '../../../facts/facts.ts'
import { isoIn } from '../../../packages/kit/time/clock.ts'
import { AuditLine } from '../../audit/audit-line.ts'
import type { DeadLetter } from '../../subscriptions/subscription.ts'
import type { SubscriptionState } from '../../subscriptions/subscriptions.ts'
import { findTargetProblem, isSecret } from '../../subscriptions/webhook.ts'
import { HttpRefused, type Item } from '../refused.ts'
import { type RouteDeps, route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'
import { withoutEcho } from '../server/validation.ts'

const all = z.literal('*')

const FactSubscription = z
  .object({
    name: z.string(),
    personas: z.union([all, z.array(z.string()).readonly()]),
    kinds: z.union([all, z.array(z.string()).readonly()]),
    words: z.boolean(),
    webhook: z
      .object({
        url: z.string().describe('Its query, which may contain a secret, is shown as `***`.'),
        secret: z.literal('***'),
      })
      .nullable()
      .describe('Null: facts are pulled.'),
    max_attempts: z.int(),
    state: z.enum(['well', 'failing', 'paused']),
    reason: z.string().nullable().describe('Why it is failing or paused.'),
    lag: z.object({
      facts: z.int().describe('Facts after the acknowledged positions, also of other kinds.'),
      seconds: z
        .number()
        .nullable()
        .describe('Age of the oldest fact that waits for the webhook. Null: none waits.'),
    }),
    delivered: z.int().describe('Facts that were acknowledged by the webhook since the daemon started.'),
    dead: z.int().describe('Dead letters.'),
  })
  .meta({ id: 'FactSubscription' })

const toView = (
  { subscription, state, reason, behind, oldest, delivered }: SubscriptionState,
  now: number,
): z.infer<typeof FactSubscription> => {
  const { name, personas, kinds, words, webhook, maxAttempts, dead } = subscription
  return {
    ...{ name, words, state, reason, delivered },
    personas: personas ?? '*',
    kinds: kinds ?? '*',
    webhook: webhook && { url: withoutQuery(webhook.url), secret: '***' },
    max_attempts: maxAttempts,
    lag: { facts: behind, seconds: oldest === null ? null : Math.max(0, (now - oldest) / 1000) },
    dead: dead.length,
  }
}

const maskedQuery = '?***'

const withoutQuery = (address: string): string => {
  const { origin, pathname, search } = new URL(address)
  return `${origin}${pathname}${search && maskedQuery}`
}

/** Returns the stored address for the form in which it is shown. Null if it is masked, but not that form. */
const toUnmasked = (address: string, storedAddress: string | undefined): string | null => {
  if (!URL.canParse(address) || new URL(address).search !== maskedQuery) return address
  const isShown = storedAddress !== undefined && withoutQuery(storedAddress) === withoutQuery(address)
  return isShown ? storedAddress : null
}

const Personas = z
  .union([all, z.array(z.string().max(64)).min(1).max(10_000)])
  .default('*')
  .describe('Ids, or `*` for all, also those that are created later.')

const Kinds = z
  .union([
    all,
    z.array(z.string().refine(isFact, 'Must be the name of a fact, such as MessageHeard.')).min(1).max(1000),
  ])
  .default('*')
  .describe('Names of facts, or `*` for all.')

const Webhook = z.object({
  url: z
    .string()
    .max(2000)
    .describe(
      'On this machine, or on a host of `DAIMON_WEBHOOK_HOSTS`. The query `***` stands for the stored one, if the rest of the address is the same.',
    ),
  secret: z
    .string()
    .max(200)
    .refine((secret) => secret === '***' || isSecret(secret), 'Must be whsec_ and 24 to 64 bytes in base64.')
    .optional()
    .describe('Signs the requests. Absent or `***`: the stored one stays, or one is created and returned.'),
})

const SubscriptionBody = z
  .object({
    personas: Personas,
    kinds: Kinds,
    words: z
      .boolean()
      .default(false)
      .describe('Deliver whole facts with their text. Otherwise only fields that hold no text of anyone.'),
    webhook: Webhook.optional(),
    pull: z.boolean().optional().describe('True instead of a webhook: a program pulls the facts.'),
    start: z
      .enum(['now', 'beginning'])
      .default('now')
      .describe('Where personas begin that exist already and are new to the subscription.'),
    max_attempts: z.int().min(1).max(100).default(20).describe('Until a batch becomes a dead letter.'),
  })
  .refine(
    ({ webhook, pull = false }) => (webhook !== undefined) !== pull,
    'Give either webhook, or pull as true.',
  )
  .meta({ id: 'FactSubscriptionRequest' })

const Name = /^[a-z0-9][a-z0-9_-]{0,63}$/

const refuse = (loc: readonly string[], msg: string): never => {
  const item: Item = { type: 'value_error', loc, msg: `Value error, ${msg}` }
  throw new HttpRefused({ code: 'invalid', items: [item] })
}

const open = ({ subscriptions }: Pick<RouteDeps, 'subscriptions'>) => subscriptions.open()

export const listFactSubscriptionsRoute = route({
  method: 'get',
  path: '/api/subscriptions',
  summary: 'The subscriptions of other programs to facts',
  description: 'With the facts that are not delivered yet, and the reason if a webhook does not accept them.',
  tag: 'Journal',
  reply: z.object({ subscriptions: z.array(FactSubscription).readonly() }).meta({ id: 'FactSubscriptions' }),
  refuses: ['journal_unavailable'],
  handle: (deps) => async () => ({
    subscriptions: (await open(deps)).list().map((state) => toView(state, deps.clock.now())),
  }),
})

export const getFactSubscriptionRoute = route({
  method: 'get',
  path: '/api/subscriptions/{name}',
  summary: 'A subscription of another program',
  description: 'Its signing secret is not shown.',
  tag: 'Journal',
  reply: FactSubscription,
  refuses: ['subscription_unknown', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { name } }) =>
      toView((await open(deps)).get(name), deps.clock.now()),
})

export const putFactSubscriptionRoute = route({
  method: 'put',
  path: '/api/subscriptions/{name}',
  summary: 'Subscribe a program to facts, or change its subscription',
  description:
    'Facts are delivered at least once, and in order for each persona. Positions stay when the definition changes. A paused subscription is resumed. After a change of the secret, requests are also signed with the previous one for a day.',
  tag: 'Journal',
  body: withoutEcho(SubscriptionBody),
  reply: z
    .object({
      subscription: FactSubscription,
      secret: z.string().nullable().describe('The secret that was created. It is shown only now.'),
    })
    .meta({ id: 'FactSubscriptionStored' }),
  refuses: ['subscriptions_full', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { name }, body }) => {
      if (!Name.test(name))
        refuse(['path', 'name'], 'a name has lower-case letters, digits, - and _, at most 64')
      const { personas, kinds, words, webhook = null, start, max_attempts: maxAttempts } = body
      const unknownId = personas === '*' ? undefined : personas.find((id) => !deps.personas.getRow(id))
      if (unknownId !== undefined)
        refuse(['body', 'personas'], `there is no persona ${JSON.stringify(unknownId)}`)
      const subscriptions = await open(deps)
      const storedState = subscriptions.list().find(({ subscription }) => subscription.name === name)
      const url = webhook && toUnmasked(webhook.url, storedState?.subscription.webhook?.url)
      const problem =
        webhook &&
        (url === null
          ? 'its query is masked as *** and no subscription with this name has this address: send the whole address'
          : findTargetProblem(url, deps.config.webhookHosts))
      if (problem) refuse(['body', 'webhook', 'url'], problem)
      const { state, secret } = await subscriptions.put({
        ...{ name, words, start, maxAttempts },
        personas: personas === '*' ? null : [...new Set(personas)],
        kinds: kinds === '*' ? null : [...new Set(kinds)],
        webhook: webhook && {
          url: url ?? webhook.url,
          secret: webhook.secret === '***' ? undefined : webhook.secret,
        },
      })
      return { subscription: toView(state, deps.clock.now()), secret }
    },
})

export const removeFactSubscriptionRoute = route({
  method: 'delete',
  path: '/api/subscriptions/{name}',
  summary: 'End a subscription of another program',
  description: 'Its secret, its positions and its dead letters are deleted.',
  tag: 'Journal',
  reply: z.null(),
  refuses: ['subscription_unknown', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { name } }) => {
      await (await open(deps)).remove(name)
      return null
    },
})

export const replayFactsRoute = route({
  method: 'post',
  path: '/api/subscriptions/{name}/replay',
  summary: 'Deliver the facts of a persona again from a position',
  description: 'Cursors from before are no longer accepted.',
  tag: 'Journal',
  body: z
    .object({
      persona_id: z.string(),
      after: z.int().min(0).describe('The facts after this position. 0: all.'),
    })
    .meta({ id: 'FactReplayRequest' }),
  reply: FactSubscription,
  refuses: ['subscription_unknown', 'persona_unknown', 'position_unknown', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { name }, body: { persona_id: id, after } }) => {
      const subscriptions = await open(deps)
      await subscriptions.replay(name, id, after)
      return toView(subscriptions.get(name), deps.clock.now())
    },
})

export const pullFactsRoute = route({
  method: 'get',
  path: '/api/subscriptions/{name}/facts',
  summary: 'The next facts of a subscription without a webhook',
  description: 'The same facts are returned until their cursor is acknowledged.',
  tag: 'Journal',
  query: z.object({
    max: z.int().min(1).max(1000).default(100).describe('Max number of facts.'),
    wait: z.int().min(0).max(60).default(0).describe('Seconds to wait for the first fact.'),
  }),
  reply: z
    .object({
      facts: z.array(AuditLine.extend({ persona_id: z.string() }).meta({ id: 'PulledFact' })).readonly(),
      cursor: z.string().nullable().describe('To acknowledge these facts. Null: there are none.'),
      more: z.boolean().describe('Whether more facts wait already.'),
    })
    .meta({ id: 'PulledFacts' }),
  refuses: ['subscription_unknown', 'subscription_pushed', 'journal_unavailable', 'cut_short'],
  handle:
    (deps) =>
    ({ params: { name }, query: { max, wait }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => {
        const options = { max, waitMs: wait * 1000 }
        const { facts, cursor, more } = await (await open(deps)).pull(name, options, signal)
        return { facts: facts.map((fact) => JSON.parse(fact)), cursor, more }
      }),
})

export const acknowledgeFactsRoute = route({
  method: 'post',
  path: '/api/subscriptions/{name}/ack',
  summary: 'Acknowledge pulled facts',
  description: 'The position is on disk before the response is sent. Repeating it does no harm.',
  tag: 'Journal',
  body: z.object({ cursor: z.string().max(1_000_000) }).meta({ id: 'FactAcknowledgement' }),
  reply: FactSubscription,
  refuses: [
    'subscription_unknown',
    'subscription_pushed',
    'cursor_invalid',
    'cursor_stale',
    'journal_unavailable',
  ],
  handle:
    (deps) =>
    async ({ params: { name }, body: { cursor } }) => {
      const subscriptions = await open(deps)
      await subscriptions.acknowledge(name, cursor)
      return toView(subscriptions.get(name), deps.clock.now())
    },
})

const DeadLetterView = z
  .object({
    id: z.string().describe('The `webhook-id` of its requests.'),
    persona_id: z.string(),
    after: z.int(),
    upto: z.int().describe('The facts after `after`, up to this one.'),
    facts: z.int(),
    attempts: z.int(),
    reason: z.string(),
    time: z.string(),
  })
  .meta({ id: 'DeadLetter' })

const toLetterView = (
  { id, persona, after, upTo, facts, attempts, reason, at }: DeadLetter,
  zone: string,
): z.infer<typeof DeadLetterView> => ({
  ...{ id, facts, attempts, reason },
  persona_id: persona,
  after: after.seq,
  upto: upTo.seq,
  time: isoIn(zone, at),
})

export const listDeadLettersRoute = route({
  method: 'get',
  path: '/api/subscriptions/{name}/dead',
  summary: 'The batches that a webhook never accepted',
  description: 'They contain no facts, only positions. The facts stay in the journal.',
  tag: 'Journal',
  reply: z.object({ letters: z.array(DeadLetterView).readonly() }).meta({ id: 'DeadLetters' }),
  refuses: ['subscription_unknown', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { name } }) => {
      const { subscription } = (await open(deps)).get(name)
      return { letters: subscription.dead.map((letter) => toLetterView(letter, deps.clock.zone)) }
    },
})

export const retryFactsRoute = route({
  method: 'post',
  path: '/api/subscriptions/{name}/retry',
  summary: 'Send waiting batches and dead letters now, and resume a paused subscription',
  description:
    'Dead letters are sent one after another, up to the first that is not accepted. Accepted ones are removed.',
  tag: 'Journal',
  reply: FactSubscription,
  refuses: ['subscription_unknown', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { name } }) => {
      const subscriptions = await open(deps)
      await subscriptions.retry(name)
      return toView(subscriptions.get(name), deps.clock.now())
    },
})

export const dropDeadLetterRoute = route({
  method: 'delete',
  path: '/api/subscriptions/{name}/dead/{id}',
  summary: 'Give up a dead letter',
  description: 'Its facts stay in the journal.',
  tag: 'Journal',
  reply: z.null(),
  refuses: ['subscription_unknown', 'letter_unknown', 'journal_unavailable'],
  handle:
    (deps) =>
    async ({ params: { name, id } }) => {
      await (await open(deps)).dropLetter(name, id)
      return null
    },
})
