/** Starts daemons of one cluster and talks to them. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '../calls.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by tests, which say what they expect there
export type Body = any

export const call = async (
  url: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: unknown; headers?: object } = {},
): Promise<readonly [number, Body, Headers]> => {
  const answer = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return [answer.status, text === '' ? null : JSON.parse(text), answer.headers]
}

/** Environment of a daemon in a cluster. */
export const createClusterEnv = async (addresses: readonly string[], folder: string) => {
  const key = join(folder, 'cluster.key')
  await writeFile(key, `${'1f'.repeat(32)}\n`)
  return {
    DAIMON_NATS: addresses.join(','),
    DAIMON_CLUSTER_KEY: key,
    DAIMON_CLUSTER_REPLICAS: `${Math.min(3, addresses.length)}`,
  }
}

export const create = async (url: string, name: string, overrides: object = {}): Promise<string> => {
  const [status, created] = await call(`${url}/api/persona/create`, {
    method: 'POST',
    body: { name, thinking_model: 'embedded/practice', ...overrides },
  })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(created)}`)
  return created.persona.id
}

/** Sends a message to any daemon and returns the persona's answer. */
export const say = async (url: string, id: string, message: string, key: string = randomUUID()) =>
  call(`${url}/api/persona/${id}/read?wait=30`, {
    method: 'POST',
    body: { message },
    headers: { 'idempotency-key': key },
  })

export const listPersonas = async (url: string): Promise<readonly Body[]> =>
  (await call(`${url}/api/personas`))[1].personas

/** Names of the running personas in a daemon's list. */
const listRunning = async (url: string): Promise<readonly string[]> =>
  (await listPersonas(url)).filter((item) => item.running).map(({ name }) => name)

export const waitUntilRunning = (url: string, names: readonly string[]): Promise<unknown> =>
  waitFor(`${names} to run`, async () => `${[...(await listRunning(url))].sort()}` === `${[...names].sort()}`)
