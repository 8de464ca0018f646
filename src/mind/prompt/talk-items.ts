/**
 * Reads a part of the talk as the items that prompts show, in the order in which the model sees them. The
 * order depends only on facts, so a later prompt repeats an earlier one and only adds to it.
 *
 * 1. A turn shows its messages and due plans when it begins, then its steps.
 * 2. Facts that arrive during a turn are shown after it.
 * 3. A turn that waits for an approval is interrupted by other turns; its results follow them.
 * 4. A turn that is resumed when its beginning is no longer shown is shown again from its beginning.
 * 5. Hidden messages are left out. The tool calls of a hidden answer stay, because they took effect.
 */
import type { Answer, Call, Channel, Seq } from '../../../facts/fact-values.ts'
import type { EventOf, EventType } from '../../../facts/facts.ts'
import type { Entry, Journal } from '../../../facts/persona-journal.ts'
import { entryAt } from '../../../journal/log/keys.ts'
import type { Opaque } from '../../../packages/models/mind.ts'
import type { Statement } from '../../../projections/knowledge.ts'
import { isByDaemon } from '../../../projections/message-parts.ts'
import { isAt } from '../../../projections/persistent-map.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Plan } from '../../../projections/plans.ts'
import { inboxKey, type Turn } from '../../../projections/talk.ts'
import { keptAnswer, keptOpaque } from '../../persona/prune-calls.ts'

export interface ToolOutput {
  readonly seq: Seq | null
  readonly call: string
  readonly name: string
  readonly output: unknown
}

/**
 * A step of a turn: the model's answer and the tool results. `seq`: its fact, or null if the talk is not
 * stored.
 */
export interface TurnStep {
  readonly seq: Seq | null
  readonly answer: Answer
  readonly opaque?: Opaque | undefined
  readonly results: readonly ToolOutput[]
  /** Words of others in the answer. Used once the turn is over; until then the prompt has their source. */
  readonly borrowed?: readonly string[]
}

/** A statement as it was when the turn began. `turnAt`: that time, epoch ms. */
export interface AttachedStatement
  extends Pick<Statement, 'id' | 'text' | 'origin' | 'via' | 'from' | 'until' | 'seq' | 'at'> {
  readonly turnAt: number
}

/** `turn` is null for facts outside of turns. `at`: epoch ms. */
export type TalkItem = { readonly turn: Seq | null; readonly at: number } & (
  | {
      readonly kind: 'message'
      readonly entry: Entry
      readonly files: number
      /** Statements that are shown with it, because the system prompt does not show them. */
      readonly known?: readonly AttachedStatement[]
    }
  /** `maySilently`: an empty answer is fine. */
  | { readonly kind: 'due'; readonly plans: readonly Plan[]; readonly maySilently: boolean }
  /** `language`: of the page that shows the talk, such as `de`; undefined if unknown. */
  | { readonly kind: 'greeting'; readonly language: string | undefined }
  | { readonly kind: 'step'; readonly step: TurnStep; readonly unanswered: 'waits' | 'ended' | null }
  /** Results of a step that other turns interrupted. */
  | { readonly kind: 'late'; readonly call: Call; readonly result: ToolOutput; readonly step: TurnStep }
  /** A message of the persona outside of steps. */
  | { readonly kind: 'spoken'; readonly entry: Entry }
  /** Something was changed outside of the talk. */
  | { readonly kind: 'change'; readonly entry: Entry }
  /** The user asked for the rest of the last answer. */
  | { readonly kind: 'continue' }
)

interface OpenStep {
  readonly kind: 'step'
  readonly turn: Seq
  readonly at: number
  readonly step: Omit<TurnStep, 'answer'> & {
    answer: Answer
    readonly number: number
    readonly results: ToolOutput[]
    readonly borrowed: string[]
  }
  unanswered: 'waits' | 'ended' | null
}

interface ShownTurn {
  readonly steps: OpenStep[]
  /** True once other turns may have run between its steps. */
  parked: boolean
}

/** Changes outside of the talk that prompts report: by the user, or by a consolidation before the night. */
const changes = [
  'MemoryKept',
  'MemoryRevised',
  'MemoryRestored',
  'MemoryForgotten',
  'InstructionLearned',
  'InstructionRevised',
  'InstructionRemoved',
  'EntryPlanned',
  'EntryMoved',
  'EntryCancelled',
  'ContextCarried',
] as const satisfies readonly EventType[]
export type Change = EventOf<(typeof changes)[number]>

/** Facts that are shown. Others are not decoded. */
const shownTypes = [
  'GreetingAsked',
  'MessageHeard',
  'MessageSpoken',
  'TurnBegan',
  'TurnResumed',
  'TurnEnded',
  'ModelAnswered',
  'ToolAnswered',
  'ApprovalAsked',
  'AnswerAsked',
] as const satisfies readonly EventType[]
type ShownEvent = EventOf<(typeof shownTypes)[number]>
const shownTypeSet: ReadonlySet<EventType> = new Set<EventType>(shownTypes)
const changeTypes: ReadonlySet<EventType> = new Set<EventType>(changes)

type ItemContext = Pick<Persona, 'base' | 'plans' | 'knowledge' | 'talk'>

/** Reads the items from a position up to the end of the journal. */
export const readItems = async (
  journal: Journal,
  context: ItemContext,
  first: Seq,
): Promise<readonly TalkItem[]> => (await readTurns(journal, context, first, journal.head.seq)).items

/** Reads the items of `first <= seq <= upTo`, and their turns by id. */
const readTurns = async (
  journal: Journal,
  context: ItemContext,
  first: Seq,
  upTo: Seq,
): Promise<{ readonly items: readonly TalkItem[]; readonly turns: ReadonlyMap<Seq, ShownTurn> }> => {
  const { base, plans, knowledge, talk } = context
  let items: TalkItem[] = []
  let deferredItems: TalkItem[] = []
  let current: Seq | null = null
  let greetingLanguage: string | undefined
  const turns = new Map<Seq, ShownTurn>()
  const waitingByInbox = new Map<string, Entry[]>()
  /** Shown messages of turns. Another answer to them does not show them again. */
  const shownMessages = new Set<Seq>()

  const addLater = (item: TalkItem) => void (current === null ? items : deferredItems).push(item)
  const leaveTurn = () => {
    current = null
    items.push(...deferredItems)
    deferredItems = []
  }
  const listPlans = (ids: readonly string[]): readonly Plan[] =>
    ids.flatMap((id) => [...plans.due, ...plans.handled].find((plan) => plan.id === id) ?? [])

  const beginTurn = async (entry: Entry, { channel, stimuli, known: seqs = [] }: EventOf<'TurnBegan'>) => {
    const { seq: turn, at } = entry
    const { after, upTo, due } = stimuli
    current = turn
    turns.set(turn, { steps: [], parked: false })
    const duePlans = listPlans(due)
    const earlierMessages =
      after + 1 < first
        ? await readMessages(journal, channel, { after, upTo: Math.min(upTo, first - 1) })
        : []
    const waitingMessages = waitingByInbox.get(inboxKey(channel)) ?? []
    // They stay in the map, because a turn whose model was unreachable returns them.
    const messages = [
      ...earlierMessages.filter((message) => !isEmpty(message) && !talk.hidden[message.seq]),
      ...waitingMessages.filter(({ seq }) => seq > after && seq <= upTo),
    ].filter(({ seq }) => !shownMessages.has(seq))
    for (const { seq } of messages) shownMessages.add(seq)
    const maySilently = isOfAppointments(messages, duePlans)
    if (duePlans.length > 0) items.push({ kind: 'due', turn, at, plans: duePlans, maySilently })
    if (upTo === after && due.length === 0)
      items.push({ kind: 'greeting', turn, at, language: greetingLanguage })
    const files = messages.filter(hasFile).length
    const knownStatements = await readStatements(journal, knowledge, seqs, at)
    for (const message of messages)
      items.push({
        kind: 'message',
        turn,
        at: message.at,
        entry: message,
        files,
        ...(message === messages.at(-1) && knownStatements.length > 0 && { known: knownStatements }),
      })
  }

  const repeatTurn = async (id: Seq, resumedAt: Seq) => {
    const earlierTurns = await readTurns(journal, context, id, resumedAt - 1)
    const turn = earlierTurns.turns.get(id)
    if (!turn) return
    turns.set(id, { ...turn, parked: false })
    items.push(...earlierTurns.items.filter((item) => item.turn === id))
  }

  const addResult = (entry: Entry, event: EventOf<'ToolAnswered'>) => {
    const turn = turns.get(event.turn)
    const step = turn?.steps.find(({ step }) => step.number === event.step)
    if (!turn || !step) return
    const result = { seq: entry.seq, call: event.call, name: event.name, output: event.output }
    // Nothing was shown since the step, so the result can still follow it.
    if (!turn.parked || items.at(-1) === step) {
      step.step.results.push(result)
      return
    }
    const call = step.step.answer.calls.find(({ id }) => id === event.call)
    if (call) items.push({ kind: 'late', turn: event.turn, at: entry.at, call, result, step: step.step })
  }

  const add = async (entry: Entry): Promise<void> => {
    if (changeTypes.has(entry.type)) {
      // The talk shows the changes of its tool calls.
      const isOutside = entry.cause.turn === undefined && entry.cause.by !== 'clock'
      if (entry.seq > base.seq && isOutside && !entry.erased)
        addLater({ kind: 'change', turn: null, at: entry.at, entry })
      return
    }
    const { at } = entry
    const event = entry.event as ShownEvent
    switch (event.type) {
      case 'GreetingAsked':
        greetingLanguage = event.language
        break
      case 'MessageHeard': {
        if (isEmpty(entry) || talk.hidden[entry.seq]) break
        if (event.channel === null) {
          addLater({ kind: 'message', turn: null, at, entry, files: hasFile(entry) ? 1 : 0 })
          break
        }
        const key = inboxKey(event.channel)
        const messages = waitingByInbox.get(key)
        if (messages) messages.push(entry)
        else waitingByInbox.set(key, [entry])
        break
      }
      case 'TurnBegan':
        await beginTurn(entry, event)
        break
      case 'TurnResumed':
        if (event.turn < first && !turns.has(event.turn)) await repeatTurn(event.turn, entry.seq)
        if (turns.has(event.turn)) current = event.turn
        break
      case 'ModelAnswered': {
        const turn = event.turn === null ? undefined : turns.get(event.turn)
        if (!turn || event.turn === null || event.cause !== 'turn' || event.step === null) break
        const step: OpenStep = {
          kind: 'step',
          turn: event.turn,
          at,
          step: {
            ...(await readStep(journal, entry.seq, event)),
            number: event.step,
            borrowed: [...(event.borrowed ?? [])],
          },
          unanswered: null,
        }
        turn.steps.push(step)
        items.push(step)
        break
      }
      case 'ToolAnswered':
        addResult(entry, event)
        break
      case 'ApprovalAsked': {
        const turn = turns.get(event.turn)
        const step = turn?.steps.at(-1)
        if (turn) turn.parked = true
        if (step) step.unanswered = 'waits'
        if (current === event.turn) leaveTurn()
        break
      }
      case 'AnswerAsked':
        if (event.mode === 'continue') addLater({ kind: 'continue', turn: null, at })
        break
      case 'MessageSpoken': {
        const turn = event.turn === null ? null : turns.get(event.turn)
        // Older answers have their borrowed words only here.
        const step = turn?.steps.find(({ step }) => step.number === event.step)
        step?.step.borrowed.push(...(event.borrowed ?? []))
        if (talk.hidden[entry.seq]) {
          if (step) step.step.answer = { ...step.step.answer, text: '' }
          break
        }
        if (!isOwnText(entry, turn)) break
        const item: TalkItem = { kind: 'spoken', turn: event.turn, at, entry }
        if (event.turn === null) addLater(item)
        else items.push(item)
        break
      }
      case 'TurnEnded': {
        const turn = turns.get(event.turn)
        // Its messages wait again and are shown by a later turn.
        if (event.outcome === 'unreachable') {
          for (const item of items)
            if (item.kind === 'message' && item.turn === event.turn) shownMessages.delete(item.entry.seq)
          items = items.filter((item) => item.turn !== event.turn)
        }
        // A request may already have said that a call waits.
        for (const step of turn?.steps ?? []) step.unanswered ??= 'ended'
        if (current === event.turn) leaveTurn()
        break
      }
    }
  }
  let commit: Entry[] = []
  const addCommit = async () => {
    // Its message has the same text, and is much smaller than the answer with its recipe.
    const isFinalAnswer = commit.some(({ type }) => type === 'TurnEnded')
    for (const entry of commit) if (!isFinalAnswer || entry.type !== 'ModelAnswered') await add(entry)
    commit = []
  }
  for await (const entry of journal.read({ after: first - 1, upTo })) {
    if (!shownTypeSet.has(entry.type) && !changeTypes.has(entry.type)) continue
    if (entry.commit !== commit[0]?.commit) await addCommit()
    commit.push(entry)
  }
  await addCommit()
  return { items, turns }
}

/** Returns true if a turn has no messages, and nothing but appointments. */
export const isOfAppointments = (messages: readonly Entry[], duePlans: readonly Plan[]): boolean =>
  messages.length === 0 && duePlans.length > 0 && duePlans.every(({ kind }) => kind === 'schedule')

/** Reads statements of these facts. Leaves out those that were forgotten or erased since. */
const readStatements = async (
  journal: Journal,
  { statements }: Persona['knowledge'],
  seqs: readonly Seq[],
  turnAt: number,
): Promise<readonly AttachedStatement[]> => {
  const attachedStatements: AttachedStatement[] = []
  for (const seq of seqs) {
    const entry = await entryAt(journal, seq)
    const event = entry?.event
    if (event?.type !== 'MemoryKept' && event?.type !== 'MemoryRevised' && event?.type !== 'MemoryRestored')
      continue
    const { id, text, origin, via, from, until } = event
    if (text === '' || !isAt(statements, id)) continue
    attachedStatements.push({ id, text, origin, via, from, until, seq, at: entry?.at ?? 0, turnAt })
  }
  return attachedStatements
}

/** Reads the answer of a step, without the tool results. */
export const readStep = async (journal: Journal, seq: Seq, event: EventOf<'ModelAnswered'>) => ({
  seq,
  answer: (await keptAnswer(journal, event)) ?? silence,
  opaque: await keptOpaque(journal, event),
  results: [] as ToolOutput[],
})

/** Replaces an answer that was erased. */
const silence: Answer = { text: '', calls: [] }

const hasFile = ({ event }: Entry): boolean => event.type === 'MessageHeard' && event.media !== null

/** Returns true for a message whose text was erased. */
const isEmpty = ({ event }: Entry): boolean =>
  event.type === 'MessageHeard' && event.media === null && event.parts.every(({ text }) => text === '')

/**
 * Returns true for text of the persona that no step contains: a stopped answer, a delivered reminder, and an
 * answer to a program. Notices and questions of the daemon are not the persona's words.
 */
const isOwnText = ({ event }: Entry, turn: ShownTurn | null | undefined): boolean => {
  if (event.type !== 'MessageSpoken' || isByDaemon(event)) return false
  if (event.content === '' && event.media === null) return false
  if (event.turn === null) return true
  if (!turn || event.step === null) return false
  return !turn.steps.some(({ step }) => step.number === event.step)
}

/** Returns the messages that a turn answers. */
export const readTurnMessages = async (
  journal: Journal,
  { channel, stimuli: { after, upTo } }: Pick<Turn, 'channel' | 'stimuli'>,
): Promise<readonly Entry[]> => (upTo > after ? readMessages(journal, channel, { after, upTo }) : [])

const readMessages = async (
  journal: Journal,
  channel: Channel | null,
  range: { readonly after: Seq | 0; readonly upTo: Seq },
): Promise<readonly Entry[]> => {
  const messages: Entry[] = []
  for await (const entry of journal.read({ kind: 'talk', ...range }))
    if (entry.event.type === 'MessageHeard' && inboxKey(entry.event.channel) === inboxKey(channel))
      messages.push(entry)
  return messages
}
