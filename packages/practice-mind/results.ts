/**
 * Formats the results of tool calls. Uses only the calls and their results, because the known statements may
 * have changed since.
 */
import { answerTo } from './answers.ts'
import { clearPlans } from './cancel.ts'
import { splitClauses } from './clauses.ts'
import { describeKept, quotedWords } from './kept-words.ts'
import { getForgotten } from './known-rules.ts'
import { isList } from './lists.ts'
import { overlap, significantWords } from './meaning-words.ts'
import { getStatementSubject } from './person-facts.ts'
import { tellPlans } from './plan-rules.ts'
import { asksBack } from './recall-rule.ts'
import { excerpt } from './reply.ts'
import { findLastReceived, type Result, type Situation, wordsIn } from './situation.ts'
import { asClause, asSentence, isAboutUser } from './statement-sentences.ts'
import { tellNotAllowed, tellSearched } from './web-search-rule.ts'
import { type Words, wordsOf } from './words.ts'

export const tellResults = (situation: Situation): readonly string[] => {
  const { results } = situation
  const words = wordsOf(situation)
  const { told } = words
  const now = situation.now ?? ''
  const failedResults = results.filter(({ output }) => !output || output.error !== undefined)
  const successes = results.filter((result) => !failedResults.includes(result))
  const select = (name: string, op?: string) =>
    successes.filter(
      ({ name: tool, input }) => tool === name && (op === undefined || getOp(input, tool) === op),
    )
  return [
    ...tellRemembered(select('remember', 'keep'), words),
    ...tellRevised(select('remember', 'revise'), words),
    ...[select('remember', 'forget').length].filter(Boolean).map(told.forgotten),
    ...tellPlanned(select('plan', 'add'), select('plan', 'cancel').length, situation),
    ...select('plan', 'list').map(({ output }) =>
      clearPlans(situation) ? words.cancel.nothingToCancel : tellPlans(plansIn(output?.plans), now, words),
    ),
    ...select('recall').map((result) => tellFound(result, situation)),
    ...select('search_web').map((result) => tellSearched(result, situation)),
    ...select('notify').map(() => told.sent),
    ...select('draw').map(() => told.drawn),
    ...select('speak').map(() => told.spoken),
    ...select('ask_teacher').map(({ output }) => told.advice(text(output?.advice))),
    ...select('look_again').map(({ output }) =>
      output?.heard ? told.heardAgain(text(output.heard)) : told.seenAgain(text(output?.seen)),
    ),
    ...select('read_document').map(({ output }) => told.read(excerpt(text(output?.words), 1000))),
    ...failedResults.map((result) => tellNotAllowed(result, situation) ?? tellFailure(result, words)),
  ]
}

/** Planning needs no `op`. */
const getOp = ({ op }: Result['input'], tool: string) => op ?? (tool === 'plan' ? 'add' : undefined)

/** Returns the local time in a text such as `Friday 2026-11-27T09:00`. */
const timeIn = (value: unknown): string => /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.exec(text(value))?.[0] ?? ''

const text = (value: unknown) => (typeof value === 'string' ? value : '')

const tellRemembered = (results: readonly Result[], words: Words): readonly string[] => {
  const texts = results.map(({ input }) => text(input.text))
  const separate = [
    ...texts.flatMap((statement) => quotedWords(statement) ?? []).map((text) => describeKept(text, words)),
    ...texts.filter(isList).map((statement) => asSentence(statement, words)),
  ]
  const clauses = results
    .filter(({ input }) => quotedWords(text(input.text)) === undefined && !isList(text(input.text)))
    .map(({ input }) => asClause(text(input.text), words, text(input.document)).replace(/\.$/, ''))
  if (clauses.length === 0) return separate
  const name = texts
    .filter((statement) => getStatementSubject(statement) === 'name')
    .map((statement) => words.facts.nameInStatement.exec(statement)?.[1])
    .find(Boolean)
  return [`${name ? `${words.told.niceToMeet(name)} ` : ''}${words.told.remembered(clauses)}`, ...separate]
}

const tellRevised = (results: readonly Result[], words: Words): readonly string[] => {
  const texts = results.map(({ input }) => text(input.text))
  const lists = texts.filter(isList).map((statement) => asSentence(statement, words))
  const clauses = texts
    .filter((statement) => !isList(statement))
    .map((statement) => asClause(statement, words, getDocument(statement)))
  return clauses.length === 0 ? lists : [words.told.revised(clauses), ...lists]
}

/** Revisions do not name their document. Only these two have their own form. */
const getDocument = (statement: string) =>
  isAboutUser(statement) || getStatementSubject(statement) ? 'person' : 'persona-trait'

const tellPlanned = (
  results: readonly Result[],
  cancelledCount: number,
  situation: Situation,
): readonly string[] => {
  const { now = '' } = situation
  const { told, sayWhen, saySpan, toThem } = wordsOf(situation)
  const sentences = results.map(({ input, output }) => {
    const timeText = timeIn(output?.when) || text(input.when)
    const { in_minutes: minutes, recurrence } = input
    const day = sayWhen(timeText, now, text(recurrence) || null)
    const time =
      typeof minutes === 'number' && !recurrence && minutes > 0 ? `${saySpan(minutes)}, ${day}` : day
    const content = toThem(text(input.content))
    if (cancelledCount > 0) return told.moved(time, content)
    return input.kind === 'schedule' ? told.inCalendar(time, content) : told.reminder(time, content)
  })
  if (cancelledCount === 0 || results.length > 0) return sentences
  const all = clearPlans(situation)
  if (all && all.later > 0) return [told.partlyCancelled(all)]
  return [all && all.cancelled > 1 ? told.allCancelled(all) : told.cancelled(cancelledCount)]
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
const tellFound = ({ input, output }: Result, situation: Situation): string => {
  const { talk, now = '', name } = situation
  const words = wordsOf(situation)
  const { found } = words
  const split = (message: string) => splitClauses(message, name, words.clauses)
  const question = wordsIn(talk[findLastReceived(talk)])
  const query = text(input.query)
  const isCounterQuestion = split(question).some((clause) => asksBack(clause, words))
  const emptyAnswer = isCounterQuestion ? found.nothing(query) : found.unknown(query)
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
  const asksOnly = (message: string) =>
    split(message).every(
      (clause) =>
        asksBack(clause, words) || words.isQuestion(clause) || answerTo(clause, words) !== undefined,
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
  const forgetRequest = messages.find(({ content }) =>
    split(text(content)).some((clause) => getForgotten(clause, words) !== undefined),
  )
  if (
    forgetRequest &&
    !isCounterQuestion &&
    messages.every(({ when }) => toTime(text(when)) <= toTime(text(forgetRequest.when)))
  )
    return found.forgotten(query)
  const memories = all.filter(({ role, content }) => role === 'memory' && text(content))
  if (messages.length === 0 && memories.length > 0)
    return found.memories(
      memories
        .slice(0, 3)
        .map(({ content }) => asSentence(text(content), words))
        .join(' '),
    )
  const importedMatches = all.filter(({ role, content }) => role === 'elsewhere' && text(content))
  if (messages.length === 0 && importedMatches.length > 0)
    return `${found.elsewhere}\n${importedMatches
      .slice(0, 3)
      .map(({ content }) => `- ${words.quote(excerpt(text(content), 200))}`)
      .join('\n')}`
  if (messages.length === 0) return emptyAnswer
  const newestFirst = [...messages]
    .sort((a, b) => toTime(text(b.when)).localeCompare(toTime(text(a.when))))
    .slice(0, 3)
    .reverse()
  const lines = newestFirst.map(
    ({ when, content }) =>
      `- ${formatTime(toTime(text(when)), now, words)}: ${words.quote(excerpt(text(content), 200))}`,
  )
  return `${found.messages}\n${lines.join('\n')}`
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

const formatTime = (time: string, now: string, { found, sayDay }: Words) => {
  const [date = '', hour] = time.split('T')
  if (date.length < 10) return found.sometime
  const minute = `${date}T${hour ?? '12:00'}`
  return found.at(sayDay(minute, now || minute), hour)
}

const tellFailure = ({ name, input, output }: Result, { attempts, failure, organs }: Words): string => {
  const attempt = attempts[`${name} ${text(input.op)}`] ?? attempts[name] ?? failure.use(name)
  if (!output) return failure.unknown(attempt)
  const missingOrgan = /^You have no (\w+)/.exec(text(output.error))?.[1]
  if (missingOrgan) return organs.tellMissing(attempt, missingOrgan)
  return failure.known(attempt, text(output.error).trim().replace(/\.$/, ''))
}
