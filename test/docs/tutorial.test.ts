/** Every command of the tutorial and of what is looked up, typed. */
import { test } from 'uvu'
import { newPhrase } from '../../src/persona/phrase.ts'
import { startDaemon } from '../daemon.ts'
import { blocksOf, stepsOf } from './blocks.ts'
import { typePages, typeSteps } from './typing.ts'

const tutorial = 'docs/tutorial.md'

typePages(test, (page) => !page.startsWith('docs/how-to/') && page !== tutorial)

// Seen failing with an option renamed in it, and with a word changed that is printed.
test('the tutorial can be typed by somebody who has nothing yet', async () => {
  const [daemon, elsewhere] = [await startDaemon({ newPhrase }), await startDaemon()]
  try {
    await typeSteps('', stepsOf(blocksOf(tutorial)), { daemon, elsewhere })
  } finally {
    await Promise.all([daemon.close(), elsewhere.close()])
  }
})

test.run()
