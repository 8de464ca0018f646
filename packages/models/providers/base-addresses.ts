/**
 * The addresses under which a server that speaks OpenAI's protocol may have its API. People paste the address
 * of a host, or of a path without a version: the form that works is found by the first requests and is used
 * for all later ones. All forms are on the host that the user named.
 */
import type { Fetch } from '../../kit/network/network.ts'

/** By the path behind the address, the base that serves it. */
export interface FoundBases {
  get(path: string): string | undefined
  values(): Iterable<string>
  set(path: string, base: string): void
  /** No form serves the path: it is asked at this base without a search. */
  setMissing(path: string, base: string): void
  delete(path: string): void
  clear(): void
}

/** In the order in which they are tried. An address that names a version is meant as it is. */
export const baseForms = (address: string): readonly string[] => {
  const { pathname } = new URL(address)
  if (/\/v\d+[a-z]*(\/|$)/.test(pathname)) return [address]
  const paths = pathname === '/' ? hostForms : pathForms
  return paths.map((path) => `${address}${path}`)
}

const pathForms = ['/v1', ''] as const
/** As most servers, Perplexity, OpenRouter, Groq and Open WebUI have it. */
const hostForms = [...pathForms, '/api/v1', '/openai/v1', '/api'] as const

/** Requests go to the first of `bases`, which clients know, and are sent to the one that serves them. */
export const withBases = (fetch: Fetch, bases: readonly string[], found: FoundBases): Fetch => {
  const [first = ''] = bases
  if (bases.length < 2) return fetch
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith(first)) return fetch(input, init)
    const tail = url.slice(first.length)
    const [path = ''] = tail.split('?')
    const known = found.get(path)
    if (known !== undefined) {
      const { response, isMissing } = await judge(await fetch(`${known}${tail}`, init))
      if (!isMissing || known === first) return response
      // The server was moved since.
      found.delete(path)
    }
    let missing: Response | undefined
    for (const base of new Set([...found.values(), ...bases])) {
      const { response, isMissing } = await judge(await fetch(`${base}${tail}`, init))
      if (!isMissing) {
        if (response.status < 500 && response.status !== 404) found.set(path, base)
        return response
      }
      missing ??= response
    }
    // A path that no form has is not searched for again.
    found.setMissing(path, first)
    return missing ?? fetch(input, init)
  }
}

const judge = async (response: Response): Promise<{ response: Response; isMissing: boolean }> => {
  const { status, headers } = response
  // A page answers at every path of some hosts.
  if (response.ok && headers.get('content-type')?.includes('html')) return { response, isMissing: true }
  if (status !== 404 && status !== 405) return { response, isMissing: false }
  const body = await response.text()
  return { response: new Response(body, { status, headers }), isMissing: isPathMissing(status, body, null) }
}

/**
 * Whether a server has no API at this path. A model that it does not know is refused in words that name it or
 * a model; a missing path in a page, an empty answer, or words for any path.
 */
export const isPathMissing = (status: number, body: string, model: string | null): boolean => {
  if (status === 405 || (status === 404 && /^\s*(?:<|$)/.test(body))) return true
  const namesModel = model !== null && model !== '' && body.includes(model)
  // `Invalid URL (GET /v1/models)` names a path only.
  const said = body.replace(/\/[\w/]+/g, '')
  return status === 404 && !namesModel && !/model|deployment|engine|provider|endpoints found/i.test(said)
}
