/** The question whether the persona writes by itself now, and the reading of its answer. */
import type { Entry } from '../../../facts/persona-journal.ts'
import { localTimeAt, sayNow, shortLocalTime } from '../../../packages/kit/time/local-time.ts'
import type { InitiativeData } from '../../../packages/models/prompt-data.ts'
import type { Candidate } from '../../../projections/initiative.ts'
import type { Persona } from '../../../projections/persona.ts'
import type { Question } from '../organ-calls.ts'
import { removeMarks } from '../prompt/answer-marks.ts'
import { careRules } from '../prompt/care-rules.ts'
import { characterParts } from '../prompt/character.ts'
import type { Perceptions } from '../prompt/heard-files.ts'
import { cutTo } from '../prompt/marked-data.ts'
import { conductParts, plainLine } from '../prompt/persona-prompt.ts'
import {
  cutToTokens,
  ownText,
  type PromptPart,
  type TokenBudget,
  type ToldPart,
} from '../prompt/prompt-part.ts'
import { quoteRepeated } from '../prompt/talk-messages.ts'
import { borrowedIn, knownNames, saidIn } from './provenance.ts'
import { formatTalkLine, toTalkLine } from './talk-lines.ts'

export interface InitiativeQuestion {
  readonly persona: Persona
  readonly candidate: Candidate
  /** The messages that the reason comes from, oldest first. */
  readonly sources: readonly Entry[]
  /** The last messages of the talk, without the sources, oldest first. */
  readonly recent: readonly Entry[]
  readonly perceptions: Perceptions
  readonly budget: TokenBudget
  readonly now: number
  readonly zone: string
}

/** Max tokens of one message. */
const maxLineTokens = 200
/** UTF-16 units of a message that the persona writes by itself. */
const maxWords = 1000

export const buildInitiativeQuestion = (
  input: InitiativeQuestion,
): { readonly question: Question; readonly parts: readonly ToldPart[] } => {
  const system = systemParts(input)
  const content = contentParts(input)
  const asText = (parts: readonly PromptPart[]) => parts.map(({ text }) => text).join('')
  return {
    question: { system: asText(system), content: asText(content), data: () => toData(input) },
    parts: [...system, ...content],
  }
}

const kindNames = {
  'follow-up': 'to ask how something went',
  date: 'a day that matters to them',
  promise: 'something that you promised',
  unfinished: 'something that was left unfinished',
  wish: 'they asked you to tell them',
} as const satisfies Readonly<Record<Candidate['kind'], string>>

const systemParts = ({ persona, budget, now, zone }: InitiativeQuestion): readonly ToldPart[] => {
  const unwanted = listUnwanted(persona)
  const conduct = conductParts(persona, budget, { now, zone })
  return [
    ownText(`You are ${persona.self.name}.
Nobody is speaking with you now. Something that you noted is due. You decide whether you write to the user by yourself.
Write only what a friend with tact would write now. To write nothing is fine, and often better.
Write nothing if the talk has answered it already, if it is out of date, or if it could hurt or press them.
If you write: one or two short sentences in the language of the user, and at most one question. Write as you always speak with them, and do not mention notes. Never write ids or marks in brackets.
${careRules}
`),
    ...characterParts(persona, budget),
    ...(conduct.length > 0 ? [ownText('\n# What they asked of you\n'), ...conduct] : []),
    ...(unwanted.length > 0
      ? [ownText(`\n# Of what they want fewer messages\n${unwanted.map((line) => `- ${line}\n`).join('')}`)]
      : []),
  ]
}

/** Returns the reasons of which the user wants fewer messages. */
export const listUnwanted = ({ initiative }: Pick<Persona, 'initiative'>): readonly string[] =>
  initiative.disliked.flatMap(({ reason }) => (reason === '' ? [] : plainLine(reason)))

const contentParts = (input: InitiativeQuestion): readonly ToldPart[] => {
  const { candidate, sources, recent, now, zone } = input
  const recentParts = recent.flatMap((entry) => toLine(entry, input))
  return [
    ownText(`It is ${sayNow(now, zone)}.\nWhat is due (${kindNames[candidate.kind]}): `),
    { text: `${plainLine(candidate.reason)}\n`, from: candidate.seq, others: [] },
    ownText('\nIt comes from these lines:\n'),
    ...sources.flatMap((entry) => toLine(entry, input)),
    ...(recentParts.length > 0 ? [ownText('\nThe last lines of the talk:\n'), ...recentParts] : []),
    ownText('\n[Answer with the message alone, or with the one word NOTHING.]'),
  ]
}

/** Only own words: text of others in a message is left out. */
const toLine = (entry: Entry, { perceptions, zone }: InitiativeQuestion): readonly ToldPart[] => {
  const line = toTalkLine(entry, { perceptions, zone })
  if (!line || line.words === '' || line.by === 'program') return []
  const borrowedWords = entry.event.type === 'MessageSpoken' ? (entry.event.borrowed ?? []) : []
  const text = formatTalkLine({ ...line, words: cutToTokens(line.words, maxLineTokens) })
  return [{ text, from: entry.seq, others: quoteRepeated(borrowedWords) }]
}

const toData = (input: InitiativeQuestion): InitiativeData => {
  const { persona, candidate, sources, recent, perceptions, now, zone } = input
  const toLines = (entries: readonly Entry[]) =>
    entries.flatMap((entry) => toTalkLine(entry, { perceptions, zone }) ?? [])
  return {
    kind: 'initiative',
    name: persona.self.name,
    now: shortLocalTime(localTimeAt(now, zone)),
    why: candidate.kind,
    reason: plainLine(candidate.reason),
    unwanted: listUnwanted(persona),
    sources: toLines(sources),
    recent: toLines(recent),
  }
}

/** The beginning of a line of the prompt, which weak models copy. */
const repeatedLine = /^\s*\[\d+\] (?:\S+ \S+ )?[\p{L}, ]+: /u

/** Returns the message, or null if the persona has nothing to say. Models decorate the word. */
export const readInitiativeAnswer = (text: string): string | null => {
  const words = removeMarks(text.replace(repeatedLine, ''))
    .replace(/ ?\[\d+\]/g, '')
    .trim()
    .replace(/^["“„]([^"“”„]*)["“”]$/, '$1')
    .trim()
  const plainWords = words
    .replace(/[^\p{L}\s]+/gu, '')
    .trim()
    .toLowerCase()
  // In capitals, a reason may follow.
  const isNothing =
    /^[^\p{L}]*NOTHING(?!\p{L})/u.test(words) ||
    (/^(?:nothing|nichts|none|silence)\b/.test(plainWords) && plainWords.length < 40)
  return plainWords === '' || isNothing ? null : cutTo(words, maxWords)
}

/** Returns the words of others in the message that the user did not say. */
export const listBorrowed = (
  words: string,
  { persona, sources, recent, perceptions }: InitiativeQuestion,
  parts: readonly ToldPart[],
): readonly string[] =>
  borrowedIn(words, {
    said: saidIn([...sources, ...recent], perceptions),
    others: parts.flatMap(({ others }) => others),
    names: knownNames(persona),
  })
