/** Measures the list of 100 personas, against Express sending the same bytes as a constant. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnDaemon, spawnListening } from './daemon.ts'
import { type Figure, median } from './figure.ts'
import { load, sendOnce } from './load.ts'

const personas = 100
const constant = fileURLToPath(new URL('./constant.ts', import.meta.url))

export const list = async (): Promise<readonly Figure[]> => {
  const daemon = await spawnDaemon()
  for (let i = 0; i < personas; i++)
    await sendOnce(undefined, {
      url: `${daemon.url}/api/persona/create`,
      method: 'POST',
      body: () => JSON.stringify({ name: `Ada ${i}`, thinking_model: 'embedded/practice' }),
    })
  const url = `${daemon.url}/api/personas`
  const file = join(daemon.home, 'list.json')
  await writeFile(file, await sendOnce(undefined, { url }))
  const baseline = await spawnListening(['--import', 'tsx', constant, file])
  const ours: number[] = []
  const personaCounts: number[] = []
  for (let i = 0; i < 3; i++) {
    personaCounts.push((await load(16, 3000, { url: baseline.url })).perSecond)
    ours.push((await load(16, 3000, { url })).perSecond)
  }
  await baseline.close()
  await daemon.close()
  return [
    {
      label: `GET /api/personas with ${personas} personas, 16 clients`,
      value: median(ours),
      unit: '/s',
      baseline: { label: 'Express sending the same bytes', value: median(personaCounts) },
      goal: '≥ 0.8 × Express',
      isMet: median(ours) >= 0.8 * median(personaCounts),
    },
  ]
}
