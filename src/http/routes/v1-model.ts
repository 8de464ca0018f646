/** GET /v1/models/{id} */
import { route } from '../route.ts'
import { findModel, Model, modelOf } from '../v1/persona-models.ts'

export const v1ModelRoute = route({
  method: 'get',
  path: '/v1/models/{id}',
  summary: 'One running persona, by its id or its name',
  description: 'In the format of OpenAI’s API.',
  tag: 'OpenAI',
  reply: Model,
  refuses: ['model_not_found'],
  handle:
    (deps) =>
    async ({ params: { id } }) =>
      modelOf(await findModel(deps, id)),
})
