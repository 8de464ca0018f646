/** Every command that the how-to pages have a reader type, typed. */
import { rm } from 'node:fs/promises'
import { test } from 'uvu'
import { ok } from 'uvu/assert'
import { startDaemon, tempHome } from '../daemon.ts'
import { blocksOf, pages, type Step, stepsOf } from './blocks.ts'
import { makeAda, typePages, typeSteps } from './typing.ts'

// Seen failing with an option renamed on a page.
typePages(test, (page) => page.startsWith('docs/how-to/'))

/** What is to be typed while no daemon runs, with what it prints. */
const stoppedSteps = (page: string): readonly Step[] =>
  stepsOf(
    blocksOf(page).map((block) => {
      if (block.language !== 'sh') return block
      return { ...block, mark: block.mark === 'with the daemon stopped' ? null : 'not now' }
    }),
  )

test('what is typed while no daemon runs can be, on the home that one left', async () => {
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
