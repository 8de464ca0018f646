/** Runs every command of the tutorial and of the reference. */
import { test } from 'uvu'
import { newPhrase } from '../../src/persona/phrase.ts'
import { startDaemon } from '../daemon.ts'
import { listBlocks, toSteps } from './blocks.ts'
import { typePages, typeSteps } from './typing.ts'

const tutorial = 'docs/tutorial.md'

typePages(test, (page) => !page.startsWith('docs/how-to/') && page !== tutorial)

// Fails if an option is renamed in it, or if a word of the output is changed.
test('a new user can run the tutorial', async () => {
  const daemon = await startDaemon({ newPhrase })
  const otherDaemon = await startDaemon()
  try {
    await typeSteps('', toSteps(listBlocks(tutorial)), { daemon, otherDaemon: otherDaemon })
  } finally {
    await Promise.all([daemon.close(), otherDaemon.close()])
  }
})

test.run()
