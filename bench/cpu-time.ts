/** CPU time of a process on Linux. */
import { readFile } from 'node:fs/promises'

/** CPU seconds of all threads of a process. */
export const readCpuSeconds = async (pid: number | undefined): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Waits until the background work after the start is done. */
export const waitUntilIdle = async (pid: number | undefined): Promise<void> => {
  for (let previousShare = -1, cost = 0; cost - previousShare > 0.03; ) {
    previousShare = await readCpuSeconds(pid)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    cost = await readCpuSeconds(pid)
  }
}
