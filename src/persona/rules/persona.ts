/** Rules of the persona itself: created, changed, restored, forked, deleted, and its recovery phrase. */
import { isDeepStrictEqual } from 'node:util'
import {
  type LoreEntry,
  type Organ,
  type Seq,
  type Sha256,
  Slot,
  Status,
} from '../../../facts/fact-values.ts'
import type { PersonaEvent } from '../../../facts/facts.ts'
import { fillPlaceholders } from '../../../packages/history-import/card-placeholders.ts'
import type { InitiativeChoice } from '../../../projections/initiative.ts'
import { oneLine } from '../../../projections/knowledge.ts'
import { listValues } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import { isMarkedLine } from '../../../projections/self.ts'
import type { Refusal } from '../refusals.ts'
import { createAddEvents, type NewChannel } from './channels.ts'
import { accept, type Decision, type Rules, refuse } from './decision.ts'
import { createChoiceEvents } from './initiative.ts'
import { createMessageSaid } from './talk.ts'

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
  readonly character?: NewCharacter
  /** How often it may write by itself, and the zone of its quiet hours. Default: off. */
  readonly initiative?: Pick<InitiativeChoice, 'level' | 'zone'>
}

/** `card`: name of the character card that it comes from; null if the user wrote or chose it. */
export interface CharacterDraft {
  readonly text: string
  readonly lore: readonly LoreEntry[]
  readonly card: string | null
}

/** `greeting`: first message of the persona; empty for none. */
export interface NewCharacter extends CharacterDraft {
  readonly greeting: string
}

/** An undefined field stays as it is. An empty text without entries removes the character. */
export interface SetCharacter extends Partial<CharacterDraft> {
  readonly type: 'SetCharacter'
}

/** `message`: of the persona, with a text. */
interface MarkLine {
  readonly type: 'MarkLine'
  readonly message: Seq
  readonly marked: boolean
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

/** `country`: null follows the time zone. */
interface SetCare {
  readonly type: 'SetCare'
  readonly country: string | null
  readonly help: boolean
}

export type PersonaCommand =
  | UpdatePersona
  | SetCare
  | SetCharacter
  | MarkLine
  | RestorePersona
  | ForkPersona
  | RecordDiary
  | ChangePhrase
  | ConfirmPhrase
  | DeletePersona

/** In seconds. */
const defaultIdleTimeout = 3600
// In UTF-16 units.
const maxNameLength = 1000
export const maxCharacterLength = 4000
export const maxGreetingLength = 4000
export const maxLoreTextLength = 1000
const maxLoreKeyLength = 100
export const maxLoreEntries = 200
const maxLoreKeys = 20
export const maxMarkedLines = 10
/** All entries together, so that the fact fits into a record. */
export const maxLoreLength = 100_000

export const decideCreation = ({
  id,
  name,
  birthday,
  recipient,
  organs,
  channels = [],
  character,
  initiative,
}: CreatePersona): Decision => {
  const refusal =
    checkName(name) ?? checkOrgans(organs) ?? (character ? checkCharacter(toCharacter(character)) : null)
  if (refusal) return refuse(refusal)
  return accept(
    { type: 'PersonaCreated', id, name, birthday, idleTimeout: defaultIdleTimeout, recipient },
    ...(character ? characterEvents(id, name, character) : []),
    ...createChoiceEvents(initiative),
    ...toFacts(organs, channels),
    { type: 'StartAsked' },
  )
}

/** The greeting of a card is text of its author. */
const characterEvents = (id: string, name: string, character: NewCharacter): readonly PersonaEvent[] => {
  const { text, lore, card } = toCharacter(character)
  const greeting = fillPlaceholders(character.greeting, name, 'you')
    .slice(0, maxGreetingLength)
    .toWellFormed()
    .trim()
  const isEmpty = text === '' && lore.length === 0
  return [
    ...(isEmpty ? [] : [{ type: 'CharacterSet', text, lore: [...lore], card } as const]),
    ...createMessageSaid(
      { turn: null, step: null, channel: { type: 'web', name: id } },
      greeting === '' ? null : greeting,
      'all',
    ),
  ]
}

const toCharacter = ({ text, lore, card }: CharacterDraft): CharacterDraft => ({
  text: text.replace(/\r\n?/g, '\n').trim(),
  lore,
  card: card === null ? null : oneLine(card),
})

const checkCharacter = ({ text, lore, card }: CharacterDraft): Refusal | null => {
  if (lore.length > maxLoreEntries)
    return { code: 'too_many', what: 'entries of the lorebook', most: maxLoreEntries }
  const keys = lore.flatMap((entry) => entry.keys)
  const length = lore.reduce((sum, entry) => sum + entry.text.length, keys.join('').length)
  const tooManyKeys = lore.some((entry) => entry.keys.length > maxLoreKeys)
  return (
    tooLong('character', text, maxCharacterLength) ??
    tooLong('name of the card', card ?? '') ??
    (tooManyKeys ? { code: 'too_many', what: 'keys of an entry', most: maxLoreKeys } : null) ??
    firstRefusal(keys, (key) => tooLong('key of an entry', key, maxLoreKeyLength)) ??
    firstRefusal(lore, (entry) => tooLong('entry of the lorebook', entry.text, maxLoreTextLength)) ??
    (length > maxLoreLength ? { code: 'too_long', what: 'lorebook', most: maxLoreLength } : null)
  )
}

const firstRefusal = <T>(items: readonly T[], check: (item: T) => Refusal | null): Refusal | null => {
  for (const item of items) {
    const refusal = check(item)
    if (refusal) return refusal
  }
  return null
}

export const readCharacter = ({ self, knowledge }: Persona): CharacterDraft => ({
  text: self.character?.text ?? '',
  lore: knowledge.lore?.entries ?? [],
  card: self.character?.card ?? knowledge.lore?.card ?? null,
})

const setCharacter = (persona: Persona, change: SetCharacter): Decision => {
  const previousCharacter = readCharacter(persona)
  const {
    text = previousCharacter.text,
    lore = previousCharacter.lore,
    card = previousCharacter.card,
  } = change
  const isRemoved = text.trim() === '' && lore.length === 0
  const newCharacter = toCharacter({ text, lore, card: isRemoved ? null : card })
  const refusal = checkCharacter(newCharacter)
  if (refusal) return refuse(refusal)
  return isDeepStrictEqual(previousCharacter, newCharacter)
    ? accept()
    : accept({
        type: 'CharacterSet',
        text: newCharacter.text,
        lore: [...newCharacter.lore],
        card: newCharacter.card,
      })
}

export const markLine = ({ self, talk }: Persona, { message, marked }: MarkLine): Decision => {
  if (isMarkedLine(self, message) === marked) return accept()
  if (!marked) return accept({ type: 'LineUnmarked', message })
  if (talk.hidden[message]) return refuse({ code: 'message_unknown' })
  return self.voice.length >= maxMarkedLines
    ? refuse({ code: 'too_many', what: 'marked messages', most: maxMarkedLines })
    : accept({ type: 'LineMarked', message })
}

const update = (
  { self }: Persona,
  { status, name, idleTimeout: idle, organs, clear }: UpdatePersona,
): Decision => {
  const parsedStatus = Status.optional().safeParse(status ?? undefined)
  if (!parsedStatus.success) return refuse({ code: 'status_invalid' })
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
  events.push(...createOrganEvents(organs, clear))
  if (parsedStatus.data) events.push({ type: 'StatusSet', status: parsedStatus.data, reason: null })
  return accept(...events)
}

const setCare = ({ self: { care } }: Persona, { country, help }: SetCare): Decision =>
  care.country === country && care.help === help ? accept() : accept({ type: 'CareSet', country, help })

const restore = ({ made, upTo, over, recipient, organs, channels = [] }: RestorePersona): Decision => {
  const refusal = checkOrgans(organs)
  if (refusal) return refuse(refusal)
  const restoredEvent = {
    type: 'PersonaRestored',
    made,
    upTo,
    ...(over !== undefined && { over }),
    recipient,
  } as const
  return accept(restoredEvent, ...toFacts(organs, channels), { type: 'StartAsked' })
}

/** Cancels all plans: the original keeps them and reminds of them. */
const fork = (
  { self, talk, plans }: Persona,
  { id, name, at, hash, recipient, organs }: ForkPersona,
): Decision => {
  const refusal = checkName(name ?? '') ?? checkOrgans(organs)
  if (refusal) return refuse(refusal)
  const allPlans = [...listValues(plans.open), ...plans.due]
  return accept(
    { type: 'PersonaForked', id, from: self.id, at, hash, name: name ?? self.name, recipient },
    ...(talk.turn
      ? [{ type: 'TurnEnded', turn: talk.turn.id, outcome: 'hushed', reason: forkedReason } as const]
      : []),
    ...allPlans.map((plan) => ({ type: 'EntryCancelled', id: plan.id }) as const),
    ...toFacts(organs, []),
    { type: 'StartAsked' },
  )
}
const forkedReason = 'The one it was forked from goes on with it.'

const diaryWritten = ({ upTo, bytes }: Omit<RecordDiary, 'type'>) =>
  ({ type: 'DiaryWritten', upTo, bytes }) as const

export const personaRules: Rules<PersonaCommand> = {
  UpdatePersona: update,
  SetCharacter: setCharacter,
  MarkLine: markLine,
  SetCare: setCare,
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
  ...createOrganEvents(organs, []),
  ...createAddEvents(channels),
]

/** `clear` wins over a new organ for the same slot. */
const createOrganEvents = (organs: DeclaredOrgans, clear: readonly Slot[]): readonly PersonaEvent[] =>
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

const tooLong = (field: string, text: string, maxLength = maxNameLength): Refusal | null =>
  text.length > maxLength ? { code: 'too_long', what: field, most: maxLength } : null
