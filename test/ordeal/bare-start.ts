/** What Node itself takes to start here and now: the measure of a busy machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Milliseconds. */
export const bareStart = async (): Promise<number> => {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '0']), 'exit')
  return performance.now() - began
}
