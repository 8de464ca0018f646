/** GET /v1/models/{id} */
import { route } from '../route.ts'
import { findModel, Model, modelOf } from '../v1/persona-models.ts'

export const v1Model = route({
  method: 'get',
  path: '/v1/models/{id}',
  summary: 'One persona that runs, by its id or its name',
  description: 'As a client of OpenAI’s API expects a model to be told.',
  tag: 'OpenAI',
  reply: Model,
  refuses: ['model_not_found'],
  handle:
    (deps) =>
    async ({ params: { id } }) =>
      modelOf(await findModel(deps, id)),
})
