import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { made, written } from './api-types.ts'

test('the page asks the daemon as the daemon says it is asked', async () => {
  assert.is(await written(), await made(), 'write it anew: node --import tsx test/web/api-types.ts')
})

test.run()
