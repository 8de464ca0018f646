/** An answer to a question of hers continues what was said before it: "Remind me to call mum." "When?" "Tomorrow." */
import type { Message } from '../mind.ts'
import { questions } from './moment.ts'

const whatName = 'What shall I call you?'
const asked: readonly string[] = Object.values(questions)

/** What people say instead of their name. */
const noName =
  /^(?:thanks?|thx|cheers|please|sorry|yes|yeah|yep|sure|okay|ok|fine|good|great|nice|well|maybe|later|why|how|when|hey|bye|goodbye|good ?night|guess|whatever|anything|you|i|it|that|this|tell|help|stop|never|not|don't)\b/i

/** Undefined: it stands for itself. */
export const continuedFrom = (heard: string, messages: readonly Message[]): string | undefined => {
  const talk = messages.filter((message) => message.role === 'user' || (message.role === 'assistant' && message.content.trim()))
  const last = talk.findLastIndex(({ role, content }) => role === 'user' && content === heard)
  const question = talk[last - 1]
  const before = talk[last - 2]
  if (
    question?.role !== 'assistant' ||
    before?.role !== 'user' ||
    /^(?:never ?mind|forget it|no\b|nothing|cancel|what|who|where|hello|hi\b)/i.test(heard.trim())
  )
    return undefined
  if (
    question.content.includes(whatName) &&
    !noName.test(heard.trim()) &&
    /^\p{L}[\p{L}'’-]*(?: \p{L}[\p{L}'’-]*){0,2}[.!]?$/u.test(heard.trim())
  )
    return `my name is ${heard.trim()}`
  const open = asked.find((known) => question.content.includes(known)) ?? /Do you mean (\d+ \w+) or (\d+ \w+)\?/.exec(question.content)?.[0]
  if (!open) return undefined
  const earlier = continuedFrom(before.content, messages.slice(0, messages.indexOf(question))) ?? before.content
  const said = heard.trim().replace(/[.!]+$/, '')
  const start = earlier.trim().replace(/[.!?]+$/, '')
  if (open === questions.what) return `${start} to ${said.replace(/^(?:please )?(?:remind me )?(?:to|that|about|of) /i, '')}`
  if (open.startsWith('Do you mean'))
    return start.replace(/\b\d{1,2}\/\d{1,2}(?:\/\d{2,4})?/, `on ${said.replace(/^(?:i mean |on |the )+/i, '')}`)
  if (open === questions.past || open === questions.noDay || open === questions.rhythm) return `${withoutTime(start)} ${said}`
  return `${start} ${/^(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight)/i.test(said) ? 'at ' : ''}${said}`
}

/** What was asked for, without the time that would not do. */
const withoutTime = (text: string): string => {
  const content = /\b(?:to|that|about|of) (.+)$/i.exec(text)?.[1] ?? ''
  return `remind me to ${withoutEnd(content)}`
}
const withoutEnd = (content: string) => content.replace(/ (?:yesterday|last week|on \d.*|every .*|at \d.*|today.*)$/i, '')
