import type { Seq } from '../../facts/fact-values.ts'

/** `hash` is the chain hash (lower-case hex) of the record at `seq`; 64 zeros before the first. */
export interface Head {
  readonly seq: Seq | 0
  readonly hash: string
}
