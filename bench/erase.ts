/**
 * Measures erasing one fact's payload from a journal of a million facts, through the HTTP route of the built
 * daemon: time, memory, and how long other requests wait. The journal is rewritten for it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillHome } from '../test/ordeal/homes.ts'
import { startProcess } from '../test/process/daemon.ts'
import type { Figure } from './figure.ts'
import { copyPersona, measureWatched, quiet, seconds } from './long-work.ts'

/** Share of the full size: `ERASE_BENCH=0.1` for a tenth. */
const facts = Math.round(1_000_000 * (Number(process.env.ERASE_BENCH) || 1))

export const erase = async (): Promise<readonly Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const home = join(folder, 'home')
  try {
    const [id = ''] = await fillHome(home, [facts])
    const copySeconds = await seconds(() => copyPersona(home, id, join(folder, 'copied')))
    const daemon = await startProcess({ home, env: { DAIMON_LOG_LEVEL: 'error' } })
    const personaUrl = `${daemon.url}/api/persona/${id}`
    try {
      await quiet(daemon.child.pid)
      const line = await (await fetch(`${personaUrl}/journal?type=MessageHeard&last=1`)).text()
      const body = JSON.stringify({ seqs: [JSON.parse(line).seq] })
      const { took, work, memory, waitedMs } = await measureWatched(
        daemon.child.pid,
        async () => (await fetch(`${daemon.url}/api/personas`)).text(),
        async () => {
          const headers = { 'Content-Type': 'application/json' }
          const response = await fetch(`${personaUrl}/erase`, { method: 'POST', headers, body })
          if (response.status !== 200) throw new Error(await response.text())
          await response.arrayBuffer()
        },
      )
      const label = `payload of one fact of ${facts} erased`
      const baseline = { label: 'copying and opening the journal unchecked', value: copySeconds }
      return [
        { label, value: took, unit: 's', goal: '< 30 s', baseline, isMet: took < 30 },
        { label: `${label}, CPU time`, value: work, unit: 's', goal: '< 30 s', isMet: work < 30 },
        { label: `${label}, memory`, value: memory, unit: 'MB', goal: '< 100 MB more', isMet: memory < 100 },
        {
          label: `${label}, longest wait of other requests`,
          value: waitedMs,
          unit: 'ms',
          goal: '< 100 ms',
          isMet: waitedMs < 100,
        },
      ]
    } finally {
      await daemon.kill('SIGTERM')
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
