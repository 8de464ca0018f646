/**
 * Why a command is refused: a closed union, so that each code has its status and words in exactly one place,
 * `http/problems.ts`.
 */
import type { Seq } from '../../journal/facts/fact-values.ts'
import type { PhraseFault } from './phrase.ts'

export type Refusal =
  | { readonly code: 'persona_unknown' }
  | { readonly code: 'persona_exists' }
  /** Words that were made before those that are in force. */
  | { readonly code: 'phrase_changed' }
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
  /** Its tokens of the day are used up; `reason` is its sentence. */
  | { readonly code: 'spent'; readonly reason: string }
  /** The agent's own: what it wants to write belongs to an earlier life or an ended turn. */
  | { readonly code: 'life_over' }
  | { readonly code: 'turn_over' }
  /** It is on record: a write that was in doubt had been kept. */
  | { readonly code: 'recorded_already' }
  | { readonly code: 'nothing_waits' }
  /** Servers of tools, and what the person is asked about calls of them. */
  | { readonly code: 'tool_server_unknown' }
  | { readonly code: 'tool_server_invalid'; readonly reason: string }
  | { readonly code: 'tool_servers_full'; readonly most: number }
  | { readonly code: 'tool_unknown' }
  /** Nobody asks that, or it is settled. */
  | { readonly code: 'approval_unknown' }
  /** Skills: none of that name; why what was given is none; it is not what the person looked at. */
  | { readonly code: 'skill_unknown' }
  | { readonly code: 'skill_invalid'; readonly reason: string }
  | { readonly code: 'skill_changed' }
  | { readonly code: 'skill_damaged' }
  | { readonly code: 'skills_full'; readonly most: number }
  /** A tool's: no such statement, no such plan. */
  | { readonly code: 'statement_unknown'; readonly id: string }
  | { readonly code: 'plan_unknown'; readonly id: string }
  | { readonly code: 'instruction_unknown'; readonly id: string }
  /**
   * A statement that was forgotten cannot be put right before it is brought back, nor kept again before it is
   * said anew.
   */
  | { readonly code: 'statement_forgotten'; readonly id: string }
  /** So many wait for the person already. */
  | { readonly code: 'proposals_full'; readonly most: number }
  /**
   * Taking back: no such fact; why it never can be; where what it changed was changed again, if that is
   * known.
   */
  | { readonly code: 'fact_unknown' }
  | { readonly code: 'undo_refused'; readonly reason: string }
  | { readonly code: 'changed_since'; readonly at: Seq | null }
  | { readonly code: 'undone_already'; readonly at: Seq }
  | { readonly code: 'undone_not_settled'; readonly reason: string }
  /** Of a turn: no call of its Mind, or none that can be sent again as it was. */
  | { readonly code: 'call_unsent' }
  | { readonly code: 'call_gone' }
  /** No words. */
  | { readonly code: 'statement_empty' }
  /** An entry of its calendar without words. */
  | { readonly code: 'entry_empty' }
  /**
   * Of an entry of a calendar: no date and time, a date alone, a day or an hour there is not, or one too far
   * away.
   */
  | { readonly code: 'when_invalid'; readonly why: 'unreadable' | 'date_alone' | 'unreal' | 'far' }
  | { readonly code: 'when_past'; readonly when: string }
  | { readonly code: 'zone_unknown' }
  /** It sleeps, or a sleep of its own came to nothing. */
  | { readonly code: 'asleep' }
  | { readonly code: 'sleep_failed' }
  /**
   * A diary and what is here have lived on apart since then, in the local time of the one who is here; null
   * where they never were the same.
   */
  | {
      readonly code: 'histories_parted'
      readonly at: { readonly at: number; readonly offset: number } | null
    }
  /** Nobody can say what a diary would take the place of. */
  | { readonly code: 'damaged_here' }
  /** Of a life that was: before its first fact. */
  | { readonly code: 'moment_unknown' }
  /** Fork: the Mind it had needs a key, which nobody but its person has, or is none. */
  | { readonly code: 'mind_not_taken' }
  /** Salvage, on a journal that is whole. */
  | { readonly code: 'not_damaged' }
  /** Erasing. */
  | { readonly code: 'fact_wordless'; readonly seq: number; readonly type: string }
  /** Whoever asked went away, or the daemon stops, before anything was saved. */
  | { readonly code: 'cut_short' }
  /** Start or restart, on a persona that is there and does not wake. */
  | { readonly code: 'not_started'; readonly reason: string }
  | { readonly code: 'created_not_started'; readonly reason: string }
  | { readonly code: 'updated_not_settled'; readonly reason: string }
  /** A token of a bot, or the kind of one; `kind` as it is written to whoever gave it. */
  | { readonly code: 'channel_invalid'; readonly kind: string; readonly reason: string }
  | { readonly code: 'added_not_restarted'; readonly reason: string }
  | { readonly code: 'removed_not_restarted'; readonly reason: string }
  /** A pairing code that is none, or none any more. */
  | { readonly code: 'code_wrong' }
  /** Deletion: the journal can only be read; `trouble` is why. */
  | { readonly code: 'damaged_unforced'; readonly trouble: string }
  /** `error` is why. */
  | { readonly code: 'not_deleted'; readonly error: unknown }
  /** A file that a persona was to be brought back from. */
  | { readonly code: 'not_a_diary' }
  | { readonly code: 'phrase_mistyped'; readonly fault: PhraseFault }
  | { readonly code: 'other_phrase' }
  | { readonly code: 'diary_damaged' }
  | { readonly code: 'diary_newer' }
  | { readonly code: 'migrated_not_started'; readonly reason: string }
  /** What another AI exported cannot be read, or cannot be gone over. */
  | { readonly code: 'history_unreadable' }
  /** It can be read, and is no history in a form that is known. */
  | { readonly code: 'history_unknown' }
  /** My Activity as HTML. */
  | { readonly code: 'history_page' }
  /** A diary of Eternego, and its words were not given or are others. */
  | { readonly code: 'history_locked' }
  /** The daemon ended twice over it. */
  | { readonly code: 'history_ended_twice' }
  | { readonly code: 'history_unanalyzed' }

export type RefusalCode = Refusal['code']

export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.code)
    this.refusal = refusal
  }
}
