/** Timeouts and size limits of tool servers. */

/** In ms and bytes. */
export interface Limits {
  /** Timeout of a start, including the list of tools. */
  readonly start: number
  /** Timeout of the version request. After it, the server counts as an older one. */
  readonly version: number
  /** Timeout of a call without an answer or progress. */
  readonly silence: number
  /** Timeout of a call, even with progress. */
  readonly whole: number
  /** Interval of the idle check. A server that was not used since the last check is closed. */
  readonly idle: number
  /** Time for a process to exit by itself, and again after SIGTERM. */
  readonly grace: number
  /** Time for the user to authorize. */
  readonly authorize: number
  /** Max bytes of one message. */
  readonly message: number
}

const MiB = 1024 * 1024

export const defaultLimits: Limits = {
  start: 60_000,
  version: 15_000,
  silence: 60_000,
  whole: 600_000,
  idle: 300_000,
  grace: 1_000,
  authorize: 600_000,
  message: 32 * MiB,
}

export const inSeconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`
