/** Rules of the persona itself: created, changed, restored, forked, deleted, and its recovery phrase. */
import { type Organ, type Seq, type Sha256, Slot, Status } from '../../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../../journal/facts/facts.ts'
import { listValues } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Refusal } from '../refusals.ts'
import { adding, type NewChannel } from './channels.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'

export type DeclaredOrgans = Readonly<Partial<Record<Slot, Organ>>>

export interface CreatePersona {
  readonly type: 'CreatePersona'
  readonly id: string
  readonly name: string
  /** Local date, YYYY-MM-DD. */
  readonly birthday: string
  /** Derived from the recovery phrase. */
  readonly recipient: string
  readonly organs: DeclaredOrgans
  readonly channels?: readonly NewChannel[]
}

/** Values as sent, of any type. `clear` wins over an organ for the same slot. */
export interface UpdatePersona {
  readonly type: 'UpdatePersona'
  readonly status?: unknown
  readonly name?: unknown
  readonly idleTimeout?: unknown
  readonly organs: DeclaredOrgans
  readonly clear: readonly Slot[]
}

/**
 * `made` and `upTo` are those of the diary. `over`: last position of the journal that the diary replaces, if
 * any.
 */
export interface RestorePersona {
  readonly type: 'RestorePersona'
  readonly made: number
  readonly upTo: Seq
  readonly over?: Seq
  readonly recipient: string
  readonly organs: DeclaredOrgans
  readonly channels?: readonly NewChannel[]
}

/** `at` and `hash`: end of the shared past. `name` null: same name. */
export interface ForkPersona {
  readonly type: 'ForkPersona'
  readonly id: string
  readonly name: string | null
  readonly at: Seq
  readonly hash: Sha256
  readonly recipient: string
  readonly organs: DeclaredOrgans
}

/** Records a diary that was stored. */
interface RecordDiary {
  readonly type: 'RecordDiary'
  readonly upTo: Seq
  readonly bytes: number
}

/** Encrypts diaries for another phrase from now on. The first one is written already. */
interface ChangePhrase extends Omit<RecordDiary, 'type'> {
  readonly type: 'ChangePhrase'
  readonly recipient: string
}

/** `recipient`: of the phrase that was confirmed. Refused if it is not the current one. */
interface ConfirmPhrase {
  readonly type: 'ConfirmPhrase'
  readonly recipient: string
}

/** `purge`: also deletes its diaries. */
export interface DeletePersona {
  readonly type: 'DeletePersona'
  readonly purge: boolean
}

export type PersonaCommand =
  | UpdatePersona
  | RestorePersona
  | ForkPersona
  | RecordDiary
  | ChangePhrase
  | ConfirmPhrase
  | DeletePersona

/** In seconds. */
const defaultIdleTimeout = 3600
/** In UTF-16 units. */
const maxNameLength = 1000

export const decideCreation = ({
  id,
  name,
  birthday,
  recipient,
  organs,
  channels = [],
}: CreatePersona): Decision => {
  const refusal = checkName(name) ?? checkOrgans(organs)
  if (refusal) return refuse(refusal)
  return accept(
    { type: 'PersonaCreated', id, name, birthday, idleTimeout: defaultIdleTimeout, recipient },
    ...toFacts(organs, channels),
    { type: 'StartAsked' },
  )
}

const update = (
  { self }: Persona,
  { status, name, idleTimeout: idle, organs, clear }: UpdatePersona,
): Decision => {
  const wanted = Status.optional().safeParse(status ?? undefined)
  if (!wanted.success) return refuse({ code: 'status_invalid' })
  const seconds = parseIdleTimeout(idle)
  if (seconds === 'invalid') return refuse({ code: 'idle_timeout_invalid' })
  if (name !== undefined && name !== null && typeof name !== 'string') return refuse({ code: 'name_invalid' })
  const refusal = checkName(name ?? '') ?? checkOrgans(organs)
  if (refusal) return refuse(refusal)

  const events: PersonaEvent[] = []
  if (typeof name === 'string') events.push({ type: 'Renamed', name })
  if (seconds !== null) events.push({ type: 'IdleTimeoutSet', seconds })
  events.push(
    ...clear.filter((slot) => self.organs[slot]).map((slot) => ({ type: 'OrganRemoved', slot }) as const),
  )
  events.push(...replacing(organs, clear))
  if (wanted.data) events.push({ type: 'StatusSet', status: wanted.data, reason: null })
  return accept(...events)
}

const restore = ({ made, upTo, over, recipient, organs, channels = [] }: RestorePersona): Decision => {
  const refusal = checkOrgans(organs)
  if (refusal) return refuse(refusal)
  const restored = {
    type: 'PersonaRestored',
    made,
    upTo,
    ...(over !== undefined && { over }),
    recipient,
  } as const
  return accept(restored, ...toFacts(organs, channels), { type: 'StartAsked' })
}

/** Cancels all plans: the original keeps them and reminds of them. */
const fork = (
  { self, talk, plans }: Persona,
  { id, name, at, hash, recipient, organs }: ForkPersona,
): Decision => {
  const refusal = checkName(name ?? '') ?? checkOrgans(organs)
  if (refusal) return refuse(refusal)
  const planned = [...listValues(plans.open), ...plans.due]
  return accept(
    { type: 'PersonaForked', id, from: self.id, at, hash, name: name ?? self.name, recipient },
    ...(talk.turn
      ? [{ type: 'TurnEnded', turn: talk.turn.id, outcome: 'hushed', reason: forkedReason } as const]
      : []),
    ...planned.map((plan) => ({ type: 'EntryCancelled', id: plan.id }) as const),
    ...toFacts(organs, []),
    { type: 'StartAsked' },
  )
}
const forkedReason = 'The one it was forked from goes on with it.'

const diaryWritten = ({ upTo, bytes }: Omit<RecordDiary, 'type'>) =>
  ({ type: 'DiaryWritten', upTo, bytes }) as const

export const personaRules: Rules<PersonaCommand> = {
  UpdatePersona: update,
  RestorePersona: (_, command) => restore(command),
  ForkPersona: fork,
  RecordDiary: (_, command) => accept(diaryWritten(command)),
  ChangePhrase: (_, command) =>
    accept({ type: 'PhraseChanged', recipient: command.recipient }, diaryWritten(command)),
  ConfirmPhrase: ({ self }, { recipient }) => {
    if (self.recipient !== recipient) return refuse({ code: 'phrase_changed' })
    return self.phraseConfirmed ? accept() : accept({ type: 'PhraseConfirmed' })
  },
  DeletePersona: (_, { purge }) => accept({ type: 'PersonaDeleted', purge }),
}

const toFacts = (organs: DeclaredOrgans, channels: readonly NewChannel[]): readonly PersonaEvent[] => [
  ...replacing(organs, []),
  ...adding(channels),
]

/** `clear` wins over a new organ for the same slot. */
const replacing = (organs: DeclaredOrgans, clear: readonly Slot[]): readonly PersonaEvent[] =>
  Slot.options.flatMap((slot) => {
    const organ = organs[slot]
    return organ && !clear.includes(slot) ? [{ type: 'OrganReplaced', slot, organ } as const] : []
  })

const parseIdleTimeout = (idle: unknown): number | null | 'invalid' => {
  if (idle === undefined || idle === null) return null
  return typeof idle === 'number' && Number.isSafeInteger(idle) && idle > 0 ? idle : 'invalid'
}

const checkName = (name: string): Refusal | null => tooLong('name', name)

const checkOrgans = (organs: DeclaredOrgans): Refusal | null => {
  for (const organ of Object.values(organs)) {
    if (organ.model.trim() === '') return { code: 'model_missing', remote: organ.provider !== null }
    const refusal = tooLong('model name', organ.model) ?? tooLong('url', organ.url ?? '')
    if (refusal) return refusal
  }
  return null
}

const tooLong = (what: string, text: string): Refusal | null =>
  text.length > maxNameLength ? { code: 'too_long', what, most: maxNameLength } : null
