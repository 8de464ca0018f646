/**
 * Measures forking a persona with a million facts at its head and in its middle, through the HTTP route of
 * the built daemon: time, memory, and how long other requests wait.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import { startProcess } from '../test/process/daemon.ts'
import type { Figure } from './figure.ts'
import { copyPersona, measureCreation, measureWatched, quiet, seconds } from './long-work.ts'

/** Share of the full size: `FORK_BENCH=0.1` for a tenth. */
const facts = Math.round(1_000_000 * (Number(process.env.FORK_BENCH) || 1))

export const fork = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  try {
    const home = join(folder, 'home')
    await mkdir(home)
    const [id = ''] = await fillHome(home, [facts])
    const copySeconds = await seconds(() => copyPersona(home, id, join(folder, 'copied')))
    const daemon = await startProcess({ home, env: { DAIMON_LOG_LEVEL: 'error' } })
    try {
      const baseline = { label: 'copying and opening the journal unchecked', value: copySeconds }
      await quiet(daemon.child.pid)
      const creating = await measureCreation(daemon.url, daemon.child.pid)
      const head = await measureFork(daemon, id, {})
      const middle = await measureFork(daemon, id, { at: facts / 2 })
      const seconds = { unit: 's', goal: '< 10 s' }
      const label = `a persona with ${facts} facts`
      return [
        { label: `${label}, forked`, value: head.took, ...seconds, baseline, isMet: head.took < 10 },
        { label: `${label}, forked, CPU time`, value: head.work, ...seconds, isMet: head.work < 10 },
        { label: `${label}, forked in its middle`, value: middle.took, ...seconds, isMet: middle.took < 10 },
        {
          label: `${label}, forked, memory of the daemon`,
          value: head.memory,
          unit: 'MB',
          goal: '< 50 MB over that',
          isMet: head.memory - creating.memory < 50,
          baseline: { label: 'creating a persona', value: creating.memory },
        },
        {
          label: `${label}, forked, longest wait of other requests`,
          value: head.waitedMs,
          unit: 'ms',
          goal: '< 100 ms',
          isMet: head.waitedMs < 100,
        },
      ]
    } finally {
      await daemon.kill('SIGTERM')
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Resolves when the fork exists and is running. */
const measureFork = async (
  { url, child: { pid } }: Awaited<ReturnType<typeof startProcess>>,
  id: string,
  body: object,
) => {
  await quiet(pid)
  return measureWatched(
    pid,
    async () => (await fetch(`${url}/api/personas`)).text(),
    async () => {
      const response = await fetch(`${url}/api/persona/${id}/fork`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (response.status !== 200) throw new Error(await response.text())
      await response.arrayBuffer()
    },
  )
}
