/** GET /api/facts/schema: one definition for each version of each fact. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { personaVocabulary } from '../../facts/facts.ts'
import { readAudit } from '../audit-stream.ts'
import { factsByType } from '../journal/facts.ts'
import { isValid, type Schema } from './schema.ts'
import { shareSetup } from './setup.ts'

const setup = shareSetup(test)
const path = '/api/facts/schema'

const readDefinitions = async (): Promise<Readonly<Record<string, Schema & { version?: number }>>> =>
  (await setup.get(path))[1].$defs

test('describes every fact that this build writes, and the versions before', async () => {
  const definitions = await readDefinitions()
  for (const [type, { type: _, ...payload }] of Object.entries(factsByType)) {
    const schema = definitions[type]
    assert.ok(schema, type)
    assert.is(schema.version, personaVocabulary.versions.get(type))
    assert.ok(isValid(schema, JSON.parse(JSON.stringify(payload)), definitions), type)
    for (let version = 1; version < (schema.version ?? 0); version++)
      assert.is(definitions[`${type}@${version}`]?.version, version)
  }
  assert.not.ok(isValid(definitions.Renamed as Schema, { name: 7 }, definitions))
})

test('describes the payloads of the journal of a persona', async () => {
  const personaPath = await setup.home()
  await setup.say(personaPath, 'hello there')
  const definitions = await readDefinitions()
  const lines = await readAudit(setup.daemon.url, personaPath.split('/')[3] ?? '')
  assert.ok(lines.length > 5)
  for (const { type, payload } of lines)
    assert.ok(isValid(definitions[type] as Schema, payload, definitions), type)
})

test('is not sent again to a client that has it', async () => {
  const first = await fetch(`${setup.daemon.url}${path}`)
  const etag = first.headers.get('etag') ?? ''
  assert.match(etag, /^"[0-9a-f]{32}"$/)
  assert.is(first.headers.get('cache-control'), 'no-cache')
  const again = await fetch(`${setup.daemon.url}${path}`, { headers: { 'If-None-Match': etag } })
  assert.equal([again.status, (await again.text()).length], [304, 0])
  const other = await fetch(`${setup.daemon.url}${path}`, { headers: { 'If-None-Match': '"other"' } })
  assert.is(other.status, 200)
  await other.text()
  const head = await fetch(`${setup.daemon.url}${path}`, { method: 'HEAD' })
  assert.equal([head.status, head.headers.get('etag')], [200, etag])
})

test.run()
