/** The rules of personas: a state and a command in, facts or a refusal out. Never throws, never waits. */

import { Slot, Status } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import { partsIn } from '../../projections/message-parts.ts'
import { valueAt } from '../../projections/persistent-map.ts'
import type { Persona } from '../../projections/persona.ts'
import type {
  Command,
  CreatePersona,
  Decision,
  FallDue,
  Hear,
  Hush,
  NewChannel,
  PlanAnew,
  RecordDiary,
  RestorePersona,
  UpdatePersona,
} from './commands.ts'
import { decideByHand } from './decide-by-hand.ts'
import { adding, decideChannels } from './decide-channels.ts'
import { decideInLife, done } from './decide-life.ts'
import { accept, refuse } from './decision.ts'
import { recovered, sickened } from './organ-health.ts'
import type { Refusal } from './refusals.ts'

/** Seconds of quiet before she goes over what was said. */
const idleTimeout = 3600
/** Bytes a name of any kind may take in a fact. */
const longestName = 1000

export const decide = (persona: Persona | undefined, command: Command): Decision => {
  if (command.type === 'CreatePersona') return persona ? refuse({ code: 'persona_exists' }) : create(command)
  if (!persona || persona.self.deleted) return refuse({ code: 'persona_unknown' })
  switch (command.type) {
    case 'UpdatePersona':
      return update(persona, command)
    case 'RestorePersona':
      return restore(command)
    case 'ChangePhrase':
      return accept({ type: 'PhraseChanged', recipient: command.recipient }, diaryWritten(command))
    case 'RecordDiary':
      return accept(diaryWritten(command))
    case 'DeletePersona':
      return accept({ type: 'PersonaDeleted', purge: command.purge })
    case 'AskStart':
      return accept({ type: 'StartAsked' })
    case 'AskStop':
      return accept({ type: 'StopAsked' })
    case 'AskRestart':
      return accept({ type: 'RestartAsked' })
    case 'AddChannel':
    case 'RemoveChannels':
    case 'PairChannel':
    case 'TroubleChannel':
    case 'SettleDelivery':
    case 'NoteParts':
      return decideChannels(persona, command)
    case 'Hear':
      return hear(persona, command)
    case 'Hush':
      return hush(persona, command)
    case 'Wake':
      return wake(persona)
    case 'FailWaking':
      return accept({ type: 'WakingFailed', reason: command.reason })
    case 'RecoverOrgan':
      return accept(...recovered(persona, command.slot))
    case 'FallSick':
      // She may have recovered in this very moment.
      return accept(...(persona.life.awake && !persona.life.failed.thinking ? [] : sickened(persona, command.reason)))
    case 'WriteMemory':
    case 'AmendMemory':
    case 'WriteEntry':
    case 'MoveEntry':
    case 'CancelEntry':
      return decideByHand(persona, command)
    case 'FallDue':
      return fallDue(persona, command)
    case 'PlanAnew':
      return planAnew(persona, command)
    default:
      return decideInLife(persona, command)
  }
}

const create = ({ id, name, birthday, recipient, organs, channels = [] }: CreatePersona): Decision => {
  const bad = badName(name) ?? badOrgans(organs)
  if (bad) return refuse(bad)
  return accept({ type: 'PersonaCreated', id, name, birthday, idleTimeout, recipient }, ...declared(organs, channels), {
    type: 'StartAsked',
  })
}

const restore = ({ made, upTo, over, recipient, organs, channels = [] }: RestorePersona): Decision => {
  const bad = badOrgans(organs)
  if (bad) return refuse(bad)
  const restored = { type: 'PersonaRestored', made, upTo, ...(over !== undefined && { over }), recipient } as const
  return accept(restored, ...declared(organs, channels), { type: 'StartAsked' })
}

/** All she has, where she has nothing yet. */
const declared = (organs: CreatePersona['organs'], channels: readonly NewChannel[]): readonly PersonaEvent[] => [
  ...replacing(organs, []),
  ...adding(channels),
]

const diaryWritten = ({ upTo, bytes }: Pick<RecordDiary, 'upTo' | 'bytes'>) => ({ type: 'DiaryWritten', upTo, bytes }) as const

const update = ({ self }: Persona, { status, name, idleTimeout: idle, organs, clear }: UpdatePersona): Decision => {
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
  events.push(...clear.filter((slot) => self.organs[slot]).map((slot) => ({ type: 'OrganRemoved', slot }) as const))
  events.push(...replacing(organs, clear))
  if (wanted.data) events.push({ type: 'StatusSet', status: wanted.data, reason: null })
  return accept(...events)
}

/** A clear flag wins over a new organ for the same slot. */
const replacing = (organs: UpdatePersona['organs'], clear: readonly Slot[]): readonly PersonaEvent[] =>
  Slot.options.flatMap((slot) => {
    const organ = organs[slot]
    return organ && !clear.includes(slot) ? [{ type: 'OrganReplaced', slot, organ } as const] : []
  })

const readIdle = (idle: unknown): number | null | 'invalid' => {
  if (idle === undefined || idle === null) return null
  return typeof idle === 'number' && Number.isSafeInteger(idle) && idle > 0 ? idle : 'invalid'
}

const badName = (name: string): Refusal | null => tooLong('name', name)

const badOrgans = (organs: UpdatePersona['organs']): Refusal | null => {
  for (const organ of Object.values(organs)) {
    if (organ.model.trim() === '') return { code: 'model_missing', remote: organ.provider !== null }
    const long = tooLong('model name', organ.model) ?? tooLong('url', organ.url ?? '')
    if (long) return long
  }
  return null
}

const tooLong = (what: string, text: string): Refusal | null =>
  text.length > longestName ? { code: 'too_long', what, most: longestName } : null

/** A message heard before is heard once: the same key writes nothing. */
const hear = ({ talk }: Persona, { channel, media, key, ...words }: Hear): Decision => {
  if (key !== null && talk.keys.includes(key)) return accept()
  const parts = 'parts' in words ? words.parts : partsIn(words.content)
  return accept({ type: 'MessageHeard', channel, parts, media, key })
}

const hush = ({ talk, plans }: Persona, { said }: Hush): Decision => {
  const { turn } = talk
  if (!turn) return accept()
  const words = said?.turn === turn.id && said.step > turn.step ? said.text.trim() : ''
  const { id, channel, stimuli } = turn
  const spoken = words ? [{ type: 'MessageSpoken', turn: id, step: said?.step ?? null, channel, content: words, media: null } as const] : []
  return accept(...spoken, { type: 'TurnEnded', turn: id, outcome: 'hushed', reason: null }, ...done(stimuli.due, plans.due))
}

/** Its models were listed before. That makes nobody well whose Mind has failed in use: its answer does, which is asked for at once. */
const wake = (persona: Persona): Decision => {
  if (!persona.self.wanted) return refuse({ code: 'not_active' })
  const well = persona.life.failed.thinking ? [] : recovered(persona, 'thinking')
  return accept(...well, { type: 'Woke', life: persona.life.life + 1 })
}

const fallDue = ({ plans }: Persona, { id, seq, next }: FallDue): Decision => {
  const plan = valueAt(plans.open, id)
  if (plan?.seq !== seq) return refuse({ code: 'plan_unknown', id })
  const { seq: _, ...entry } = plan
  const again = next ? [{ ...entry, type: 'EntryPlanned', id: next.id, wall: next.wall } as const] : []
  return accept({ type: 'EntryDue', id }, ...again)
}

/** The plan under its id as it was, at another time. */
const planAnew = ({ plans }: Persona, { id, seq, wall }: PlanAnew): Decision => {
  const plan = valueAt(plans.open, id)
  if (plan?.seq !== seq) return refuse({ code: 'plan_unknown', id })
  const { seq: _, ...entry } = plan
  return accept({ ...entry, type: 'EntryPlanned', wall })
}
