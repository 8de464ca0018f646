/** Classifies refusals of providers, and explains them to the user. */
import type { Fault, MindError } from '../mind.ts'
import type { Address } from './address.ts'
import { isPathMissing } from './base-addresses.ts'

type Cause =
  | 'path'
  | 'key'
  | 'noKey'
  | 'credit'
  | 'filter'
  | 'model'
  | 'busy'
  | 'failed'
  | 'length'
  | 'refused'

export const kinds: Readonly<Record<Cause, MindError['kind']>> = {
  path: 'barred',
  key: 'barred',
  noKey: 'barred',
  credit: 'barred',
  model: 'barred',
  busy: 'unreachable',
  failed: 'unreachable',
  filter: 'refused',
  length: 'refused',
  refused: 'refused',
}

export const getFault = (cause: Cause, hasKey: boolean): Fault | null =>
  cause === 'key' && !hasKey ? 'key_missing' : faultTable[cause]

const faultTable: Readonly<Record<Cause, Fault | null>> = {
  path: 'address_wrong',
  key: 'key_refused',
  noKey: 'key_missing',
  credit: 'no_credit',
  model: 'model_unknown',
  busy: 'busy',
  failed: 'failed',
  filter: null,
  length: null,
  refused: null,
}

interface Sign {
  readonly cause: Cause
  readonly status: (status: number) => boolean
  readonly words?: RegExp
}

const matchesAny = () => true
const matchesStatus =
  (...statuses: readonly number[]) =>
  (status: number) =>
    statuses.includes(status)

/** The first match counts. Texts are matched only if providers use one status for several causes. */
const signs: readonly Sign[] = [
  { cause: 'credit', status: matchesStatus(402) },
  // Google uses the same text for a limit per minute and per month.
  { cause: 'busy', status: matchesStatus(429), words: /retry in|"retryDelay"|RESOURCE_EXHAUSTED/i },
  {
    cause: 'credit',
    status: (status) => status !== 404,
    words:
      /insufficient_quota|credit balance|exceeded your current quota|used all available credits|insufficient (funds|balance|credits)/i,
  },
  {
    cause: 'filter',
    status: matchesStatus(400, 403, 422),
    words: /content[_ ](filter|policy)|usage guidelines|safety system|SAFETY_CHECK/i,
  },
  { cause: 'key', status: matchesStatus(401, 403) },
  {
    cause: 'key',
    status: matchesStatus(400, 422),
    words:
      /(invalid|incorrect|missing|expired|not valid)[^.]{0,30}api[ _-]?key|api[ _-]?key[^.]{0,30}(invalid|incorrect|missing|expired|not valid|not found)/i,
  },
  { cause: 'model', status: matchesStatus(404) },
  {
    cause: 'model',
    status: matchesStatus(400, 422),
    words:
      /model_not_found|model\b[^.]{0,120}\b(not found|does not exist|is not available)|(unknown|invalid) model\b/i,
  },
  { cause: 'busy', status: matchesStatus(408, 409, 425, 429) },
  { cause: 'failed', status: (status) => status >= 500 },
  { cause: 'length', status: matchesStatus(413) },
  {
    cause: 'length',
    status: matchesAny,
    words:
      /context[ _](length|window|size)|(prompt|input)[^.]{0,40}too (long|large)|too many tokens|maximum (context|prompt)|token count[^.]{0,60}exceeds/i,
  },
]

export const getCause = (status: number, body: string, model: string | null): Cause => {
  if (isPathMissing(status, body, model)) return 'path'
  return findSign(status, body)
}

const findSign = (status: number, body: string): Cause =>
  signs.find((sign) => sign.status(status) && (sign.words?.test(body) ?? true))?.cause ?? 'refused'

export const sentences: Readonly<
  Record<Cause, (address: Address, reason: string, model: string | null) => string>
> = {
  path: ({ title, at, service }, reason) =>
    `There is no API at ${at} (${reason}). Check the address: it should be the one that ${
      service === 'compatible' ? "the server's" : `${title}'s`
    } documentation calls its base URL.`,
  key: (address, reason) =>
    address.key === null
      ? sentences.noKey(address, reason, null)
      : `${address.title} at ${address.at} did not accept the key (${reason}). Give the organ the right API key${keyPage(address)}.`,
  noKey: (address, reason) =>
    `${address.title} at ${address.at} asks for a key (${reason}). Give the organ an API key${keyPage(address)}.`,
  credit: (address, reason) =>
    `${address.title} at ${address.at} reports that the account has no credit left (${reason}). Look at its billing page, or give the organ another key.`,
  model: ({ title, at, service }, reason, model) =>
    `${title} at ${at} does not know ${model === null ? 'the requested resource' : `the model "${model}"`} (${reason}). ${
      service === 'compatible'
        ? 'Check its name and the address, or choose another'
        : 'Check its name, or choose another'
    } under settings.`,
  busy: ({ title, at }, reason) =>
    `${title} at ${at} is too busy for this account (${reason}). Try again in a moment.`,
  failed: ({ title, at, service }, reason) =>
    `${title} at ${at} failed (${reason}). ${service === 'compatible' ? 'See its log.' : 'Try again in a moment.'}`,
  filter: ({ title, at }, reason) =>
    `${title} at ${at} declined to answer this (${reason}). Rephrase it, or choose another model.`,
  length: ({ title, at }, reason, model) =>
    `This was too long for ${model === null ? title : `"${model}"`} at ${at} (${reason}). Shorten it, or choose a model with a larger context window.`,
  refused: ({ title, at }, reason) => `${title} at ${at} refused the request (${reason}).`,
}

const keyPage = ({ keyPage: page }: Address) => (page ? `; ${page} has yours` : '')
