/** Runs every command of the how-to pages. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { ok } from 'uvu/assert'
import { startDaemon, tempHome } from '../daemon.ts'
import { listBlocks, pages, type Step, toSteps } from './blocks.ts'
import { makeAda, typePages, typeSteps } from './typing.ts'

// Fails if an option is renamed on a page.
typePages(test, (page) => page.startsWith('docs/how-to/'))

/** Returns the steps to run while the daemon is stopped, with their output. */
const stoppedSteps = (page: string): readonly Step[] =>
  toSteps(
    listBlocks(page).map((block) => {
      if (block.language !== 'sh') return block
      return { ...block, mark: block.mark === 'with the daemon stopped' ? null : 'not now' }
    }),
  )

test('runs the commands for a stopped daemon on the home of one', async () => {
  const home = await tempHome()
  const daemon = await startDaemon({ home })
  await makeAda(daemon)
  await daemon.close()
  const steps = pages().flatMap(stoppedSteps)
  ok(steps.length > 0)
  await typeSteps('', steps, { daemon })
  await rm(home, { recursive: true, force: true })
})

test.run()
