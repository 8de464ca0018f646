/**
 * Omits fields that a server refuses by name. A refused chat request is repeated without the field, and later
 * requests omit it for a day, because servers are upgraded. A remedy is remembered only after the server
 * accepted a request with it. Refused requests cost no tokens and are not counted as calls.
 */
import { isObject } from '../../kit/is-object.ts'
import type { Fetch } from '../../kit/network/network.ts'
import { wantsResponses } from './chat-ways.ts'
import { type Beginning, readBeginning } from './error-in-answer.ts'
import { type Body, type Remedy, remedies } from './remedies.ts'
import { asEventStream } from './whole-as-stream.ts'

/** The refused fields of one model at one address. Stores only names of remedies, nothing of a request. */
export interface RefusedFields {
  /** Returns them in the order in which they were learned. */
  current(): readonly Remedy[]
  remember(newRemedies: readonly Remedy[]): void
  clear(): void
  /** Epoch milliseconds by remedy. */
  learnedAt(): ReadonlyMap<Remedy, number>
}

const rememberedMs = 86_400_000

/** `known`: remedies with the time at which they were learned. `onChange` is not called on expiry. */
export const createRefusedFields = (
  now: () => number,
  knownRemedies: Iterable<readonly [Remedy, number]> = [],
  onChange: () => void = () => {},
): RefusedFields => {
  const learnedAt = new Map(knownRemedies)
  return {
    current: () => {
      for (const [remedy, time] of learnedAt) if (now() - time >= rememberedMs) learnedAt.delete(remedy)
      return [...learnedAt.keys()]
    },
    remember: (remedies) => {
      const newRemedies = remedies.filter((remedy) => !learnedAt.has(remedy))
      for (const remedy of newRemedies) learnedAt.set(remedy, now())
      if (newRemedies.length > 0) onChange()
    },
    clear: () => {
      if (learnedAt.size === 0) return
      learnedAt.clear()
      onChange()
    },
    learnedAt: () => learnedAt,
  }
}

/** Max new remedies per request. */
const maxTries = 5
const chatPaths = /\/(?:chat\/completions|responses|messages)$/
/** Statuses of such refusals. OpenRouter uses 404, llama.cpp 500 or 501. */
const refusals: readonly number[] = [400, 404, 415, 422, 500, 501]
/** Max UTF-16 units of a refusal that are matched. */
const maxRead = 16_384

export const withoutRefused =
  (fetch: Fetch, refusedFields: RefusedFields): Fetch =>
  async (input, init = {}) => {
    const sentBody = readBody(input, init)
    if (!sentBody) return fetch(input, init)
    const knownRemedies = refusedFields.current()
    const newRemedies: Remedy[] = []
    for (;;) {
      const usedRemedies = [...knownRemedies, ...newRemedies]
      const body = usedRemedies.reduce(
        (patchedBody, remedy) => remedy.apply(patchedBody) ?? patchedBody,
        sentBody,
      )
      const { response, refusal } = await readAnswer(
        await fetch(input, { ...init, body: JSON.stringify(body) }),
      )
      const next =
        refusal === undefined || newRemedies.length === maxTries
          ? undefined
          : findRemedy(refusal, body, usedRemedies)
      if (next) {
        await response.body?.cancel()
        newRemedies.push(next)
        continue
      }
      if (response.ok && refusal === undefined) refusedFields.remember(newRemedies)
      return response.ok && sentBody.stream === true ? asEventStream(response) : response
    }
  }

const readAnswer = async (response: Response): Promise<Beginning> => {
  // A server may have sent its status before it refuses. Then the refusal is in the stream.
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

/** Returns the first unused row that matches the refusal and changes the request. */
const findRemedy = (refusal: string, body: Body, usedRemedies: readonly Remedy[]): Remedy | undefined => {
  const text = refusal.slice(0, maxRead)
  // The other API accepts the whole request, including its tools.
  if ('messages' in body && wantsResponses(text)) return undefined
  return remedies.find(
    (remedy) =>
      !usedRemedies.includes(remedy) && remedy.refusal.test(text) && remedy.apply(body) !== undefined,
  )
}
