/** Measures how long Node itself takes to start: the yardstick for a busy machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** In ms. */
export const measureBareStart = async (): Promise<number> => {
  const startedAt = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'exit')
  return performance.now() - startedAt
}
