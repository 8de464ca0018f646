/** The settings with which a local runtime loads a model. */

export interface LocalSettings {
  /** Context size in tokens, or null for the default. */
  readonly context: number | null
  /**
   * How long the runtime holds a model in memory after a request: a duration such as `10m`, or seconds. -1:
   * forever. Null: the setting of the runtime.
   */
  readonly keepAlive: string | number | null
}

/** A typical home computer can hold this context. */
const defaultContext = 16_384

/**
 * Returns the context size of a model in tokens. It is the same for all requests, because a runtime reloads
 * the model when the size changes. `limit`: the model's limit, or null if unknown.
 */
export const toContextSize = ({ context }: LocalSettings, limit: number | null): number =>
  Math.min(context ?? defaultContext, limit ?? Number.POSITIVE_INFINITY)

/**
 * Returns the fields of a chat request that decide how the model is loaded. Source:
 * github.com/ollama/ollama/blob/main/docs/api.md
 */
export const toLoadFields = (settings: LocalSettings, limit: number | null) => ({
  options: { num_ctx: toContextSize(settings, limit) },
  ...(settings.keepAlive !== null && { keep_alive: settings.keepAlive }),
})

/** Converts `keepAlive` to ms. Returns infinity for -1, and null for the default. */
export const toKeepAliveMs = (keepAlive: LocalSettings['keepAlive']): number | null => {
  if (keepAlive === null) return null
  if (typeof keepAlive === 'number') return keepAlive < 0 ? Number.POSITIVE_INFINITY : keepAlive * 1000
  const parts = [...keepAlive.matchAll(/([\d.]{1,20})(ms|s|m|h)/g)]
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ''] ?? 0), 0)
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
