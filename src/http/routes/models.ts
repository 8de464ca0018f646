/** Routes that list providers and models. */
import { totalmem } from 'node:os'
import * as z from 'zod'
import { Slot } from '../../../facts/fact-values.ts'
import { faults } from '../../../packages/models/mind.ts'
import { ModelError } from '../../../packages/models/models.ts'
import type { Proof } from '../../../packages/models/prove-mind.ts'
import { perProvider } from '../../../packages/models/providers/provider-table.ts'
import { requireListed } from '../../commands/lifecycle.ts'
import { testMind, testModel } from '../../commands/mind-test.ts'
import { describeModels, listModels, type Server, selectServer } from '../../commands/model-list.ts'
import { readProvider } from '../../commands/organ-request.ts'
import { route } from '../route.ts'
import { withAbortSignal } from '../server/client-abort.ts'

const Provider = z.object({ url: z.string() }).meta({ id: 'ProviderConfig' })

export const getProvidersRoute = route({
  method: 'get',
  path: '/api/config/providers',
  summary: 'The default address of each provider',
  description: 'The address from the environment, otherwise the default of the provider.',
  tag: 'Models',
  reply: z.object({ local: Provider, ...perProvider(() => Provider) }).meta({ id: 'ProvidersConfig' }),
  handle: ({ config: { urls } }) => {
    const answer = { local: { url: urls.local }, ...perProvider((_, name) => ({ url: urls[name] })) }
    return () => answer
  },
})

const ModelsRequest = z
  .object({
    provider: z.string().nullish(),
    url: z.string().nullish(),
    api_key: z.string().nullish(),
    persona_id: z
      .string()
      .nullish()
      .describe(
        'Without `api_key`: use the key that this persona stores for the provider. It is sent only to the address that it is stored for; for another one the request is refused.',
      ),
    organ: Slot.nullish().describe(
      'Return only models that can serve this organ, the suggested one first. Unknown models are last.',
    ),
    details: z
      .boolean()
      .nullish()
      .describe('Return details of the models. If none can be listed, return the reason and an empty list.'),
  })
  .meta({ id: 'ModelsRequest' })

const ModelDetails = z
  .object({
    name: z.string(),
    bytes: z.number().nullable().describe('Size of its file. Null if unknown.'),
    tools: z.boolean().nullable().describe('Whether it can call tools. Null if unknown.'),
    price: z
      .enum(['cheap', 'moderate', 'expensive'])
      .optional()
      .describe('Compared with other chat models. Absent if the price list lacks it.'),
    speed: z
      .enum(['fast', 'slow'])
      .optional()
      .describe("By the provider's documentation. Absent if it is neither, or unknown."),
  })
  .meta({ id: 'ModelDetails' })

const ModelNames = z
  .object({
    models: z.array(z.string()).readonly(),
    suggested: z.string().nullable().optional().describe('The model to choose, if an organ is requested.'),
    details: z.array(ModelDetails).readonly().optional().describe('Details of known models, if requested.'),
    memory: z.number().optional().describe('Memory of this machine in bytes, if details are requested.'),
    reason: z.string().nullable().optional().describe('Why no model can be listed. Only with details.'),
    fault: z.enum(faults).nullable().optional().describe('The cause of `reason`. Null if unknown.'),
  })
  .meta({ id: 'ModelNames' })

export const listModelsRoute = route({
  method: 'post',
  path: '/api/models',
  summary: 'The model names that a runtime or provider offers',
  description:
    'Calls the runtime or provider, with the given key, the one that a persona stores, or the one from the environment. No response contains a key.',
  tag: 'Models',
  body: ModelsRequest,
  reply: ModelNames,
  refuses: ['provider_unknown', 'persona_unknown', 'key_elsewhere', 'key_unknown', 'model_failed'],
  handle:
    (deps) =>
    async ({ body: { provider, url, api_key: key, persona_id: personaId, organ, details } }) => {
      const server = await selectServer(deps, {
        provider: readProvider(provider),
        url: url || null,
        apiKey: key || null,
        personaId: personaId || null,
      })
      const slot = organ ?? null
      return details ? listWithDetails(deps, server, slot) : listModels(deps, server, slot)
    },
})

export const ModelTest = z
  .object({
    talks: z.boolean(),
    uses_tools: z.boolean().nullable(),
    answers_json: z.boolean().nullable(),
    tokens_per_second: z.number().nullable().describe('Null if unknown.'),
    reason: z.string().nullable().describe('Why the first failed test failed: one sentence.'),
    fault: z
      .enum(faults)
      .nullable()
      .describe('The cause of `reason`. Null if unknown, or if no test failed.'),
  })
  .meta({ id: 'ModelTest' })

export const toTestView = (proof: Proof): z.output<typeof ModelTest> => ({
  talks: proof.talks,
  uses_tools: proof.usesTools,
  answers_json: proof.answersJson,
  tokens_per_second: proof.tokensPerSecond,
  reason: proof.reason,
  fault: proof.fault ?? null,
})

export const testModelRoute = route({
  method: 'post',
  path: '/api/models/test',
  summary: 'Test whether a model can talk, use a tool and answer in JSON',
  description:
    'Calls the model up to three times, with the given key or the one from the environment, for at most three minutes. A model that cannot use tools can still be a Mind: it then remembers only at the consolidation.',
  tag: 'Models',
  body: z
    .object({
      model: z.string().min(1).max(1000),
      provider: z.string().nullish(),
      url: z.string().nullish(),
      api_key: z.string().nullish(),
    })
    .meta({ id: 'ModelTestRequest' }),
  reply: ModelTest,
  refuses: ['provider_unknown'],
  handle:
    (deps) =>
    ({ body: { model, provider, url, api_key: key }, response }) => {
      const organ = { model, provider: readProvider(provider), url: url || null, apiKey: key || null }
      return withAbortSignal(response, deps.closing, async (signal) =>
        toTestView(await testModel(deps, organ, signal)),
      )
    },
})

export const testMindRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/test',
  summary: 'Test whether the Mind of the persona can talk, use a tool and answer in JSON',
  description: 'As /api/models/test, with the stored key. The result is recorded in the history.',
  tag: 'Models',
  reply: ModelTest,
  refuses: ['persona_unknown', 'model_missing'],
  handle:
    (deps) =>
    ({ params: { persona_id: id }, response }) =>
      withAbortSignal(response, deps.closing, async (signal) => toTestView(await testMind(deps, id, signal))),
})

export const tryMindRoute = route({
  method: 'post',
  path: '/api/persona/{persona_id}/try',
  summary: 'Try a failing Mind now instead of after the pause',
  description:
    'Returns immediately. If the Mind answers, waiting messages are answered. Does nothing if the Mind works or the persona is not running.',
  tag: 'Models',
  reply: z.null(),
  refuses: ['persona_unknown'],
  handle:
    ({ personas, agents }) =>
    async ({ params: { persona_id: id } }) => {
      requireListed(personas, id)
      agents.tryMind(id)
      return null
    },
})

const listWithDetails = async (
  deps: Parameters<typeof describeModels>[0],
  server: Server,
  slot: Slot | null,
): Promise<z.output<typeof ModelNames>> => {
  const memory = totalmem()
  try {
    const offer = await listModels(deps, server, slot)
    const details = await describeModels(deps, server, offer.models, slot)
    return { ...offer, details, memory, reason: null, fault: null }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const { message: reason, fault } = error
    return { models: [], details: [], memory, reason, fault }
  }
}
