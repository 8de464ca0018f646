/** Runs every command of the tutorial and of the reference. */
import { test } from 'uvu'
import { newPhrase } from '../../src/persona/phrase.ts'
import { startDaemon } from '../daemon.ts'
import { blocksOf, stepsOf } from './blocks.ts'
import { typePages, typeSteps } from './typing.ts'

const tutorial = 'docs/tutorial.md'

typePages(test, (page) => !page.startsWith('docs/how-to/') && page !== tutorial)

// Fails if an option is renamed in it, or if a word of the output is changed.
test('a new user can run the tutorial', async () => {
  const daemon = await startDaemon({ newPhrase })
  const elsewhere = await startDaemon()
  try {
    await typeSteps('', stepsOf(blocksOf(tutorial)), { daemon, elsewhere })
  } finally {
    await Promise.all([daemon.close(), elsewhere.close()])
  }
})

test.run()
