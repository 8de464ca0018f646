/** Converts errors of the client library, the network or a process to messages for the user. */
import { NetworkError } from '../kit/network/network-error.ts'
import { notEnough } from './authorization-trouble.ts'
import { streamEnded } from './http-transport.ts'
import type { Library } from './library.ts'
import { inSeconds, type Limits } from './server-limits.ts'
import { NotConnected, type Traces } from './stdio-transport.ts'
import { plainLine, ServerTrouble, type TroubleKind } from './trouble.ts'

export interface Circumstances {
  readonly library: Library
  readonly limits: Limits
  readonly mask: (text: string) => string
  /** The host of the address; null for a process. */
  readonly host: string | null
  /** The traces of a process; null for an address. */
  readonly traces: Traces | null
  readonly isTooLarge: boolean
  /** True during a call, false while connecting. */
  readonly isCall: boolean
}

export const describeTrouble = (error: unknown, circumstances: Circumstances): ServerTrouble => {
  const causes = [...listCauses(error)]
  const serverTrouble = causes.find((cause) => cause instanceof ServerTrouble)
  if (serverTrouble) return serverTrouble
  const say = (message: string, kind: TroubleKind, details: { sent?: boolean; status?: number } = {}) =>
    new ServerTrouble(circumstances.mask(message), kind, { sent: circumstances.isCall, ...details })
  if (circumstances.isTooLarge || circumstances.traces?.isTooLarge)
    return say(
      `It sent a message larger than ${Math.round(circumstances.limits.message / 1024 / 1024)} MiB, and was cut off.`,
      'too_large',
    )
  const network = causes.find((cause) => cause instanceof NetworkError)
  if (network) return say(`It could not be reached at ${circumstances.host}: ${network.message}.`, 'network')
  const { library } = circumstances
  const http = causes.find((cause) => cause instanceof library.SdkHttpError)
  if (http) return ofStatus(http.data.status, say)
  if (causes.some((cause) => cause instanceof library.InsufficientScopeError)) return ofStatus(403, say)
  if (causes.some((cause) => cause instanceof library.UnauthorizedError)) return ofStatus(401, say)
  const event = causes.find((cause) => cause instanceof library.SseError)
  if (event)
    return event.code === undefined
      ? say('Its stream of events broke off.', 'ended')
      : ofStatus(event.code, say)
  if (circumstances.traces?.endReason)
    return say(endedWords(circumstances.traces, circumstances.isCall), 'ended')
  const protocolError = causes.find((cause) => cause instanceof library.ProtocolError)
  if (protocolError) return ofProtocol(protocolError, circumstances, say)
  // The innermost error is the most specific.
  const sdk = causes.findLast((cause) => cause instanceof library.SdkError)
  return say(...ofClient(sdk?.code ?? null, causes, circumstances))
}

type Say = (
  message: string,
  kind: TroubleKind,
  details?: { readonly sent?: boolean; readonly status?: number },
) => ServerTrouble

const statuses: Readonly<Record<number, string>> = {
  401: 'It does not accept the authorization that was sent (401).',
  403: notEnough,
  404: 'There is no MCP server at this address (404).',
  405: 'There is no MCP server at this address (405).',
  407: 'The proxy in between requires an authorization (407).',
  429: 'It is asked too often (429).',
}

const ofStatus = (status: number, say: Say): ServerTrouble => {
  // The session has expired, so the call had no effect.
  if (status === 404) return say(statuses[404] ?? '', 'gone', { sent: false, status })
  const isRefusal = [401, 403, 407, 429].includes(status)
  return say(
    statuses[status] ?? describeRedirect(status) ?? `It answered with status ${status}.`,
    isRefusal ? 'refused' : 'network',
    { status, ...(isRefusal && { sent: false }) },
  )
}

const describeRedirect = (status: number): string | undefined =>
  status >= 300 && status < 400
    ? `It sends the call to another server (${status}), which is not followed. Is that its new address?`
    : undefined

const endedWords = ({ endReason, stderr, strangeLine }: Traces, isCall: boolean): string => {
  const endSentence = isCall ? 'It ended in the middle of the call' : 'It ended before it could be used'
  return [`${endSentence}, ${endReason}.`, ...strangeWords(strangeLine), ...lastWords(stderr)].join(' ')
}

const strangeWords = (strangeLine: string | null): readonly string[] =>
  strangeLine === null
    ? []
    : [`It writes something else than messages of MCP on its standard output: “${strangeLine}”.`]

const lastWords = (stderr: string): readonly string[] => (stderr === '' ? [] : [`It said last:\n${stderr}`])

interface Spoken {
  readonly code: number
  readonly message: string
}

const ofProtocol = ({ code, message }: Spoken, circumstances: Circumstances, say: Say): ServerTrouble => {
  if (code === streamEnded) return say('It ended its answer before it had given one.', 'ended')
  // Mask before cutting.
  return say(`It refused: ${plainLine(circumstances.mask(message), 500)} (${code}).`, 'refused')
}

const ofClient = (
  code: string | null,
  causes: readonly Error[],
  { limits, isCall, traces, library }: Circumstances,
): readonly [string, TroubleKind] => {
  const codes = library.SdkErrorCode
  const timeoutMs = isCall ? limits.silence : limits.start
  if (code === codes.RequestTimeout || causes.some(({ name }) => name === 'TimeoutError'))
    return [
      [
        `It did not answer within ${inSeconds(timeoutMs)}.`,
        ...strangeWords(traces?.strangeLine ?? null),
        ...lastWords(traces?.stderr ?? ''),
      ].join(' '),
      'timeout',
    ]
  const isCut = code === codes.ConnectionClosed || code === codes.NotConnected
  if (isCut || causes.some((cause) => cause instanceof NotConnected))
    return ['The connection to it was cut.', 'ended']
  if (code === codes.ClientHttpUnexpectedContent || causes.some(({ name }) => name === 'SyntaxError'))
    return ['There is no MCP server at this address: its answer has another format.', 'protocol']
  if (code === codes.EraNegotiationFailed || causes.some(({ message }) => /protocol version/i.test(message)))
    return ['It speaks no version of MCP that is known here.', 'protocol']
  if (code === codes.InvalidResult || causes.some(({ name }) => name === 'ZodError'))
    return ['Its answer does not follow the MCP specification.', 'protocol']
  if (code === codes.UnsupportedResultType || code === codes.CapabilityNotSupported)
    return [
      'It asks back for something that servers are not given here: a model, a form or folders.',
      'refused',
    ]
  return [`It could not be asked (${code ?? causes[0]?.name ?? 'no reason given'}).`, 'protocol']
}

/** Yields an error and its causes. */
export function* listCauses(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error) || depth > 8) return
  yield error
  yield* listCauses(error.cause, depth + 1)
  const { data } = error as { data?: unknown }
  if (typeof data === 'object' && data !== null && 'cause' in data) yield* listCauses(data.cause, depth + 1)
}
