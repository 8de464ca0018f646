/**
 * Reasons for refusing a command, as a closed union: each code has its status and text in exactly one place,
 * `http/problems.ts`.
 */
import type { PersonaId, Seq, Slot } from '../../facts/fact-values.ts'
import { organTable } from '../../facts/organ-table.ts'
import { Conflict, Damaged, Held, InDoubt, Newer, Unavailable } from '../../journal/log/errors.ts'
import { inTime, type Stopwatch, TookTooLong } from '../../journal/log/timeout.ts'
import type { PhraseFault } from './phrase.ts'

export type Refusal =
  | { readonly code: 'persona_unknown' }
  | { readonly code: 'persona_exists' }
  /** The log of signed heads contradicts itself. `reason` is the full sentence. */
  | { readonly code: 'heads_damaged'; readonly reason: string }
  /** The new recovery phrase is older than the current one. */
  | { readonly code: 'phrase_changed' }
  /** Stop: the persona is not running. */
  | { readonly code: 'not_running' }
  /** A live-agent route: the persona is not active. */
  | { readonly code: 'not_active' }
  | { readonly code: 'web_closed' }
  /** Pairing: the channel was removed or paired after the code was issued. */
  | { readonly code: 'channel_unknown' }
  | { readonly code: 'channel_verified' }
  | { readonly code: 'channels_full'; readonly most: number }
  | { readonly code: 'status_invalid' }
  | { readonly code: 'name_invalid' }
  | { readonly code: 'idle_timeout_invalid' }
  | { readonly code: 'organ_invalid'; readonly slot: string }
  | { readonly code: 'profile_invalid' }
  | { readonly code: 'model_missing'; readonly remote: boolean }
  | { readonly code: 'provider_unknown' }
  /** An organ's URL holds a user name or password. */
  | { readonly code: 'address_secret' }
  /** A stored key of the provider exists, but for another address. */
  | { readonly code: 'key_elsewhere' }
  /** The persona has no organ of the provider at this address. */
  | { readonly code: 'key_unknown' }
  /** `api_key_from` does not name another organ with a key of its own. */
  | { readonly code: 'key_source_invalid' }
  /** Longer than its field in a fact allows. */
  | { readonly code: 'too_long'; readonly what: string; readonly most: number }
  /** More than a fact allows. */
  | { readonly code: 'too_many'; readonly what: string; readonly most: number }
  /** A file that is not a readable character card. */
  | { readonly code: 'card_invalid'; readonly reason: string }
  | { readonly code: 'portrait_invalid'; readonly reason: string }
  | { readonly code: 'portrait_unknown' }
  /** The persona has no Imagination. */
  | { readonly code: 'imagination_missing' }
  /** The lines that the persona keeps about itself. */
  | { readonly code: 'self_full'; readonly most: number }
  /** The token limit of the day is used up; `reason` is the full sentence. */
  | { readonly code: 'spent'; readonly reason: string }
  /** Internal to the agent: its write belongs to an earlier life or an ended turn. */
  | { readonly code: 'life_over' }
  /** Derived data that does not exist, or that is being rebuilt. */
  | { readonly code: 'projection_unknown' }
  | { readonly code: 'projection_busy' }
  | { readonly code: 'turn_over' }
  /** Already recorded: a write in doubt is on disk. */
  | { readonly code: 'recorded_already' }
  | { readonly code: 'nothing_waits' }
  /** Tool servers and their approvals. */
  | { readonly code: 'tool_server_unknown' }
  | { readonly code: 'tool_server_invalid'; readonly reason: string }
  | { readonly code: 'tool_servers_full'; readonly most: number }
  | { readonly code: 'tool_unknown' }
  | { readonly code: 'search_off' }
  | { readonly code: 'search_invalid'; readonly reason: string }
  /** Unknown or already settled. */
  | { readonly code: 'approval_unknown' }
  /** `skill_changed`: not the version that the user reviewed. */
  | { readonly code: 'response_unknown' }
  | { readonly code: 'response_not_background' }
  | { readonly code: 'skill_unknown' }
  | { readonly code: 'skill_invalid'; readonly reason: string }
  | { readonly code: 'skill_changed' }
  | { readonly code: 'skill_damaged' }
  | { readonly code: 'skills_full'; readonly most: number }
  /** Of tools: unknown ids. */
  | { readonly code: 'statement_unknown'; readonly id: string }
  | { readonly code: 'plan_unknown'; readonly id: string }
  /** A reason to write by itself. */
  | { readonly code: 'initiative_unknown'; readonly id: string }
  | { readonly code: 'instruction_unknown'; readonly id: string }
  /** A forgotten statement must be brought back before it can be corrected or kept again. */
  | { readonly code: 'statement_forgotten'; readonly id: string }
  /** Too many statements are pinned. */
  | { readonly code: 'pins_full'; readonly most: number }
  /** A statement would begin after its end. */
  | { readonly code: 'period_reversed' }
  /** Too many proposals wait for the user. */
  | { readonly code: 'proposals_full'; readonly most: number }
  /** Undo. `changed_since.at`: the fact that changed it later, if known. */
  | { readonly code: 'fact_unknown' }
  | { readonly code: 'undo_refused'; readonly reason: string }
  | { readonly code: 'changed_since'; readonly at: Seq | null }
  | { readonly code: 'undone_already'; readonly at: Seq }
  | { readonly code: 'undone_not_settled'; readonly reason: string }
  /** The persona has no Mouth. */
  | { readonly code: 'mouth_missing' }
  /** The turn has no call of its Mind, or none that can be sent again unchanged. */
  | { readonly code: 'call_unsent' }
  | { readonly code: 'call_gone' }
  /** The turn cannot be answered again by an audition. */
  | { readonly code: 'turn_unfit'; readonly turn: string }
  | { readonly code: 'audition_empty' }
  /** No model with this name is being downloaded. */
  | { readonly code: 'download_unknown' }
  /** A persona uses the model file. */
  | { readonly code: 'model_in_use'; readonly persona: string }
  | { readonly code: 'turn_unknown' }
  /** Changes of the conversation. `message_unknown`: also for a hidden one. */
  | { readonly code: 'message_unknown' }
  | { readonly code: 'message_empty' }
  | { readonly code: 'message_not_spoken' }
  | { readonly code: 'message_has_file' }
  | { readonly code: 'nothing_to_continue' }
  | { readonly code: 'answer_pending' }
  | { readonly code: 'not_last_exchange' }
  /** No text. */
  | { readonly code: 'statement_empty' }
  /** A calendar entry without text. */
  | { readonly code: 'entry_empty' }
  /** The time of a calendar entry. `unreal`: the day or hour does not exist. */
  | { readonly code: 'when_invalid'; readonly why: 'unreadable' | 'date_alone' | 'unreal' | 'far' }
  | { readonly code: 'when_past'; readonly when: string }
  | { readonly code: 'zone_unknown' }
  /** Calendars of others. `calendar_unreadable`: the reason is a full sentence, and `kind` its class. */
  | { readonly code: 'calendar_unknown' }
  | { readonly code: 'calendar_address_invalid'; readonly why: 'form' | 'login' | 'password' }
  | { readonly code: 'calendar_unreadable'; readonly kind: string; readonly reason: string }
  | { readonly code: 'calendar_subscribed' }
  | { readonly code: 'calendars_full'; readonly most: number }
  /** Mailboxes. `mailbox_unreadable`: the reason is a full sentence, and `kind` its class. */
  | { readonly code: 'mailbox_unknown' }
  | { readonly code: 'mailbox_unreadable'; readonly kind: string; readonly reason: string }
  | { readonly code: 'mailbox_connected' }
  | { readonly code: 'mailboxes_full'; readonly most: number }
  /** Subscriptions of other programs. `subscription_pushed`: it has a webhook, so nothing can be pulled. */
  | { readonly code: 'subscription_unknown' }
  | { readonly code: 'subscription_pushed' }
  | { readonly code: 'subscriptions_full'; readonly most: number }
  | { readonly code: 'position_unknown' }
  | { readonly code: 'cursor_invalid' }
  /** The position was set back, or the past was replaced, after the facts were pulled. */
  | { readonly code: 'cursor_stale' }
  | { readonly code: 'letter_unknown' }
  /** It is asleep, or its sleep failed. */
  | { readonly code: 'asleep' }
  | { readonly code: 'sleep_failed' }
  /**
   * The diary and the local history differ since `at` (local time here); null if they were never the same.
   */
  | {
      readonly code: 'histories_parted'
      readonly at: { readonly at: number; readonly offset: number } | null
    }
  /** The local journal is damaged, so it is unknown what the diary would replace. */
  | { readonly code: 'damaged_here' }
  /** Time travel: before the first fact. */
  | { readonly code: 'moment_unknown' }
  /** Fork: the Mind needs a key that only its person has, or there is no Mind. */
  | { readonly code: 'mind_not_taken' }
  /** Salvage: the journal is intact. */
  | { readonly code: 'not_damaged' }
  /** Erasing. */
  | { readonly code: 'fact_wordless'; readonly seq: number; readonly type: string }
  /** The client disconnected or the daemon stops before anything was saved. */
  | { readonly code: 'cut_short' }
  /** Start or restart: the persona does not wake. */
  | { readonly code: 'not_started'; readonly reason: string }
  | { readonly code: 'created_not_started'; readonly reason: string }
  | { readonly code: 'updated_not_settled'; readonly reason: string }
  /** A bot's token or kind. `kind` is worded for the client. */
  | { readonly code: 'channel_invalid'; readonly kind: string; readonly reason: string }
  | { readonly code: 'added_not_restarted'; readonly reason: string }
  | { readonly code: 'removed_not_restarted'; readonly reason: string }
  /** An unknown or expired pairing code. */
  | { readonly code: 'code_wrong' }
  /** Deletion: the journal is damaged; `trouble` is why. */
  | { readonly code: 'damaged_unforced'; readonly trouble: string }
  /** `error` is the cause. */
  | { readonly code: 'not_deleted'; readonly error: unknown }
  /** Migration from a file. */
  | { readonly code: 'not_a_diary' }
  | { readonly code: 'phrase_mistyped'; readonly fault: PhraseFault }
  | { readonly code: 'other_phrase' }
  | { readonly code: 'diary_damaged' }
  | { readonly code: 'diary_newer' }
  | { readonly code: 'migrated_not_started'; readonly reason: string }
  /** The export of another AI cannot be read or processed. */
  | { readonly code: 'history_unreadable' }
  /** Readable, but not in a known format. */
  | { readonly code: 'history_unknown' }
  /** Google My Activity as HTML. */
  | { readonly code: 'history_page' }
  /** An Eternego diary without its phrase, or with a wrong one. */
  | { readonly code: 'history_locked' }
  /** The daemon crashed twice while processing it. */
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

/** The disk refuses the command; nothing was written. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable'
}

/** The journal is being removed or replaced; the request is cut off. */
export class JournalReplaced extends JournalUnavailable {}

/** A stored fact could not be applied to a part of the state. A corrected version of the daemon can do it. */
export class StateStale extends JournalUnavailable {
  constructor(part: string, seq: Seq) {
    super(
      `The daemon could not apply fact ${seq} to the part “${part}” of its state, so this is not possible now. Nothing is lost. Install a corrected version of the daemon.`,
    )
  }
}

/** The persona is known, but the folder of its journal does not exist. */
export class JournalMissing extends JournalUnavailable {
  constructor(id: PersonaId) {
    super(
      `Its journal is missing: the folder personas/${id}/journal is not there. Put it back, or delete the persona with ?force=true.`,
    )
  }
}

/** Whether a retry may succeed. */
export const isUnavailable = (error: unknown): error is Error =>
  [JournalUnavailable, Unavailable, InDoubt, Conflict, Held, Newer].some((kind) => error instanceof kind)

/** Whether the error comes from the disk. */
export const isOfTheDisk = (error: unknown): boolean =>
  [Unavailable, InDoubt, Damaged, JournalUnavailable].some((kind) => error instanceof kind) ||
  typeof (error as { syscall?: unknown } | null)?.syscall === 'string'

/** Throws JournalUnavailable with `sentence` after the disk timeout. The operation itself continues. */
export const inTimeOr = async <T>(sentence: string, stopwatch: Stopwatch, task: Promise<T>): Promise<T> => {
  try {
    return await inTime(stopwatch, task)
  } catch (error) {
    throw error instanceof TookTooLong ? new JournalUnavailable(sentence) : error
  }
}

/** Returns the advice for lost keys. */
export const formatMissingKeys = (slots: readonly Slot[]): string => {
  const names = slots.map((slot) => `the ${organTable[slot].title}`)
  const all = [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
  return `Saved keys were damaged or lost: enter the key of ${all} again.`
}
