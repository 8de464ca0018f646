/**
 * Maps every error to a response. Only this file contains HTTP statuses: one row per refusal. A refusal
 * without a row does not compile.
 */
import { PromptProfile, Provider } from '../../facts/fact-values.ts'
import { Damaged, maxCommitBytes, TooLarge } from '../../journal/log/errors.ts'
import { listImportForms } from '../../packages/history-import/import-format-table.ts'
import { pathless } from '../../packages/kit/files/pathless.ts'
import { ModelError } from '../../packages/models/models.ts'
import { formatPhraseFault } from '../persona/phrase.ts'
import { isUnavailable, JournalReplaced, type Refusal, Refused } from '../persona/refusals.ts'
import { type HttpRefusal, HttpRefused, type Item } from './refused.ts'

type AnyRefusal = Refusal | HttpRefusal
export type ProblemCode = AnyRefusal['code']

type Row<C extends ProblemCode> = readonly [
  status: number,
  detail:
    | string
    | readonly Item[]
    | ((refusal: Extract<AnyRefusal, { code: C }>) => string | readonly Item[]),
]

const whenMessages: Readonly<Record<Extract<Refusal, { code: 'when_invalid' }>['why'], string>> = {
  unreadable: 'when must be a local date and time such as 2026-11-24T09:00, or one with an offset.',
  date_alone: 'A date alone is not enough. Add a time, as in 2026-11-24T09:00.',
  unreal: 'This day or hour does not exist. Give one that does, such as 2026-11-24T09:00.',
  far: 'That is too far away: give a time from 1970 to 9998.',
}

const addressMessages: Readonly<
  Record<Extract<Refusal, { code: 'calendar_address_invalid' }>['why'], string>
> = {
  form: 'The address must begin with https://, http:// or webcal://, as the calendar program shows it.',
  login: 'The address must not contain a name or a password. Give them as user and password.',
  password: 'A CalDAV server needs user and password. Give both, or none for an address of a file.',
}

/** The contract's text, followed by the reason. */
const restoreFailure = (reason: string): string =>
  `Could not restore from diary. Please check the file and the recovery phrase. ${reason}`

/** The contract's text for unreadable exports of another AI. */
const parseFailure = 'Could not parse the external data. Please check the file format.'

const bodyItem = (field: string, reason: string): Item => ({
  type: 'value_error',
  loc: ['body', field],
  msg: `Value error, ${reason}`,
})

const rows: { readonly [C in ProblemCode]: Row<C> } = {
  persona_unknown: [404, 'Persona not found.'],
  phrase_changed: [409, 'The recovery phrase was renewed. Only the new words can be confirmed.'],
  persona_exists: [400, 'A persona with this id exists already.'],
  not_running: [404, 'Persona is not running.'],
  not_active: [409, 'Persona is not active.'],
  web_closed: [400, 'Web channel not connected'],
  channel_unknown: [400, 'The channel associated with this pairing code could not be found.'],
  channel_verified: [400, 'This channel is already verified.'],
  channels_full: [
    400,
    ({ most: max }) => `It has ${max} channels already. Remove one that is not needed any more.`,
  ],
  status_invalid: [400, 'Status must be one of: active, hibernate, sick.'],
  name_invalid: [400, 'Name must be a string.'],
  idle_timeout_invalid: [400, 'Idle timeout must be a whole number of seconds, 1 or more.'],
  organ_invalid: [
    400,
    ({ slot }) => `The ${slot} organ must be an object of strings: model, provider, url, api_key.`,
  ],
  profile_invalid: [
    400,
    `Profile must be one of: ${PromptProfile.options.join(', ')}, or auto, and only the Mind has one.`,
  ],
  model_missing: [
    400,
    ({ remote }) =>
      remote ? 'A model name is required when using a remote provider.' : 'A model name is required.',
  ],
  provider_unknown: [400, `Provider must be one of: ${Provider.options.join(', ')}, or local.`],
  address_secret: [400, 'An address must not hold a name or password; give the key as api_key.'],
  key_elsewhere: [
    400,
    'The stored key of this provider belongs to another address, and is sent nowhere else. Give the key of this address as api_key.',
  ],
  key_unknown: [400, 'No key of this provider is stored for this address. Give it as api_key.'],
  key_source_invalid: [
    400,
    'api_key_from must name another organ of the persona, which does not use api_key_from itself.',
  ],
  too_long: [400, ({ what, most: max }) => `The ${what} is too long: ${max} characters at most.`],
  too_many: [400, ({ what, most: max }) => `There are too many ${what}: ${max} at most.`],
  card_invalid: [422, ({ reason }) => reason],
  portrait_invalid: [422, ({ reason }) => reason],
  portrait_unknown: [404, 'The persona has no portrait.'],
  imagination_missing: [
    400,
    'The persona cannot draw. Give it an Imagination in the settings, or choose a picture.',
  ],
  self_full: [
    400,
    ({ most: max }) => `There are ${max} lines about the persona already. Forget one that no longer holds.`,
  ],
  spent: [429, ({ reason }) => reason],
  life_over: [409, 'Persona is not active.'],
  turn_over: [409, 'The turn has ended.'],
  recorded_already: [409, 'It is on record already.'],
  nothing_waits: [409, 'Nothing waits to be answered.'],
  tool_server_unknown: [404, 'Tool server not found.'],
  tool_server_invalid: [400, ({ reason }) => reason],
  tool_servers_full: [
    400,
    ({ most: max }) => `It has ${max} tool servers already. Remove one that is not needed any more.`,
  ],
  tool_unknown: [404, 'Tool not found.'],
  search_off: [404, 'Searching the web is switched off for this daemon (DAIMON_WEB_SEARCH).'],
  search_invalid: [400, ({ reason }) => reason],
  approval_unknown: [404, 'Approval not found, or answered already.'],
  response_unknown: [404, 'Response not found. It was not stored, it was deleted, or the id is wrong.'],
  response_not_background: [400, 'Only a response in the background can be cancelled.'],
  skill_unknown: [404, 'Skill not found.'],
  skill_invalid: [400, ({ reason }) => reason],
  skill_changed: [409, 'The skill has changed since you reviewed it. Review it again.'],
  skill_damaged: [500, 'SkillDamaged: the files of the skill are missing or were altered. Add it again.'],
  skills_full: [
    400,
    ({ most: max }) => `It has ${max} skills already. Remove one that is not needed any more.`,
  ],
  statement_unknown: [404, 'Memory not found.'],
  plan_unknown: [404, 'Entry not found.'],
  initiative_unknown: [404, 'Reason to write not found.'],
  entry_empty: [400, 'An entry needs a text.'],
  instruction_unknown: [404, 'Instruction not found.'],
  statement_forgotten: [400, 'It is forgotten. Restore it first, with "forgotten": false.'],
  pins_full: [400, ({ most: max }) => `${max} statements are pinned already. Unpin one of them first.`],
  period_reversed: [400, 'The statement would begin after its end. Check "from" and "until".'],
  proposals_full: [
    400,
    ({ most: max }) => `${max} proposals already wait for an answer of the user. Propose it later.`,
  ],
  fact_unknown: [404, 'Fact not found.'],
  undo_refused: [400, ({ reason }) => `It cannot be undone. ${reason}`],
  changed_since: [
    400,
    ({ at }) =>
      at === null ? 'It was changed again since.' : `It was changed again, at ${at}. Undo that first.`,
  ],
  undone_already: [400, ({ at }) => `It was undone already, at ${at}. Undo that to have it again.`],
  undone_not_settled: [500, ({ reason }) => `Taken back but lifecycle change failed: ${reason}`],
  mouth_missing: [400, 'The persona has no Mouth, which speaks. Add one under settings.'],
  call_unsent: [400, 'No model was called in this turn.'],
  turn_unfit: [
    400,
    ({ turn }) =>
      `Turn ${turn} cannot be answered again. It needs words of the user without a file, and an answer that is still shown.`,
  ],
  audition_empty: [400, 'There is no answer yet that two models could be compared by. Talk first.'],
  call_gone: [400, 'The call is no longer stored, or cannot be restored exactly. It cannot be sent again.'],
  download_unknown: [404, 'No model with this name is being downloaded.'],
  model_in_use: [409, ({ persona }) => `${persona} uses this model. Give it another one first.`],
  message_unknown: [404, 'There is no such message in the conversation.'],
  message_empty: [400, 'A message needs a text.'],
  message_not_spoken: [400, 'Only a message that the persona wrote can be marked.'],
  message_has_file: [400, 'A message with a file cannot be edited. Delete it, and send the file again.'],
  nothing_to_continue: [400, 'There is no answer that could be continued.'],
  answer_pending: [409, 'An answer to this is on its way. Stop it first, or wait for it.'],
  not_last_exchange: [
    409,
    'Only the last messages of a conversation can be changed like this. Fork the persona to go back further.',
  ],
  statement_empty: [400, 'A memory needs a text.'],
  projection_unknown: [404, 'There is no projection with this name.'],
  projection_busy: [409, 'This projection is being rebuilt already.'],
  asleep: [409, 'The persona is asleep.'],
  sleep_failed: [400, 'Sleep failed unexpectedly.'],
  histories_parted: [
    400,
    ({ at }) =>
      `${at ? `The persona here and this diary diverged on ${formatDay(at)}, and both have changed since` : 'Another persona here has the id of this diary'}. To keep the persona here, do not restore the diary. To use the diary, export the persona here, delete it, and restore the diary again.`,
  ],
  damaged_here: [
    400,
    'Its journal here is damaged, so the two cannot be compared. Salvage the persona, or delete it with ?force=true, and restore the diary again.',
  ],
  fact_wordless: [400, ({ seq, type }) => `Fact ${seq} (${type}) contains no text to erase.`],
  moment_unknown: [404, 'The persona did not exist at that moment.'],
  mind_not_taken: [
    400,
    'Its Mind at that moment cannot be used: it needs a key, and keys are not copied. Name a Mind with thinking_model, thinking_provider and thinking_api_key.',
  ],
  not_damaged: [400, 'Its journal is not damaged. There is nothing to salvage.'],

  forbidden: [403, ({ why }) => why],
  path_unknown: [404, 'Not Found'],
  method_unknown: [405, 'Method Not Allowed'],
  body_too_large: [413, ({ what, most: max }) => `The ${what} is too large: ${max} bytes at most.`],
  invalid: [422, ({ items }) => items],
  parameter_refused: [
    400,
    ({ param, why }) => [{ type: 'value_error', loc: ['body', ...param.split('.')], msg: why }],
  ],
  file_refused: [
    400,
    ({ param, why }) => [{ type: 'value_error', loc: ['body', ...param.split('.')], msg: why }],
  ],
  model_not_found: [404, ({ why }) => why],
  picture_refused: [400, ({ why }) => why],
  file_unknown: [404, 'File not found.'],
  media_damaged: [500, 'MediaDamaged: the bytes of the file are not the ones that were stored.'],
  turn_unknown: [404, 'Turn not found.'],
  moment_invalid: [400, ({ name }) => `${name} must be a position in the journal or an ISO date`],
  moments_reversed: [400, 'from must not be later than to'],
  history_unreadable: [400, parseFailure],
  history_unknown: [400, `${parseFailure} These forms are read: ${listImportForms()}.`],
  history_page: [
    400,
    `${parseFailure} This is the activity as a web page. At takeout.google.com, choose JSON instead of HTML for My Activity, and send that export.`,
  ],
  history_locked: [
    400,
    `${parseFailure} This is a diary of Eternego. Send its recovery phrase as phrase, under its original file name, which is the id of the persona. Or send a zip of its folder, personas/<id>/home.`,
  ],
  history_ended_twice: [
    400,
    `${parseFailure} The daemon crashed twice while it imported this file, so it does not try a third time. The conversations that were imported before are kept. Send the rest in smaller files.`,
  ],
  history_unanalyzed: [400, 'Could not analyze the conversations. Please make sure the model is running.'],
  window_invalid: [400, ({ names }) => `${names.join(' and ')} must be ISO dates`],
  when_invalid: [400, ({ why }) => whenMessages[why]],
  when_past: [400, ({ when }) => `${when} is in the past. Give a time in the future, or a recurrence.`],
  calendar_unknown: [404, 'There is no subscription with this id.'],
  calendar_address_invalid: [400, ({ why }) => addressMessages[why]],
  calendar_unreadable: [400, ({ reason }) => reason],
  calendar_subscribed: [409, 'The persona is subscribed to this calendar already.'],
  calendars_full: [
    400,
    ({ most: max }) => `It has ${max} calendars already. Remove one that is not needed any more.`,
  ],
  mailbox_unknown: [404, 'There is no mailbox with this id.'],
  mailbox_unreadable: [400, ({ reason }) => reason],
  mailbox_connected: [409, 'This folder of the mailbox is connected already.'],
  mailboxes_full: [
    400,
    ({ most: max }) => `It has ${max} mailboxes already. Disconnect one that is not needed any more.`,
  ],
  subscription_unknown: [404, 'There is no subscription with this name.'],
  subscription_pushed: [
    409,
    'This subscription delivers to a webhook. Facts are pulled from one without a webhook.',
  ],
  subscriptions_full: [
    409,
    ({ most: max }) => `There are ${max} subscriptions already. Remove one that is not needed.`,
  ],
  position_unknown: [422, [bodyItem('after', 'the journal of the persona has no fact at this position')]],
  cursor_invalid: [
    422,
    [bodyItem('cursor', 'the cursor must be one that a pull of this subscription returned')],
  ],
  cursor_stale: [409, 'The position was set back after these facts were pulled. Pull again.'],
  letter_unknown: [404, 'There is no dead letter with this id.'],
  zone_unknown: [400, 'zone must be the name of a time zone, such as Europe/Berlin.'],
  range_unsatisfiable: [416, 'Range Not Satisfiable'],
  precondition_failed: [412, 'Precondition Failed'],
  request_malformed: [400, 'Bad Request'],
  request_slow: [408, 'Request Timeout'],
  too_busy: [503, 'Too many large requests at once. Send this one again in a few seconds.'],
  headers_too_large: [431, 'Request Header Fields Too Large'],
  cut_short: [503, 'The service is stopping; nothing was saved.'],
  channel_invalid: [400, ({ kind, reason }) => `${kind} validation failed: ${reason}`],
  added_not_restarted: [500, ({ reason }) => `Channel added but restart failed: ${reason}`],
  removed_not_restarted: [500, ({ reason }) => `Channel removed but restart failed: ${reason}`],
  code_wrong: [400, 'Pairing code is invalid or has expired.'],
  model_failed: [400, ({ reason }) => reason],
  not_started: [400, ({ reason }) => reason],
  damaged_unforced: [
    400,
    ({ trouble }) =>
      `Its journal can only be read: ${sentence(trouble)} Ask with ?force=true to delete it anyway.`,
  ],
  not_deleted: [400, ({ error }) => `The persona could not be deleted: ${getReason(error)}`],
  not_a_diary: [
    400,
    restoreFailure('This is not a diary. Choose the file whose name ends in .diary, as it was exported.'),
  ],
  phrase_mistyped: [400, ({ fault }) => restoreFailure(formatPhraseFault(fault))],
  other_phrase: [
    400,
    restoreFailure(
      'This recovery phrase does not open this diary, or the first lines of the file are damaged. Try the words that were given for this persona, or another copy of the file.',
    ),
  ],
  diary_damaged: [
    400,
    restoreFailure('This diary is damaged or incomplete. Nothing was changed. Try another copy of it.'),
  ],
  diary_newer: [
    400,
    restoreFailure(
      'This diary was made by a newer version of the service. Update this one, and restore the diary again.',
    ),
  ],
  migrated_not_started: [500, ({ reason }) => `Persona migrated but failed to start: ${sentence(reason)}`],
  created_not_started: [
    500,
    ({ reason }) => `Persona created but failed to start: ${sentence(reason)} Ask for a new recovery phrase.`,
  ],
  updated_not_settled: [500, ({ reason }) => `Updated but lifecycle change failed: ${reason}`],
  heads_damaged: [500, ({ reason }) => `HeadsDamaged: ${reason}`],
  journal_damaged: [500, ({ reason }) => `JournalDamaged: ${reason}`],
  journal_replaced: [
    409,
    'The journal is being removed or replaced, and the request was aborted. Try again in a moment.',
  ],
  journal_unavailable: [500, ({ reason }) => `JournalUnavailable: ${reason}`],
  browser_unknown: [404, 'This browser is not subscribed.'],
  browser_untold: [400, ({ reason }) => `The push service of this browser could not be reached: ${reason}.`],
  host_gone: [
    503,
    'The daemon that hosts this persona does not answer. Another one takes over within seconds. Try again.',
  ],
  host_unreachable: [
    502,
    'The daemon that hosts this persona is alive, but cannot be reached from here under the address that it announces (DAIMON_ADVERTISE).',
  ],
  passed_in_circle: [
    508,
    'The daemons of the cluster forward this request in a circle. Either more than one of them has the same address (DAIMON_ADVERTISE), or they do not agree yet on the host of this persona.',
  ],
  passed_too_often: [
    502,
    'This request was forwarded by too many daemons of the cluster. Try again in a moment.',
  ],
  cut_off: [
    503,
    'This daemon is cut off from its cluster, or was until a moment ago. It accepts no changes until it is connected again, and the data it shows may be old.',
  ],
  unforeseen: [500, ({ name, reason }) => `${name}: ${reason}`],
}

export interface Problem {
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string | readonly Item[]
  readonly headers: Readonly<Record<string, string>>
}

export const getStatus = (code: ProblemCode): number => rows[code][0]

/** Maps any error to a problem. */
export const getProblem = (error: unknown): Problem => problemFor(toRefusal(error))

export const problemFor = (refusal: AnyRefusal): Problem => ({
  code: refusal.code,
  status: getStatus(refusal.code),
  detail: getDetail(refusal),
  headers: getHeaders(refusal),
})

/**
 * Returns `{detail}`. Under `/v1` it also has `error`, the only field that OpenAI clients read. Under `/mcp`
 * it is a JSON-RPC error.
 */
export const toProblemBody = (problem: Problem, path: string): unknown => {
  if (isMcp(path)) return rpcError(problem)
  const { code, status, detail } = problem
  if (!isV1(path)) return { detail }
  const [first] = typeof detail === 'string' ? [] : detail
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return {
    detail,
    error: { message: toSentence(detail), type, param: first ? first.loc.slice(1).join('.') : null, code },
  }
}

/** The id is null because the request was not parsed. */
const rpcError = ({ code, status, detail }: Problem) => ({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: code === 'invalid' ? -32_700 : status < 500 ? -32_000 : -32_603,
    message: toSentence(detail),
  },
})

/** Returns the detail as one sentence. */
export const toSentence = (detail: Problem['detail']): string => {
  const [first] = typeof detail === 'string' ? [] : detail
  return first ? `${first.loc.join('.')}: ${first.msg}` : String(detail)
}

const getReason = (error: unknown): string => {
  const { detail } = getProblem(error)
  return typeof detail === 'string' ? detail : 'its journal cannot be written.'
}

/** Matches the paths of the MCP endpoint. */
const isMcp = (path: string): boolean => /^(?:http:\/\/[^/?]*)?\/mcp(?:[/?]|$)/i.test(path)

export const isV1 = (path: string): boolean => /^(?:http:\/\/[^/?]*)?\/v1(?:[/?]|$)/i.test(path)

const toRefusal = (error: unknown): AnyRefusal => {
  if (error instanceof Refused || error instanceof HttpRefused) return error.refusal
  if (error instanceof ModelError) {
    const { message: reason, fault, slot } = error
    return { code: 'model_failed', reason, fault, slot }
  }
  if (error instanceof Damaged) return { code: 'journal_damaged', reason: error.message }
  if (error instanceof TooLarge) return { code: 'body_too_large', what: 'message', most: maxCommitBytes }
  if (error instanceof JournalReplaced) return { code: 'journal_replaced' }
  if (isUnavailable(error)) return { code: 'journal_unavailable', reason: error.message }
  // Only the router decodes paths, so a path that cannot be decoded matches no route.
  if (error instanceof URIError) return { code: 'path_unknown' }
  if (error instanceof Error) return { code: 'unforeseen', name: error.name, reason: error.message }
  return { code: 'unforeseen', name: 'Error', reason: 'a value that is not an Error was thrown' }
}

const getDetail = <C extends ProblemCode>(refusal: Extract<AnyRefusal, { code: C }>): Problem['detail'] => {
  const [, detail]: Row<C> = rows[refusal.code]
  const words = typeof detail === 'function' ? detail(refusal) : detail
  return typeof words === 'string' ? pathless(words) : words
}

const getHeaders = (refusal: AnyRefusal): Problem['headers'] => {
  if (refusal.code === 'method_unknown') return { Allow: refusal.allow }
  // OpenAI clients retry a 429 automatically, but the budget is renewed only on the next day.
  if (refusal.code === 'spent') return { 'x-should-retry': 'false' }
  // The contract allows no second key beside `detail`.
  if (refusal.code === 'model_failed')
    return {
      ...(refusal.fault && { 'Daimon-Fault': refusal.fault }),
      ...(refusal.slot && { 'Daimon-Organ': refusal.slot }),
    }
  if (refusal.code === 'calendar_unreadable' || refusal.code === 'mailbox_unreadable')
    return { 'Daimon-Reason': refusal.kind }
  if (refusal.code === 'too_busy') return { 'Retry-After': '5' }
  if (refusal.code === 'host_gone' || refusal.code === 'cut_off') return { 'Retry-After': '2' }
  if (refusal.code === 'range_unsatisfiable') return { 'Content-Range': refusal.size }
  return {}
}

/** Returns the date in the local time of the writer. */
const formatDay = ({ at, offset }: { readonly at: number; readonly offset: number }): string =>
  new Date(at + offset * 60_000).toISOString().slice(0, 10)

const sentence = (reason: string): string => (/[.!?]$/.test(reason) ? reason : `${reason}.`)
