/** Closing a daemon, within its process. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { is } from 'uvu/assert'
import { createModels } from '../src/open-models.ts'
import { call } from './calls.ts'
import { nowhereUrl, startDaemon, tempHome } from './daemon.ts'
import { providerUrls } from './provider-urls.ts'

// Fails if the first step that throws ends the closing: `the home … is held by a daemon that runs already`.
test('an error while closing does not prevent the other steps, and is thrown at the end', async () => {
  const home = await tempHome()
  const models = {
    ...createModels({ urls: providerUrls({ local: nowhereUrl }) }),
    close: async () => {
      throw new Error('the models stay')
    },
  }
  const daemon = await startDaemon({ home, models })
  const outcome = await daemon.close().then(
    () => 'nothing',
    (error: Error) => error.message,
  )
  is(outcome, 'the models stay')
  const healthAfter = await call(daemon.url, 'GET', '/api/health').then(
    String,
    (error: Error) => error.message,
  )
  is(healthAfter, 'fetch failed')
  const next = await startDaemon({ home })
  is((await call(next.url, 'GET', '/api/health')).status, 200)
  await next.close()
  await rm(home, { recursive: true, force: true })
})

test.run()
