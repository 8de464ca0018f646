/** GET /v1/models */
import { route } from '../route.ts'
import { listRunning, ModelList, modelOf } from '../v1/persona-models.ts'

export const v1ModelsRoute = route({
  method: 'get',
  path: '/v1/models',
  summary: 'The running personas, as models of OpenAI’s API',
  description: 'In the format of OpenAI’s API.',
  tag: 'OpenAI',
  reply: ModelList,
  handle: (deps) => async () => {
    await deps.personas.ready
    return { object: 'list' as const, data: listRunning(deps).map(modelOf) }
  },
})
