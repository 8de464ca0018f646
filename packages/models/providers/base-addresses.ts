/**
 * The addresses at which a server that speaks OpenAI's protocol may have its API. Users paste the address of
 * a host, or a path without a version. The first requests find the form that works, and all later ones use
 * it. All forms are on the user's host.
 */
import type { Fetch } from '../../kit/network/network.ts'

/** The working base address, by request path. */
export interface FoundBases {
  get(path: string): string | undefined
  values(): Iterable<string>
  set(path: string, base: string): void
  /** Records that no form has the path. Requests to it use this base without a search. */
  setMissing(path: string, base: string): void
  delete(path: string): void
  clear(): void
}

/** Returns the forms in the order of the attempts. An address with a version is used as it is. */
export const baseForms = (address: string): readonly string[] => {
  const { pathname } = new URL(address)
  if (/\/v\d+[a-z]*(\/|$)/.test(pathname)) return [address]
  const paths = pathname === '/' ? hostForms : pathForms
  return paths.map((path) => `${address}${path}`)
}

const pathForms = ['/v1', ''] as const
/** The forms of most servers, Perplexity, OpenRouter, Groq and Open WebUI. */
const hostForms = [...pathForms, '/api/v1', '/openai/v1', '/api'] as const

/** Clients send requests to the first base; this fetch redirects them to the working one. */
export const withBases = (fetch: Fetch, bases: readonly string[], foundBases: FoundBases): Fetch => {
  const [first = ''] = bases
  if (bases.length < 2) return fetch
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!url.startsWith(first)) return fetch(input, init)
    const tail = url.slice(first.length)
    const [path = ''] = tail.split('?')
    const knownBase = foundBases.get(path)
    if (knownBase !== undefined) {
      const { response, isMissing } = await judge(await fetch(`${knownBase}${tail}`, init))
      if (!isMissing || knownBase === first) return response
      // The server has moved.
      foundBases.delete(path)
    }
    let missingResponse: Response | undefined
    for (const base of new Set([...foundBases.values(), ...bases])) {
      const { response, isMissing } = await judge(await fetch(`${base}${tail}`, init))
      if (!isMissing) {
        if (response.status < 500 && response.status !== 404) foundBases.set(path, base)
        return response
      }
      missingResponse ??= response
    }
    // If no form has this path, do not search again.
    foundBases.setMissing(path, first)
    return missingResponse ?? fetch(input, init)
  }
}

const judge = async (response: Response): Promise<{ response: Response; isMissing: boolean }> => {
  const { status, headers } = response
  // Some hosts return a web page for every path.
  if (response.ok && headers.get('content-type')?.includes('html')) return { response, isMissing: true }
  if (status !== 404 && status !== 405) return { response, isMissing: false }
  const body = await response.text()
  return { response: new Response(body, { status, headers }), isMissing: isPathMissing(status, body, null) }
}

/**
 * Returns true if a server has no API at this path. If only the model is unknown, the response mentions it or
 * a model. If the path is missing, the response is a web page, empty, or a general message.
 */
export const isPathMissing = (status: number, body: string, model: string | null): boolean => {
  if (status === 405 || (status === 404 && /^\s*(?:<|$)/.test(body))) return true
  const namesModel = model !== null && model !== '' && body.includes(model)
  // `Invalid URL (GET /v1/models)` mentions only a path.
  const bodyWithoutPaths = body.replace(/\/[\w/]+/g, '')
  return (
    status === 404 &&
    !namesModel &&
    !/model|deployment|engine|provider|endpoints found/i.test(bodyWithoutPaths)
  )
}
