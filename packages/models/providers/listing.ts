/** Lists the models of a provider. */
import { isAbsent, keyHeader, tryParseJson } from './asking.ts'
import { type About, type Refusal, toModelError, toRefusalError } from './failures.ts'
import { getAdapter } from './provider-table.ts'

/** `absent`: there is no list, or not with this key. `odd`: the response was not a list. */
export type Listed = readonly string[] | 'absent' | 'odd'

const mostPages = 5
const longestName = 300

/** Throws `MindError`, or the signal's reason. */
export const list = async (context: About, signal: AbortSignal | undefined): Promise<Listed> => {
  const names = new Set<string>()
  let next: string | null = ''
  for (let page = 0; page < mostPages && next !== null; page++) {
    const read = await readPage(context, next, signal)
    if (typeof read === 'string') return page === 0 ? read : [...names]
    for (const name of read.names) if (name && name.length <= longestName) names.add(name)
    next = read.next
  }
  return [...names]
}

interface Page {
  readonly names: readonly string[]
  /** The cursor of the next page, or null. */
  readonly next: string | null
}

const readPage = async (
  context: About,
  cursor: string,
  signal: AbortSignal | undefined,
): Promise<Page | 'absent' | 'odd'> => {
  const { base, service, fetch } = context.address
  const adapter = await getAdapter(service)
  const headers = {
    accept: 'application/json',
    ...adapter.listHeaders,
    ...keyHeader(context.address),
  }
  try {
    const response = await fetch(`${base}/models${adapter.listQuery?.(encodeURIComponent(cursor)) ?? ''}`, {
      headers,
      ...(signal ? { signal } : {}),
    })
    const body = await response.text()
    if (response.ok) return toPage(tryParseJson(body)) ?? 'odd'
    return absentOr({ status: response.status, headers: Object.fromEntries(response.headers), body }, context)
  } catch (error) {
    signal?.throwIfAborted()
    throw toModelError(error, context)
  }
}

/**
 * A key may allow chats but no lists, and a server may refuse this request but accept chats.
 */
const absentOr = (refusal: Refusal, context: About): 'absent' => {
  const { status, body } = refusal
  if (isAbsent(status) || (status === 403 && /scope|insufficient permissions/i.test(body))) return 'absent'
  const modelError = toRefusalError(refusal, context)
  if (modelError.kind === 'refused') return 'absent'
  throw modelError
}

/**
 * OpenAI and Anthropic return ids under `data`, Gemini names under `models`, some servers a bare list of
 * either.
 */
const toPage = (body: unknown): Page | undefined => {
  const {
    data,
    models,
    has_more: hasMore,
    last_id: last,
    nextPageToken: token,
  } = (body ?? {}) as Record<string, unknown>
  const items = [body, data, models].find((list): list is unknown[] => Array.isArray(list))
  if (!items) return undefined
  const next = hasMore === true ? last : token
  return { names: items.map(getName), next: typeof next === 'string' && next ? next : null }
}

const getName = (item: unknown): string => {
  const { id, name } = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>
  const rawName = [item, id, name].find((value): value is string => typeof value === 'string') ?? ''
  return rawName.replace(/^models\//, '')
}
