/**
 * Formats the results of tool calls. Uses only the calls and their results, because the known statements may
 * have changed since.
 */
import { answerTo } from './answers.ts'
import { type Clearing, clearPlans } from './cancel.ts'
import { isQuestion, splitClauses } from './clauses.ts'
import { giveMind } from './help-links.ts'
import { asksToForget } from './known-rules.ts'
import { isList } from './lists.ts'
import { overlap, significantWords } from './meaning-words.ts'
import { getStatementSubject } from './person-facts.ts'
import { tellPlans } from './plan-rules.ts'
import { asClause, asSentence, toThem } from './pronouns.ts'
import { describeKept, quotedWords } from './quoted.ts'
import { asksBack } from './recall-rule.ts'
import { excerpt, list } from './reply.ts'
import { findLastReceived, type Result, type Situation, wordsIn } from './situation.ts'
import { sayDay, saySpan, sayWhen } from './wall-clock.ts'

export const tellResults = (situation: Situation): readonly string[] => {
  const { results } = situation
  const now = situation.now ?? ''
  const failedResults = results.filter(({ output }) => !output || output.error !== undefined)
  const successes = results.filter((result) => !failedResults.includes(result))
  const select = (name: string, op?: string) =>
    successes.filter(
      ({ name: tool, input }) => tool === name && (op === undefined || getOp(input, tool) === op),
    )
  return [
    ...tellRemembered(select('remember', 'keep')),
    ...tellRevised(select('remember', 'revise')),
    ...tellForgotten(select('remember', 'forget').length),
    ...tellPlanned(select('plan', 'add'), select('plan', 'cancel').length, now, clearPlans(situation)),
    ...select('plan', 'list').map(({ output }) =>
      clearPlans(situation)
        ? 'There is nothing planned that I could cancel.'
        : tellPlans(plansIn(output?.plans), now),
    ),
    ...select('recall').map((result) => tellFound(result, situation)),
    ...select('notify').map(() => 'It is sent.'),
    ...select('draw').map(() => 'Here it is, as I imagine it.'),
    ...select('speak').map(() => 'I have said it aloud.'),
    ...select('ask_teacher').map(({ output }) => `My Teacher says: ${text(output?.advice)}`),
    ...select('look_again').map(({ output }) =>
      output?.heard
        ? `I have listened again: ${text(output.heard)}`
        : `I have looked again: ${text(output?.seen)}`,
    ),
    ...select('read_document').map(({ output }) => `It says: “${excerpt(text(output?.words), 1000)}”`),
    ...failedResults.map(tellFailure),
  ]
}

/** Planning needs no `op`. */
const getOp = ({ op }: Result['input'], tool: string) => op ?? (tool === 'plan' ? 'add' : undefined)

/** Returns the local time in a text such as `Friday 2026-11-27T09:00`. */
const timeIn = (value: unknown): string => /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.exec(text(value))?.[0] ?? ''

const text = (value: unknown) => (typeof value === 'string' ? value : '')

const tellRemembered = (results: readonly Result[]): readonly string[] => {
  const separate = [
    ...results.flatMap(({ input }) => quotedWords(text(input.text)) ?? []).map(describeKept),
    ...results
      .filter(({ input }) => isList(text(input.text)))
      .map(({ input }) => asSentence(text(input.text))),
  ]
  const clauses = results
    .filter(({ input }) => quotedWords(text(input.text)) === undefined && !isList(text(input.text)))
    .map(({ input }) => asClause(text(input.text), text(input.document)))
  if (clauses.length === 0) return separate
  const name = results.map(({ input }) => /^Their name is (.+)\.$/.exec(text(input.text))?.[1]).find(Boolean)
  const hello = name ? `Nice to meet you, ${name}. ` : ''
  return [
    `${hello}I will remember that ${list(
      clauses.map((clause) => clause.replace(/\.$/, '')),
      'and that',
    ).replaceAll(', you', ', that you')}.`,
    ...separate,
  ]
}

const tellRevised = (results: readonly Result[]): readonly string[] => {
  const lists = results
    .filter(({ input }) => isList(text(input.text)))
    .map(({ input }) => asSentence(text(input.text)))
  const clauses = results
    .filter(({ input }) => !isList(text(input.text)))
    .map(({ input }) => asClause(text(input.text), getDocument(text(input.text))))
  return clauses.length === 0 ? lists : [`I have put it right: ${list(clauses)}.`, ...lists]
}

/** Revisions do not name their document. Only these two have their own form. */
const getDocument = (statement: string) =>
  /^(?:They|Their|Allowed|Not allowed)\b/.test(statement) || getStatementSubject(statement)
    ? 'person'
    : 'persona-trait'

const tellForgotten = (count: number): readonly string[] =>
  count === 0
    ? []
    : [count === 1 ? 'Done, I have forgotten that.' : `Done, I have forgotten those ${count} things.`]

const tellPlanned = (
  results: readonly Result[],
  cancelledCount: number,
  now: string,
  all: Clearing | undefined,
): readonly string[] => {
  const sentences = results.map(({ input, output }) => {
    const timeText = timeIn(output?.when) || text(input.when)
    const { in_minutes: minutes, recurrence } = input
    const day = sayWhen(timeText, now, text(recurrence) || null)
    const time =
      typeof minutes === 'number' && !recurrence && minutes > 0 ? `${saySpan(minutes)}, ${day}` : day
    const content = toThem(text(input.content))
    if (cancelledCount > 0) return `I have moved it: ${time}, ${content}.`
    return input.kind === 'schedule'
      ? `It is in your calendar, ${time}: ${content}.`
      : `I will remind you ${time}: ${content}.`
  })
  if (cancelledCount === 0 || results.length > 0) return sentences
  if (all && all.later > 0)
    return [
      `The next ${all.cancelled} ${all.kind} ${all.cancelled === 1 ? 'is' : 'are'} cancelled, but ${all.later} later ${all.later === 1 ? 'plan is left as it is' : 'plans are left as they are'}.`,
    ]
  if (all && all.cancelled > 1) return [`Done, all ${all.cancelled} ${all.kind} are cancelled.`]
  return [cancelledCount === 1 ? 'Done, it is cancelled.' : `Done, those ${cancelledCount} are cancelled.`]
}

const plansIn = (value: unknown) =>
  (Array.isArray(value) ? value : []).flatMap((plan: Readonly<Record<string, unknown>>) =>
    text(plan?.when)
      ? [
          {
            when: timeIn(plan.when),
            recurrence: text(plan.recurrence) || null,
            content: text(plan.content),
          },
        ]
      : [],
  )

/** Excludes the persona's own messages and the question itself from the results. */
const tellFound = ({ input, output }: Result, { talk, now = '', name }: Situation): string => {
  const question = wordsIn(talk[findLastReceived(talk)])
  const query = text(input.query)
  const isCounterQuestion = splitClauses(question, name).some(asksBack)
  const emptyAnswer = isCounterQuestion
    ? `I find nothing about “${query}” in what we have said.`
    : `I do not know that, and I find nothing about “${query}” in what we have said.`
  const answers = Array.isArray(output?.found)
    ? (output.found as readonly Readonly<Record<string, unknown>>[])
    : []
  // If no message contains all words, a message must contain most of them.
  const minWords = Math.ceil((significantWords(query).length + 1) / 2)
  const fullMatches = output?.partly ? [] : answers.filter(({ partly }) => !partly)
  const all =
    fullMatches.length > 0
      ? fullMatches
      : answers.filter(({ content }) => overlap(query, text(content)) >= minWords)
  const asksOnly = (words: string) =>
    splitClauses(words, name).every(
      (clause) => asksBack(clause) || isQuestion(clause) || answerTo(clause) !== undefined,
    )
  const messages = all.filter(
    ({ role, content }) =>
      role === 'person' &&
      text(content).trim() !== question &&
      text(content).trim() &&
      !asksOnly(text(content)),
  )
  // Does not mention messages that the user asked to forget, unless the user asked for the messages
  // themselves.
  const forgetRequest = messages.find(({ content }) => splitClauses(text(content), name).some(asksToForget))
  if (
    forgetRequest &&
    !isCounterQuestion &&
    messages.every(({ when }) => toTime(text(when)) <= toTime(text(forgetRequest.when)))
  )
    return `I was to forget something about “${query}”, so I do not know it. What we said stays in our conversation.`
  const memories = all.filter(({ role, content }) => role === 'memory' && text(content))
  if (messages.length === 0 && memories.length > 0)
    return `I remember: ${memories
      .slice(0, 3)
      .map(({ content }) => asSentence(text(content)))
      .join(' ')}`
  const importedMatches = all.filter(({ role, content }) => role === 'elsewhere' && text(content))
  if (messages.length === 0 && importedMatches.length > 0)
    return `You talked about it elsewhere:\n${importedMatches
      .slice(0, 3)
      .map(({ content }) => `- “${excerpt(text(content), 200)}”`)
      .join('\n')}`
  if (messages.length === 0) return emptyAnswer
  const newestFirst = [...messages]
    .sort((a, b) => toTime(text(b.when)).localeCompare(toTime(text(a.when))))
    .slice(0, 3)
    .reverse()
  const lines = newestFirst.map(
    ({ when, content }) => `- ${formatTime(toTime(text(when)), now)}: “${excerpt(text(content), 200)}”`,
  )
  return `You said:\n${lines.join('\n')}`
}

const monthNames =
  'January February March April May June July August September October November December'.split(' ')

/** Converts `Friday 27 November 2026, 10:15, yesterday`. Without an hour, the result has none either. */
const toTime = (wallTime: string): string => {
  const [, day = '', month = '', year = '', hour] =
    /(\d{1,2}) (\p{L}+) (\d{4})(?:, (\d\d:\d\d))?/u.exec(wallTime) ?? []
  const number = String(monthNames.indexOf(month) + 1).padStart(2, '0')
  return `${year}-${number}-${day.padStart(2, '0')}${hour ? `T${hour}` : ''}`
}

const formatTime = (time: string, now: string) => {
  const [date = '', hour] = time.split('T')
  if (date.length < 10) return 'at some time'
  const minute = `${date}T${hour ?? '12:00'}`
  return `${sayDay(minute, now || minute)}${hour ? ` at ${hour}` : ''}`
}

const attempts: Readonly<Record<string, string>> = {
  remember: 'change what I remember',
  plan: 'plan that',
  'plan cancel': 'cancel that',
  'plan list': 'look at your calendar',
  recall: 'look back',
  draw: 'draw that',
  speak: 'say that aloud',
  ask_teacher: 'ask my Teacher',
  look_again: 'look at that again',
  read_document: 'read that',
}

const tellFailure = ({ name, input, output }: Result): string => {
  const attempt = attempts[`${name} ${text(input.op)}`] ?? attempts[name] ?? `use “${name}”`
  if (!output) return `I tried to ${attempt}, and do not know whether it worked.`
  const missingOrgan = /^You have no (\w+)/.exec(text(output.error))?.[1]
  if (missingOrgan)
    return `I cannot ${attempt}: I have no ${missingOrgan}. One can be given to me ${giveMind}.`
  const reason = text(output.error).trim().replace(/\.$/, '')
  return `I could not ${attempt}${reason ? `: ${reason}` : ''}.`
}
