/**
 * Leaves out the fields that a server refuses by name. A chat request that is refused is repeated without the
 * field, and the field is left out of later requests for a day, because servers are upgraded. A remedy is
 * remembered only after the server accepted a request with it. Refused requests cost no tokens and are not
 * counted as calls.
 */
import { isObject } from '../../kit/is-object.ts'
import type { Fetch } from '../../kit/network/network.ts'
import { wantsResponses } from './chat-ways.ts'
import { type Beginning, readBeginning } from './error-in-answer.ts'
import { type Body, type Remedy, remedies } from './remedies.ts'
import { asEventStream } from './whole-as-stream.ts'

/** What one model at one address refuses. Holds names of remedies only, nothing of a request. */
export interface RefusedFields {
  /** In the order in which they were learned. */
  current(): readonly Remedy[]
  remember(learned: readonly Remedy[]): void
  clear(): void
  /** Epoch milliseconds at which each was learned. */
  since(): ReadonlyMap<Remedy, number>
}

const rememberedMs = 86_400_000

/** `known`: with epoch milliseconds. `onChange` is called after each change but expiry. */
export const createRefusedFields = (
  now: () => number,
  known: Iterable<readonly [Remedy, number]> = [],
  onChange: () => void = () => {},
): RefusedFields => {
  const since = new Map(known)
  return {
    current: () => {
      for (const [remedy, time] of since) if (now() - time >= rememberedMs) since.delete(remedy)
      return [...since.keys()]
    },
    remember: (learned) => {
      const fresh = learned.filter((remedy) => !since.has(remedy))
      for (const remedy of fresh) since.set(remedy, now())
      if (fresh.length > 0) onChange()
    },
    clear: () => {
      if (since.size === 0) return
      since.clear()
      onChange()
    },
    since: () => since,
  }
}

/** Remedies that one request may try, beyond those remembered. */
const maxTries = 5
const chatPaths = /\/(?:chat\/completions|responses|messages)$/
/** OpenRouter answers 404, llama.cpp 500 or 501. */
const refusals: readonly number[] = [400, 404, 415, 422, 500, 501]
/** UTF-16 units of a refusal that are matched. */
const maxRead = 16_384

export const withoutRefused =
  (fetch: Fetch, refused: RefusedFields): Fetch =>
  async (input, init = {}) => {
    const asked = readBody(input, init)
    if (!asked) return fetch(input, init)
    const known = refused.current()
    const learned: Remedy[] = []
    for (;;) {
      const used = [...known, ...learned]
      const body = used.reduce((sent, remedy) => remedy.apply(sent) ?? sent, asked)
      const { response, refusal } = await readAnswer(
        await fetch(input, { ...init, body: JSON.stringify(body) }),
      )
      const next =
        refusal === undefined || learned.length === maxTries ? undefined : findRemedy(refusal, body, used)
      if (next) {
        await response.body?.cancel()
        learned.push(next)
        continue
      }
      if (response.ok && refusal === undefined) refused.remember(learned)
      return response.ok && asked.stream === true ? asEventStream(response) : response
    }
  }

const readAnswer = async (response: Response): Promise<Beginning> => {
  // A server that has begun to stream can refuse only inside the stream.
  if (response.ok) return readBeginning(response)
  const { status, headers } = response
  if (!refusals.includes(status)) return { response, refusal: undefined }
  const text = await response.text()
  return { response: new Response(text, { status, headers }), refusal: text }
}

const readBody = (input: Parameters<Fetch>[0], { body }: RequestInit): Body | undefined => {
  const url = new URL(input instanceof Request ? input.url : input)
  if (typeof body !== 'string' || !chatPaths.test(url.pathname)) return undefined
  const value: unknown = JSON.parse(body)
  return isObject(value) ? value : undefined
}

/** The first row that matches the refusal, was not used yet, and changes the request. */
const findRemedy = (refusal: string, body: Body, used: readonly Remedy[]): Remedy | undefined => {
  const said = refusal.slice(0, maxRead)
  // The whole request belongs to the other API, which takes its tools.
  if ('messages' in body && wantsResponses(said)) return undefined
  return remedies.find(
    (remedy) => !used.includes(remedy) && remedy.refusal.test(said) && remedy.apply(body) !== undefined,
  )
}
