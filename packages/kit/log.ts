/**
 * The daemon's log: readable lines on a terminal, otherwise JSON lines. Only listed fields are written, so
 * that no secret can get in.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import { pathless } from './files/pathless.ts'
import { type LineOutput, openLineOutput } from './files/standard-streams.ts'
import { currentPlace } from './tracing/tracing.ts'

/**
 * Fields that may be logged besides the sentence. Whole objects (requests, organs, facts) are not allowed,
 * because they may hold secrets.
 */
export interface Fields {
  readonly id?: string
  readonly seq?: number
  readonly turn?: number
  readonly status?: number
  readonly ms?: number
  readonly route?: string
  readonly reason?: string
  readonly count?: number
  readonly err?: unknown
}

/** No method throws. A line that cannot be written is dropped and counted. */
export interface Log {
  debug(fields: Fields, sentence: string): void
  info(fields: Fields, sentence: string): void
  warn(fields: Fields, sentence: string): void
  error(fields: Fields, sentence: string): void
}

/** A log that knows the daemon's secrets and writes `***` in place of them. */
export interface DiscreetLog extends Log {
  /** Hides a secret from now on. Ignores secrets below 8 characters, which would hide ordinary words. */
  hide(secret: string): void
  /** Returns the text as it would be logged. */
  mask(text: string): string
  /** Number of lines that could not be written since the start. */
  droppedLines(): number
}

export interface LogOptions {
  /** One of pino's levels, or `silent`. Stacks are written at `debug` and below. */
  readonly level: string
  /**
   * Default: stderr, because stdout carries the start-up lines. A stream with `isTTY` gets readable lines.
   */
  readonly stream?: DestinationStream & { readonly isTTY?: boolean }
}

export const createLog = async ({ level, stream }: LogOptions): Promise<DiscreetLog> => {
  const output = await openOutput(stream)
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => error }, // pino's own adds what we left out
    },
    output,
  )
  const mask = createMask()
  return { ...writers(logger, output, mask.text), hide: mask.hide, mask: mask.text }
}

const openOutput = async (stream: LogOptions['stream']): Promise<LineOutput> => {
  const lineOutput = stream ? toLineOutput(stream) : openLineOutput()
  if (!isTerminal(stream)) return lineOutput
  // Only the formatter: the stream of pino-pretty writes one tick later, when the process may have ended.
  const { prettyFactory } = await import('pino-pretty')
  const toReadable = prettyFactory({ colorize: true, translateTime: 'SYS:HH:MM:ss.l' })
  return { ...lineOutput, write: (line) => lineOutput.write(toReadable(line)) }
}

/**
 * Node makes a pipe non-blocking when `process.stderr` is first read. Without that, a reader that stops
 * reading would block the whole process.
 */
const isTerminal = (stream: LogOptions['stream']): boolean => {
  try {
    return (stream ?? process.stderr).isTTY === true
  } catch {
    return false
  }
}

const toLineOutput = (stream: DestinationStream): LineOutput => ({
  write: (line) => stream.write(line),
  getDroppedCount: () => 0,
})

const writers = (logger: Logger, output: LineOutput, mask: (text: string) => string) => {
  const withStack = logger.isLevelEnabled('debug')
  let failureCount = 0
  let reportedLines = 0
  const droppedLines = () => output.getDroppedCount() + failureCount
  const report = (level: keyof Log) => {
    const countBefore = droppedLines()
    const count = countBefore - reportedLines
    logger[level]({ count }, `${count} lines of this log could not be written`)
    if (droppedLines() === countBefore) reportedLines = countBefore
  }
  const writer = (level: keyof Log) => (fields: Fields, sentence: string) => {
    try {
      if (!logger.isLevelEnabled(level)) return
      const countBefore = droppedLines()
      logger[level](chooseFields(fields, withStack, mask), mask(sentence))
      if (droppedLines() === countBefore && countBefore > reportedLines) report(level)
    } catch {
      failureCount++
    }
  }
  const log: Log = {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
  return { ...log, droppedLines }
}

const words = ['id', 'route', 'reason'] as const satisfies readonly (keyof Fields)[]
const numbers = ['seq', 'turn', 'status', 'ms', 'count'] as const satisfies readonly (keyof Fields)[]

/** Picks fields by name and type, and ignores all other properties of the object. */
const chooseFields = (
  fields: Fields,
  withStack: boolean,
  mask: (text: string) => string,
): Record<string, unknown> => {
  const pickedFields: Record<string, unknown> = {}
  for (const name of words) if (typeof fields[name] === 'string') pickedFields[name] = mask(fields[name])
  for (const name of numbers) if (typeof fields[name] === 'number') pickedFields[name] = fields[name]
  if (fields.err !== undefined) pickedFields.err = describeError(fields.err, withStack, mask)
  const place = currentPlace()
  if (place) Object.assign(pickedFields, { trace_id: place.traceId, span_id: place.spanId })
  return pickedFields
}

// Never the cause or other properties: errors of HTTP clients contain URLs with tokens and whole requests.
const describeError = (
  err: unknown,
  withStack: boolean,
  mask: (text: string) => string,
): Record<string, unknown> => {
  if (!(err instanceof Error)) return { name: typeof err, message: typeof err === 'string' ? mask(err) : '' }
  const { code } = err as { code?: unknown }
  return {
    name: mask(String(err.name)),
    message: mask(String(err.message)),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(withStack && err.stack ? { stack: mask(err.stack) } : {}),
  }
}

const maxLength = 2000

const createMask = () => {
  const secrets = new Set<string>()
  // Created when a line is written, because each new secret changes it.
  let cachedPattern: RegExp | undefined
  const maskSecrets = (text: string): string => {
    if (secrets.size === 0) return text
    cachedPattern ??= createSecretPattern(secrets)
    return text.replace(cachedPattern, '***')
  }
  return {
    hide: (secret: string): void => {
      if (secret.length < 8 || secrets.has(secret)) return
      secrets.add(secret)
      cachedPattern = undefined
    },
    // Masked before truncation, or a truncated secret would not match.
    text: (text: string): string => printable(pathless(maskSecrets(text))),
  }
}

const createSecretPattern = (secrets: ReadonlySet<string>): RegExp => {
  // Longest first, because one secret may start with another.
  const patterns = [...secrets].sort((a, b) => b.length - a.length).map(literal)
  // Linear: alternatives of literal text.
  return new RegExp(patterns.join('|'), 'g')
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Untrusted text: replaces control characters, which a terminal would interpret, and truncates long text. */
const printable = (text: string): string => {
  const plainText = text.replace(/[^\P{Cc}\n\t]/gu, ' ')
  return plainText.length > maxLength ? `${plainText.slice(0, maxLength)}…` : plainText
}
