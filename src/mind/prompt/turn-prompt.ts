/**
 * Builds the prompt of a turn: tools, system prompt, talk. Between two changes of `persona.base` a prompt
 * repeats the previous one and only adds messages, so that a prompt cache can reuse all of it.
 */
import { createHash } from 'node:crypto'
import type { Seq, Sha256 } from '../../../facts/fact-values.ts'
import type { Entry } from '../../../facts/persona-journal.ts'
import { inZone, localTimeAt, shortLocalTime, toInstant } from '../../../packages/kit/time/local-time.ts'
import type { Prompt, Shown } from '../../../packages/models/mind.ts'
import type { TurnData, Utterance } from '../../../packages/models/prompt-data.ts'
import { formatVia, getVia } from '../../../projections/knowledge.ts'
import type { Plan } from '../../../projections/plans.ts'
import { toChangeMessage } from './change-note.ts'
import { createLoreNotes } from './character.ts'
import type { Perceptions } from './heard-files.ts'
import { attribute } from './marked-data.ts'
import { type OthersWords, othersInSpecs } from './origin.ts'
import {
  carriedData,
  othersInPlan,
  othersInStatement,
  plainLine,
  selfData,
  toDatedText,
} from './persona-prompt.ts'
import { ownText, type ToldPart, tokensIn, toUnits } from './prompt-part.ts'
import { type SystemPromptInput, systemParts } from './system-prompt.ts'
import type { AttachedStatement, TalkItem } from './talk-items.ts'
import {
  joinLines,
  type TalkMessage,
  toLateMessages,
  toOwnMessages,
  toStepMessages,
  toUserMessage,
} from './talk-messages.ts'
import { createTimeLines } from './time-lines.ts'

export interface TurnPrompt {
  readonly prompt: Prompt
  /** Everything that was sent, in order. */
  readonly parts: readonly ToldPart[]
}

export interface PromptInput extends SystemPromptInput {
  /** Start of the turn, epoch milliseconds. */
  readonly now: number
  readonly turn: Seq
  /** Descriptions of files that came with messages. */
  readonly perceptions: Perceptions
  /** Files that are attached, by message. */
  readonly files: ReadonlyMap<Seq, Shown>
}

/** In ms. A later reminder is marked as late. */
const lateAfterMs = 120_000
const dayMs = 24 * 60 * 60_000

export const createTurnPrompt = (input: PromptInput): TurnPrompt => {
  const system = systemParts(input)
  const talkMessages = toTalkMessages(input)
  const prompt = {
    system: system.map(({ text }) => text).join(''),
    messages: talkMessages.map(({ message }) => message),
    tools: input.tools,
    data: () => toData(input, talkMessages),
  }
  const toolList: ToldPart = {
    text: JSON.stringify(input.tools),
    from: null,
    others: othersInSpecs(input.tools),
  }
  return { prompt, parts: [...system, toolList, ...talkMessages.flatMap(({ parts }) => parts)] }
}

export const sentHash = (prompt: Prompt): Sha256 =>
  createHash('sha256').update(JSON.stringify(prompt)).digest('hex')

const toData = (
  { persona, budget, now, zone, turn }: PromptInput,
  talkMessages: readonly ItemMessage[],
): TurnData => ({
  kind: 'turn',
  ...selfData(persona, budget),
  carried: carriedData(persona),
  now: shortLocalTime(localTimeAt(now, zone)),
  talk: talkMessages.flatMap(({ data, item }) => {
    if (data === null || item.turn === turn) return data ?? []
    return withoutTools(data)
  }),
})

/** The data of earlier turns contains only what was said. */
const withoutTools = (data: Utterance): readonly Utterance[] => {
  if (data.by === 'tool') return []
  if (data.by !== 'persona') return [data]
  return data.words.trim() === '' && data.files.length === 0 ? [] : [{ ...data, calls: [] }]
}

/** Max UTF-16 units of one file. All files of a turn together may use `shareOfFiles` of the talk budget. */
const maxFileUnits = 16_000
const shareOfFiles = 0.75

type TalkInput = Pick<PromptInput, 'persona' | 'items' | 'turn' | 'zone' | 'budget' | 'perceptions' | 'files'>
type ItemMessage = TalkMessage & { readonly item: TalkItem }

/** Converts the talk. The text of an item depends on it and on earlier items only. */
const toTalkMessages = (input: TalkInput): readonly ItemMessage[] => {
  const { base } = input.persona
  const timeLines = createTimeLines(input.zone, input.items[0]?.at ?? 0)
  const attachLore = createLoreNotes(base.knowledge, base.self.name)
  return input.items.flatMap((item) => {
    const isOwn =
      item.kind === 'step' || item.kind === 'late' || (item.kind === 'spoken' && !isByItself(item.entry))
    const time = isOwn ? '' : timeLines.next(item.at)
    if (isOwn) timeLines.pass(item.at)
    return toItemMessages(item, time, { ...input, attachLore }).map((message) => ({ ...message, item }))
  })
}

const isByItself = ({ event }: Entry): boolean =>
  event.type === 'MessageSpoken' && event.initiative !== undefined

const toItemMessages = (
  item: TalkItem,
  time: string,
  {
    turn,
    zone,
    budget,
    perceptions,
    files,
    attachLore,
  }: TalkInput & {
    readonly attachLore: ReturnType<typeof createLoreNotes>
  },
): readonly TalkMessage[] => {
  const isCurrent = item.turn === turn
  const place: OthersWords['place'] = isCurrent ? 'result' : 'earlier'
  const maxTextUnits = toUnits(budget.talk / 2)
  switch (item.kind) {
    case 'message':
      return toUserMessage(item.entry, {
        perceptions,
        files,
        attachLore,
        place: isCurrent ? 'brought' : 'earlier',
        time,
        known: (item.known ?? []).map((statement) => toKnownPart(statement, zone)),
        maxFileUnits: Math.min(
          maxFileUnits,
          Math.floor(toUnits(budget.talk * shareOfFiles) / Math.max(1, item.files)),
        ),
        maxTextUnits: toUnits(budget.talk),
      })
    case 'due':
      return [toDueMessage(item, zone, time)]
    case 'greeting':
      return [toGreeting(item.language, time)]
    case 'continue':
      return [toContinueRequest(time)]
    case 'step':
      return toStepMessages(item.step, { unanswered: item.unanswered, place, maxTextUnits })
    case 'late':
      return toLateMessages(item.call, item.result, {
        place,
        maxTextUnits,
        borrowed: item.step.borrowed ?? [],
      })
    case 'spoken':
      return toOwnMessages(item.entry, maxTextUnits, time)
    case 'change':
      return toChangeMessage(item.entry, time)
  }
}

/** Brackets in the text are replaced, so that it cannot end the line. */
const toKnownPart = (statement: AttachedStatement, zone: string): ToldPart => {
  const via = getVia(statement)
  const source = via ? ` (from ${attribute(formatVia(via))})` : ''
  const text = `${toDatedText(statement, { now: statement.turnAt, zone })}${source}`
  return {
    text: `[you know: [${statement.id}] ${text.replace(/\[/g, '(').replace(/\]/g, ')')}]`,
    from: statement.seq,
    others: othersInStatement(statement),
  }
}

/** Tokens of a picture, for models that bill them. */
const pictureTokens = 1000

/** Estimates the tokens of each item in a prompt. */
export const measureItems = (input: TalkInput): readonly number[] => {
  const tokens = new Map<TalkItem, number>()
  for (const { message, item } of toTalkMessages(input)) {
    const count = tokensIn(JSON.stringify(message)) + countFiles(message) * pictureTokens
    tokens.set(item, (tokens.get(item) ?? 0) + count)
  }
  return input.items.map((item) => tokens.get(item) ?? 0)
}

const countFiles = (message: TalkMessage['message']): number =>
  message.role === 'user' ? (message.files?.length ?? 0) : 0

const toGreeting = (language: string | undefined, time: string): TalkMessage => {
  const inLanguage = language === undefined ? '' : `, in ${toLanguageName(language)}`
  const content = joinLines(
    time,
    `[quiet] The user has opened the conversation, which is still empty. Speak first: greet them in one or two sentences${inLanguage}.`,
  )
  return {
    message: { role: 'user', content },
    data: { by: 'quiet', language: language === 'de' ? 'de' : 'en' },
    parts: [ownText(content)],
  }
}

/** Creates the names only when they are needed: this takes tens of milliseconds. */
const toLanguageName = (language: string): string | undefined =>
  new Intl.DisplayNames('en', { type: 'language' }).of(language)

const toContinueRequest = (time: string): TalkMessage => {
  const request = 'Continue your last message exactly where it ends. Do not repeat any of it.'
  const content = joinLines(time, `[continue] ${request}`)
  return {
    message: { role: 'user', content },
    data: { by: 'person', words: request, files: [], passedOn: false },
    parts: [ownText(content)],
  }
}

const toDueMessage = (
  { plans, at, maySilently }: Extract<TalkItem, { kind: 'due' }>,
  zone: string,
  time: string,
): TalkMessage => {
  const duePlans = plans.map((plan) => toDuePlan(plan, at, zone))
  const parts: ToldPart[] = duePlans.map((plan, n) => ({
    text: joinLines(n === 0 ? time : '', dueLine(plan)),
    from: plans[n]?.seq ?? null,
    others: othersInPlan(plans[n]),
  }))
  if (maySilently) parts.push(ownText('If nothing needs to be said, answer with nothing.'))
  return {
    message: { role: 'user', content: parts.map(({ text }) => text).join('\n') },
    data: { by: 'calendar', due: duePlans },
    parts,
  }
}

const toDuePlan = ({ kind, wall, zone: planZone, content, allDay }: Plan, now: number, zone: string) => ({
  kind,
  when: inZone(wall, planZone, zone).slice(0, allDay ? 10 : 16),
  late: now - toInstant(wall, planZone) > (allDay ? dayMs : lateAfterMs),
  content: plainLine(content),
})

const dueLine = ({ kind, when, late, content }: ReturnType<typeof toDuePlan>): string =>
  `[due] ${kind}, planned for ${when}${late ? ', now late' : ''}: ${content}`
