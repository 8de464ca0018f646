/** Generates load over real sockets: clients in parallel, each sending its next request after a response. */
import { Agent, request } from 'node:http'

export interface Load {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

export interface Ask {
  readonly url: string
  readonly method?: string
  readonly body?: () => string
}

/** Runs for `ms` milliseconds after a warm-up of a tenth of that. Rejects on any status other than 200. */
export const load = async (clients: number, ms: number, ask: Ask): Promise<Load> => {
  await runLoad(clients, ms / 10, ask)
  const times = await runLoad(clients, ms, ask)
  const getQuantile = quantiles(times)
  return { perSecond: (times.length / ms) * 1000, p50: getQuantile(0.5), p99: getQuantile(0.99) }
}

/** Returns a function from a share (0 to 1) to its quantile. A share of 1 gives the maximum. */
export const quantiles = (times: readonly number[]): ((share: number) => number) => {
  const sortedTimes = [...times].sort((a, b) => a - b)
  return (share) => sortedTimes[Math.min(sortedTimes.length - 1, Math.floor(sortedTimes.length * share))] ?? 0
}

const runLoad = async (clients: number, ms: number, ask: Ask): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const times: number[] = []
  const end = performance.now() + ms
  const client = async () => {
    while (performance.now() < end) {
      const startedAt = performance.now()
      await sendOnce(agent, ask)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  return times
}

/** Returns the duration in ms. */
export const measureMs = async (act: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await act()
  return performance.now() - startedAt
}

export const sendOnce = (agent: Agent | undefined, { url, method = 'GET', body }: Ask): Promise<string> =>
  new Promise((resolve, reject) => {
    const requestBody = body?.()
    const headers =
      requestBody === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(requestBody) }
    const outgoing = request(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) resolve(text)
        else reject(new Error(`${method} ${url} answered ${response.statusCode}: ${text.slice(0, 300)}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(requestBody)
  })
