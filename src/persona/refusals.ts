/** Why a command is refused: a closed union, so that each code has its status and words in exactly one place, `http/problems.ts`. */

export type Refusal =
  | { readonly code: 'persona_unknown' }
  | { readonly code: 'persona_exists' }
  /** Stop, on a persona that does not run. */
  | { readonly code: 'not_running' }
  /** A live-agent route, on a persona that is not served. */
  | { readonly code: 'not_active' }
  | { readonly code: 'web_closed' }
  /** Pairing: the channel was removed, or paired, since the code was given. */
  | { readonly code: 'channel_unknown' }
  | { readonly code: 'channel_verified' }
  | { readonly code: 'channels_full'; readonly most: number }
  | { readonly code: 'status_invalid' }
  | { readonly code: 'name_invalid' }
  | { readonly code: 'idle_timeout_invalid' }
  | { readonly code: 'organ_invalid'; readonly slot: string }
  | { readonly code: 'model_missing'; readonly remote: boolean }
  | { readonly code: 'provider_unknown' }
  /** A user name or a password in an organ's url. */
  | { readonly code: 'address_secret' }
  /** Longer than its place in a fact allows. */
  | { readonly code: 'too_long'; readonly what: string; readonly most: number }
  /** Her tokens of the day are used up; `reason` is her sentence. */
  | { readonly code: 'spent'; readonly reason: string }
  /** The agent's own: what it wants to write belongs to an earlier life or an ended turn. */
  | { readonly code: 'life_over' }
  | { readonly code: 'turn_over' }
  /** It is on record: a write that was in doubt had been kept. */
  | { readonly code: 'recorded_already' }
  | { readonly code: 'nothing_waits' }
  /** A tool's: no such statement, no such plan. */
  | { readonly code: 'statement_unknown'; readonly id: string }
  | { readonly code: 'plan_unknown'; readonly id: string }
  | { readonly code: 'instruction_unknown'; readonly id: string }
  /** A statement that was forgotten cannot be put right before it is brought back, nor kept again before it is said anew. */
  | { readonly code: 'statement_forgotten'; readonly id: string }
  /** No words. */
  | { readonly code: 'statement_empty' }
  /** An entry of her calendar without words. */
  | { readonly code: 'entry_empty' }
  /** She sleeps, or a sleep of hers came to nothing. */
  | { readonly code: 'asleep' }
  | { readonly code: 'sleep_failed' }
  /** A diary and what is here have lived on apart since then, on the wall of the one who is here; null where they never were the same. */
  | { readonly code: 'histories_parted'; readonly at: { readonly at: number; readonly offset: number } | null }
  /** Nobody can say what a diary would take the place of. */
  | { readonly code: 'damaged_here' }
  /** Salvage, on a journal that is whole. */
  | { readonly code: 'not_damaged' }

export type RefusalCode = Refusal['code']

export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}
