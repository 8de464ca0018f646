/** How long servers are waited for, and how much of theirs is taken. */

/** Milliseconds and bytes. */
export interface Limits {
  /** Until it has answered once and told its tools. */
  readonly start: number
  /** For an answer on which version it speaks, before it is taken for an older one. */
  readonly version: number
  /** Of a call without an answer or progress. */
  readonly silence: number
  /** Of a call, whatever progress it makes. */
  readonly whole: number
  /** Between two looks: who was not used between them is ended. */
  readonly idle: number
  /** For a process to end by itself, and again after it was asked to. */
  readonly grace: number
  /** The person has to authorize within this. */
  readonly authorize: number
  /** Bytes of one message. */
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
