/** GET /v1/models and /v1/models/{id}: the running personas, with the client library of OpenAI. */
import OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { getApiError, shareSetup } from './v1-setup.ts'

const setup = shareSetup(test)

test('lists running personas as models', async () => {
  const ada = await setup.born()
  const eva = await setup.born({ name: 'Eva' })
  await setup.post(`/api/persona/${eva}/stop`)
  const { data } = await setup.client.models.list()
  assert.equal(
    data.map(({ id, object, owned_by }) => [id, object, owned_by]),
    [[ada, 'model', 'daimon']],
  )
  const [model] = data
  assert.ok(model && Math.abs(model.created - Date.now() / 1000) < 600, 'created is in seconds')
  assert.equal(await setup.client.models.retrieve(ada), model)
  const error = await getApiError(setup.client.models.retrieve(eva))
  assert.instance(error, OpenAI.NotFoundError)
  assert.is(error.code, 'model_not_found')
  assert.match(error.message, 'is not running')
})

test('finds a persona by its name in any case if it is unique among the running ones', async () => {
  const id = await setup.born({ name: 'Zoë of Porto' })
  assert.is((await setup.client.models.retrieve('zoë of porto')).id, id)
  const otherPersona = await setup.born({ name: 'Zoë of Porto' })
  assert.match((await getApiError(setup.client.models.retrieve('Zoë of Porto'))).message, 'by id')
  await setup.post(`/api/persona/${otherPersona}/stop`)
  assert.is((await setup.client.models.retrieve('Zoë of Porto')).id, id)
})

test('returns errors for an unknown model and an unknown path that clients understand', async () => {
  const error = await getApiError(setup.client.models.retrieve('gpt-4o'))
  assert.instance(error, OpenAI.NotFoundError)
  assert.equal([error.code, error.type], ['model_not_found', 'invalid_request_error'])
  const { status, body } = await setup.get('/v1/models/gpt-4o')
  assert.equal([status, body.detail], [404, body.error.message])
  const embeddings = await getApiError(setup.client.embeddings.create({ model: 'x', input: 'x' }))
  assert.instance(embeddings, OpenAI.NotFoundError)
  assert.is(embeddings.code, 'path_unknown')
})

test.run()
