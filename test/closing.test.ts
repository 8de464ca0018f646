/** The end of a daemon, in the process that held it. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { is } from 'uvu/assert'
import { createModels } from '../src/open-models.ts'
import { call } from './calls.ts'
import { nowhereUrl, startDaemon, tempHome } from './daemon.ts'
import { providerUrls } from './provider-urls.ts'

// Seen failing with steps of which the first that throws is the last: `the home … is held by a daemon that
// runs already`.
test('what throws while a daemon closes keeps nothing else open, and is thrown when all is closed', async () => {
  const home = await tempHome()
  const models = {
    ...createModels({ urls: providerUrls({ local: nowhereUrl }) }),
    close: async () => {
      throw new Error('the models stay')
    },
  }
  const daemon = await startDaemon({ home, models })
  const said = await daemon.close().then(
    () => 'nothing',
    (error: Error) => error.message,
  )
  is(said, 'the models stay')
  const after = await call(daemon.url, 'GET', '/api/health').then(String, (error: Error) => error.message)
  is(after, 'fetch failed')
  const next = await startDaemon({ home })
  is((await call(next.url, 'GET', '/api/health')).status, 200)
  await next.close()
  await rm(home, { recursive: true, force: true })
})

test.run()
