/** The rules of who a persona is: created, changed, brought back, deleted, and how its diaries are sealed. */
import { type Organ, type Seq, type Sha256, Slot, Status } from '../../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../../journal/facts/facts.ts'
import { valuesOf } from '../../../projections/persistent-map.ts'
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
  /** Made from its recovery phrase. */
  readonly recipient: string
  readonly organs: DeclaredOrgans
  /** None where it is not said. */
  readonly channels?: readonly NewChannel[]
}

/**
 * `status` as it was sent, of whatever type: the rule speaks of it. A clear flag wins over an organ for the
 * same slot.
 */
export interface UpdatePersona {
  readonly type: 'UpdatePersona'
  readonly status?: unknown
  readonly name?: unknown
  readonly idleTimeout?: unknown
  readonly organs: DeclaredOrgans
  readonly clear: readonly Slot[]
}

/**
 * Brought back from a diary, with organs declared anew: `made` and `upTo` are the diary's. `over`: how far
 * the journal goes that the diary replaces, if it does.
 */
export interface RestorePersona {
  readonly type: 'RestorePersona'
  readonly made: number
  readonly upTo: Seq
  readonly over?: Seq
  readonly recipient: string
  readonly organs: DeclaredOrgans
  /** None where it is not said. */
  readonly channels?: readonly NewChannel[]
}

/**
 * Another one from here on: `at` and `hash` are the end of the past that both share. `name` null: it is
 * called as it was.
 */
export interface ForkPersona {
  readonly type: 'ForkPersona'
  readonly id: string
  readonly name: string | null
  readonly at: Seq
  readonly hash: Sha256
  readonly recipient: string
  readonly organs: DeclaredOrgans
}

/** A diary that stands with the others. */
interface RecordDiary {
  readonly type: 'RecordDiary'
  readonly upTo: Seq
  readonly bytes: number
}

/** Its diaries are sealed for another phrase from now on; the first of them is written. */
interface ChangePhrase extends Omit<RecordDiary, 'type'> {
  readonly type: 'ChangePhrase'
  readonly recipient: string
}

/** `recipient`: whose words they are that somebody has; one of before confirms nothing. */
interface ConfirmPhrase {
  readonly type: 'ConfirmPhrase'
  readonly recipient: string
}

/** `purge`: its diaries go with it. */
export interface DeletePersona {
  readonly type: 'DeletePersona'
  readonly purge: boolean
}

export type SelfCommand =
  | UpdatePersona
  | RestorePersona
  | ForkPersona
  | RecordDiary
  | ChangePhrase
  | ConfirmPhrase
  | DeletePersona

/** Seconds of quiet before it goes over what was said. */
const idleTimeout = 3600
/** Bytes a name of any kind may take in a fact. */
const longestName = 1000

export const decideCreation = ({
  id,
  name,
  birthday,
  recipient,
  organs,
  channels = [],
}: CreatePersona): Decision => {
  const bad = badName(name) ?? badOrgans(organs)
  if (bad) return refuse(bad)
  return accept(
    { type: 'PersonaCreated', id, name, birthday, idleTimeout, recipient },
    ...declared(organs, channels),
    {
      type: 'StartAsked',
    },
  )
}

const update = (
  { self }: Persona,
  { status, name, idleTimeout: idle, organs, clear }: UpdatePersona,
): Decision => {
  const wanted = Status.optional().safeParse(status ?? undefined)
  if (!wanted.success) return refuse({ code: 'status_invalid' })
  const seconds = readIdle(idle)
  if (seconds === 'invalid') return refuse({ code: 'idle_timeout_invalid' })
  if (name !== undefined && name !== null && typeof name !== 'string') return refuse({ code: 'name_invalid' })
  const bad = badName(name ?? '') ?? badOrgans(organs)
  if (bad) return refuse(bad)

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
  const bad = badOrgans(organs)
  if (bad) return refuse(bad)
  const restored = {
    type: 'PersonaRestored',
    made,
    upTo,
    ...(over !== undefined && { over }),
    recipient,
  } as const
  return accept(restored, ...declared(organs, channels), { type: 'StartAsked' })
}

/** What was planned is the other one's to remind of: here it is taken back, as the calendar tells. */
const fork = (
  { self, talk, plans }: Persona,
  { id, name, at, hash, recipient, organs }: ForkPersona,
): Decision => {
  const bad = badName(name ?? '') ?? badOrgans(organs)
  if (bad) return refuse(bad)
  const planned = [...valuesOf(plans.open), ...plans.due]
  return accept(
    { type: 'PersonaForked', id, from: self.id, at, hash, name: name ?? self.name, recipient },
    ...(talk.turn
      ? [{ type: 'TurnEnded', turn: talk.turn.id, outcome: 'hushed', reason: forked } as const]
      : []),
    ...planned.map((plan) => ({ type: 'EntryCancelled', id: plan.id }) as const),
    ...declared(organs, []),
    { type: 'StartAsked' },
  )
}
const forked = 'The one it was forked from goes on with it.'

const diaryWritten = ({ upTo, bytes }: Omit<RecordDiary, 'type'>) =>
  ({ type: 'DiaryWritten', upTo, bytes }) as const

export const selfRules: Rules<SelfCommand> = {
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

/** All it has, where it has nothing yet. */
const declared = (organs: DeclaredOrgans, channels: readonly NewChannel[]): readonly PersonaEvent[] => [
  ...replacing(organs, []),
  ...adding(channels),
]

/** A clear flag wins over a new organ for the same slot. */
const replacing = (organs: DeclaredOrgans, clear: readonly Slot[]): readonly PersonaEvent[] =>
  Slot.options.flatMap((slot) => {
    const organ = organs[slot]
    return organ && !clear.includes(slot) ? [{ type: 'OrganReplaced', slot, organ } as const] : []
  })

const readIdle = (idle: unknown): number | null | 'invalid' => {
  if (idle === undefined || idle === null) return null
  return typeof idle === 'number' && Number.isSafeInteger(idle) && idle > 0 ? idle : 'invalid'
}

const badName = (name: string): Refusal | null => tooLong('name', name)

const badOrgans = (organs: DeclaredOrgans): Refusal | null => {
  for (const organ of Object.values(organs)) {
    if (organ.model.trim() === '') return { code: 'model_missing', remote: organ.provider !== null }
    const long = tooLong('model name', organ.model) ?? tooLong('url', organ.url ?? '')
    if (long) return long
  }
  return null
}

const tooLong = (what: string, text: string): Refusal | null =>
  text.length > longestName ? { code: 'too_long', what, most: longestName } : null
