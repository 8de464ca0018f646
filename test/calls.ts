/** Calls the API like a client, and polls for a condition. */

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into by tests, which say what they expect there
  readonly body: any
}

export interface CallOptions {
  /** Value of the header `Idempotency-Key`. */
  readonly key?: string
  /** Timeout in ms. */
  readonly timeoutMs?: number
}

/** Rejects only if no complete response arrives. */
export const call = async (
  base: string,
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT',
  path: string,
  body?: unknown,
  { key, timeoutMs = 30_000 }: CallOptions = {},
): Promise<Reply> => {
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  const init = {
    method,
    headers,
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  const response = await fetch(`${base}${path}`, init)
  const text = await response.text()
  return {
    status: response.status,
    body: response.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text,
  }
}

/** Polls until `look` returns something other than undefined or false. */
export const waitFor = async <T>(
  description: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 30_000,
): Promise<T> => {
  const end = Date.now() + timeoutMs
  // The poll may be as expensive as the condition itself, so the interval grows.
  for (let wait = 8; ; wait = Math.min(wait * 1.3, 60)) {
    const result = await check()
    if (result !== undefined && result !== false) return result
    if (Date.now() > end) throw new Error(`timed out waiting for ${description}`)
    await pause(wait)
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
