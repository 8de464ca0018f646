/** GET /api/health */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pause } from '../calls.ts'
import { joinKeys, shareSetup } from './setup.ts'

const setup = shareSetup(test)

test('returns status, version and uptime of the daemon', async () => {
  const [status, body] = await setup.get('/api/health')
  assert.equal([status, joinKeys(body)], [200, 'status version uptime zone log_lines_dropped warnings'])
  assert.equal([body.status, body.version, body.warnings], ['ok', '0.1.0', []])
  assert.ok(body.uptime >= 0 && body.uptime < 60)
  await pause(20)
  assert.ok((await setup.get('/api/health'))[1].uptime > body.uptime)
})

test('forbids caching and reveals nothing about the machine', async () => {
  const { headers } = await setup.send({ path: '/api/health' })
  assert.is(headers['cache-control'], 'no-store')
  assert.equal([headers['x-powered-by'], headers.server], [undefined, undefined])
})

test.run()
