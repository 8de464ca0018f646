/** GET /v1/models and /v1/models/{id}: the personas who run, as OpenAI's own client sees them. */
import OpenAI from 'openai'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shareDoor, thrownBy } from './v1-door.ts'

const door = shareDoor(test)

test('a persona who runs is a model; one who does not is none', async () => {
  const [ada, eva] = [await door.born(), await door.born({ name: 'Eva' })]
  await door.post(`/api/persona/${eva}/stop`)
  const { data } = await door.client.models.list()
  assert.equal(
    data.map(({ id, object, owned_by }) => [id, object, owned_by]),
    [[ada, 'model', 'daimon']],
  )
  const [model] = data
  assert.ok(model && Math.abs(model.created - Date.now() / 1000) < 600, 'created is told in seconds')
  assert.equal(await door.client.models.retrieve(ada), model)
  const error = await thrownBy(door.client.models.retrieve(eva))
  assert.instance(error, OpenAI.NotFoundError)
  assert.is(error.code, 'model_not_found')
  assert.match(error.message, 'does not run')
})

test('its name does as well, in any case, while nobody else who runs has it', async () => {
  const id = await door.born({ name: 'Zoë of Porto' })
  assert.is((await door.client.models.retrieve('zoë of porto')).id, id)
  const other = await door.born({ name: 'Zoë of Porto' })
  assert.match((await thrownBy(door.client.models.retrieve('Zoë of Porto'))).message, 'by id')
  await door.post(`/api/persona/${other}/stop`)
  assert.is((await door.client.models.retrieve('Zoë of Porto')).id, id)
})

test('an unknown model and an unknown path are errors that clients understand', async () => {
  const error = await thrownBy(door.client.models.retrieve('gpt-4o'))
  assert.instance(error, OpenAI.NotFoundError)
  assert.equal([error.code, error.type], ['model_not_found', 'invalid_request_error'])
  const { status, body } = await door.get('/v1/models/gpt-4o')
  assert.equal([status, body.detail], [404, body.error.message])
  const embeddings = await thrownBy(door.client.embeddings.create({ model: 'x', input: 'x' }))
  assert.instance(embeddings, OpenAI.NotFoundError)
  assert.is(embeddings.code, 'path_unknown')
})

test.run()
