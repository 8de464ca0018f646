/** The rules of personas: a state and a command in, facts or a refusal out. Never throws, never waits. */
import { type PersonaEvent, Slot, Status } from '../../journal/events.ts'
import type { Persona } from '../../projections/persona.ts'
import { inboxKey } from '../../projections/talk.ts'
import type {
  BeginTurn,
  Command,
  CreatePersona,
  Decision,
  Effect,
  EndTurn,
  FallDue,
  Hear,
  Hush,
  PlanAnew,
  RecordAnswer,
  RecordCall,
  RecordToolAnswer,
  TellDue,
  UpdatePersona,
} from './commands.ts'
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
    case 'DeletePersona':
      return accept({ type: 'PersonaDeleted' })
    case 'AskStart':
      return accept({ type: 'StartAsked' })
    case 'AskStop':
      return accept({ type: 'StopAsked' })
    case 'AskRestart':
      return accept({ type: 'RestartAsked' })
    case 'Hear':
      return hear(persona, command)
    case 'Hush':
      return hush(persona, command)
    case 'Wake':
      return wake(persona)
    case 'FailWaking':
      return accept({ type: 'WakingFailed', reason: command.reason })
    case 'RecoverOrgan':
      return persona.life.failed[command.slot] ? accept({ type: 'OrganRecovered', slot: command.slot }) : accept()
    case 'FallDue':
      return fallDue(persona, command)
    case 'PlanAnew':
      return planAnew(persona, command)
    default:
      return ofLife(persona, command)
  }
}

const accept = (...events: readonly PersonaEvent[]): Decision => ({ events })
const refuse = (refusal: Refusal): Decision => ({ refused: refusal })

const create = ({ id, name, birthday, recipient, organs }: CreatePersona): Decision => {
  const bad = badName(name) ?? badOrgans(organs)
  if (bad) return refuse(bad)
  return accept({ type: 'PersonaCreated', id, name, birthday, idleTimeout, recipient }, ...replacing(organs, []), { type: 'StartAsked' })
}

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
const hear = ({ talk }: Persona, { channel, content, media, key }: Hear): Decision =>
  key !== null && talk.keys.includes(key) ? accept() : accept({ type: 'MessageHeard', channel, content, media, key })

const hush = ({ talk, plans }: Persona, { said }: Hush): Decision => {
  const { turn } = talk
  if (!turn) return accept()
  const words = said?.turn === turn.id && said.step > turn.step ? said.text.trim() : ''
  const { id, channel, stimuli } = turn
  const spoken = words ? [{ type: 'MessageSpoken', turn: id, step: said?.step ?? null, channel, content: words, media: null } as const] : []
  return accept(...spoken, { type: 'TurnEnded', turn: id, outcome: 'hushed', reason: null }, ...done(stimuli.due, plans.due))
}

/** The door was asked before: an organ that had failed is given another chance. */
const wake = ({ self, life }: Persona): Decision => {
  const recovered = life.failed.thinking ? [{ type: 'OrganRecovered', slot: 'thinking' } as const] : []
  return self.wanted ? accept(...recovered, { type: 'Woke', life: life.life + 1 }) : refuse({ code: 'not_active' })
}

const fallDue = ({ plans }: Persona, { id, next }: FallDue): Decision => {
  const plan = plans.open[id]
  if (!plan) return refuse({ code: 'plan_unknown', id })
  const { seq: _, ...entry } = plan
  const again = next ? [{ ...entry, type: 'EntryPlanned', id: next.id, wall: next.wall } as const] : []
  return accept({ type: 'EntryDue', id }, ...again)
}

/** The plan under its id as it was, at another time. */
const planAnew = ({ plans }: Persona, { id, wall }: PlanAnew): Decision => {
  const plan = plans.open[id]
  if (!plan) return refuse({ code: 'plan_unknown', id })
  const { seq: _, ...entry } = plan
  return accept({ ...entry, type: 'EntryPlanned', wall })
}

type OfLife = Extract<Command, { life: number }>

/** The fence: what an agent of an earlier life still wants to write is refused. */
const ofLife = (persona: Persona, command: OfLife): Decision => {
  const { life } = persona
  if (!life.awake || life.life !== command.life) return refuse({ code: 'life_over' })
  if (command.type === 'EndLife') return accept({ type: 'Stopped', life: command.life })
  if (command.type === 'BeginTurn') return beginTurn(persona, command)
  if (command.type === 'TellDue') return tellDue(persona, command)
  if (persona.talk.turn?.id !== command.turn) return refuse({ code: 'turn_over' })
  switch (command.type) {
    case 'RecordAnswer':
      return recordAnswer(persona, command)
    case 'RecordCall':
      return recordCall(command)
    case 'RecordToolAnswer':
      return recordToolAnswer(persona, command)
    case 'EndTurn':
      return endTurn(persona, command)
  }
}

/** A turn takes what waits in its channel, and all that fell due. */
const beginTurn = ({ talk, plans, life }: Persona, { channel, upTo }: BeginTurn): Decision => {
  if (talk.turn) return refuse({ code: 'turn_over' })
  const inbox = talk.inboxes[inboxKey(channel)]
  const waits = inbox?.oldest != null
  if (!waits && plans.due.length === 0) return refuse({ code: 'nothing_waits' })
  const after = inbox?.consumed ?? 0
  const due = plans.due.map(({ id }) => id)
  return accept({
    type: 'TurnBegan',
    life: life.life,
    channel,
    stimuli: { after, upTo: Math.max(after, Math.min(upTo, inbox?.heard ?? 0)), due },
  })
}

const tellDue = ({ plans }: Persona, { channel, told }: TellDue): Decision =>
  accept(
    ...told
      .filter(({ id }) => plans.due.some((plan) => plan.id === id))
      .flatMap(({ id, words }) => [
        { type: 'MessageSpoken', turn: null, step: null, channel, content: words, media: null } as const,
        { type: 'EntryDone', id } as const,
      ]),
  )

const recordAnswer = (persona: Persona, command: RecordAnswer): Decision => {
  if (command.step <= (persona.talk.turn?.step ?? 0)) return refuse({ code: 'recorded_already' })
  const { turn, step, organ, model, usage, ms, recipe, answer, part } = command
  const words = aloud(answer.text)
  const channel = persona.talk.turn?.channel ?? null
  const events: PersonaEvent[] = [
    {
      type: 'ModelAnswered',
      turn,
      step,
      organ,
      provider: model.provider,
      model: model.model,
      usage,
      ms,
      recipe,
      answer: part === null ? answer : { part },
      cause: 'turn',
    },
  ]
  if (words) events.push({ type: 'MessageSpoken', turn, step, channel, content: words, media: null })
  if (words && answer.calls.length === 0) events.push(...ending(persona, turn, 'answered', null))
  return accept(...events)
}

/** What is said is bounded, what was answered is kept whole: a mind that repeats itself for ever fills no commit. */
const longestWords = 100_000
const aloud = (text: string): string => {
  const words = text.trim()
  return words.length > longestWords
    ? `${words.slice(0, longestWords).toWellFormed()}\n\n[I broke off here: this was getting too long.]`
    : words
}

const recordCall = (command: RecordCall): Decision => accept(toolCalled(command))

const toolCalled = ({ turn, step, call }: RecordCall | RecordToolAnswer): PersonaEvent => ({
  type: 'ToolCalled',
  turn,
  step,
  call: call.id,
  name: call.name,
  input: call.input,
})

const recordToolAnswer = (persona: Persona, command: RecordToolAnswer): Decision => {
  const { turn, step, call, began, effect, ok, output } = command
  if (persona.talk.turn?.answered.includes(call.id)) return refuse({ code: 'recorded_already' })
  const refused = effect.map((change) => impossible(persona, change)).find((refusal) => refusal !== null)
  if (refused) return refuse(refused)
  const called = began ? [] : [toolCalled(command)]
  return accept(...called, ...effect.map(factOf), { type: 'ToolAnswered', turn, step, call: call.id, name: call.name, ok, output })
}

const impossible = ({ knowledge, plans }: Persona, effect: Effect): Refusal | null => {
  switch (effect.type) {
    case 'Revise':
    case 'Forget':
      return knowledge.statements[effect.id] ? null : { code: 'statement_unknown', id: effect.id }
    case 'CancelPlan':
      return plans.open[effect.id] || plans.due.some(({ id }) => id === effect.id) ? null : { code: 'plan_unknown', id: effect.id }
    default:
      return null
  }
}

const factOf = (effect: Effect): PersonaEvent => {
  switch (effect.type) {
    case 'Keep': {
      const { id, document, text, sources } = effect
      return { type: 'MemoryKept', id, document, text, sources: [...sources], origin: 'persona' }
    }
    case 'Revise':
      return { type: 'MemoryRevised', id: effect.id, text: effect.text, sources: [...effect.sources] }
    case 'Forget':
      return { type: 'MemoryForgotten', id: effect.id, why: null }
    case 'Plan': {
      const { id, kind, wall, zone, content, recurrence, anchor } = effect
      return { type: 'EntryPlanned', id, kind, wall, zone, content, recurrence, anchor }
    }
    case 'CancelPlan':
      return { type: 'EntryCancelled', id: effect.id }
  }
}

const endTurn = (persona: Persona, { turn, outcome, reason, words, failed }: EndTurn): Decision => {
  const channel = persona.talk.turn?.channel ?? null
  const said = words === null ? [] : [{ type: 'MessageSpoken', turn, step: null, channel, content: words, media: null } as const]
  const marked = failed && !persona.life.failed[failed.slot] ? [{ type: 'OrganFailed', ...failed } as const] : []
  return accept(...said, ...ending(persona, turn, outcome, reason), ...marked)
}

/** What fell due is done with once a turn about it has ended, unless the turn could not reach her Mind. */
const ending = ({ talk, plans }: Persona, turn: number, outcome: EndTurn['outcome'], reason: string | null): readonly PersonaEvent[] => [
  { type: 'TurnEnded', turn, outcome, reason },
  ...(outcome === 'unreachable' ? [] : done(talk.turn?.stimuli.due ?? [], plans.due)),
]

const done = (taken: readonly string[], due: Persona['plans']['due']): readonly PersonaEvent[] =>
  taken.filter((id) => due.some((plan) => plan.id === id)).map((id) => ({ type: 'EntryDone', id }))
