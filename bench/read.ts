/** Measures messages that are acknowledged for 16 clients while the model does not answer. */
import { spawnDaemon } from './daemon.ts'
import type { Figure } from './figure.ts'
import { load, sendOnce } from './load.ts'
import { silentRuntime } from './silent-runtime.ts'

export const measureReads = async (): Promise<readonly Figure[]> => {
  const runtime = await silentRuntime()
  const daemon = await spawnDaemon({ OLLAMA_BASE_URL: runtime.url })
  const post = (path: string, body: object) =>
    sendOnce(undefined, {
      url: `${daemon.url}/api/persona/${path}`,
      method: 'POST',
      body: () => JSON.stringify(body),
    })
  const { persona } = JSON.parse(await post('create', { name: 'Ada', thinking_model: 'silent' })) as {
    persona: { id: string }
  }
  runtime.hush()
  await post(`${persona.id}/read?wait=0`, { message: 'hello' })
  const result = await load(16, 10_000, {
    url: `${daemon.url}/api/persona/${persona.id}/read`,
    method: 'POST',
    body: () => JSON.stringify({ message: 'A few words, as one says them.' }),
  })
  await daemon.close()
  await runtime.close()
  return [
    {
      label: 'read acknowledged, 16 clients, a silent model',
      value: result.perSecond,
      unit: '/s',
      goal: '≥ 1000/s',
      isMet: result.perSecond >= 1000,
    },
    {
      label: 'read acknowledged, p99',
      value: result.p99,
      unit: 'ms',
      goal: '< 50 ms',
      isMet: result.p99 < 50,
    },
  ]
}
