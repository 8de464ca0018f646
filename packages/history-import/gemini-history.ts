/**
 * Reads the Gemini activity of Google Takeout (`MyActivity.json`, named in the language of the account):
 * exchanges, newest first, without conversations. Exchanges that follow each other closely form one.
 * The shape is not documented; readers of exports up to 2026 agree on it.
 */
import { Parser } from 'htmlparser2'
import type { Activity, ActivityLabel } from './activity-label.ts'
import type { Said } from './imported-conversation.ts'
import { getField, type Loose, toList, toLoose, toText, toTime } from './loose-values.ts'
import { feedLimits } from './unreadable.ts'

export const isExchange = (value: Loose): boolean =>
  typeof getField(value, 'title') === 'string' &&
  typeof getField(value, 'time') === 'string' &&
  [getField(value, 'header'), ...toList(getField(value, 'products'))].some((name) =>
    /\b(?:gemini|bard\b)/i.test(toText(name)),
  )

/** Milliseconds of silence after which another conversation begins. */
const silence = 30 * 60 * 1000

export const isSeparateConversation = (a: Loose, b: Loose): boolean => {
  const times = [toTime(getField(a, 'time')), toTime(getField(b, 'time'))]
  return times[0] == null || times[1] == null || Math.abs(times[0] - times[1]) > silence
}

const maxItems = 20

export const parseActivity = (value: Loose): Activity => ({
  title: toText(getField(value, 'title')),
  isAnswered: toList(getField(value, 'safeHtmlItem')).length > 0,
})

/** `label` is the text that the file writes around a prompt. A title without it names another activity. */
export const saidInExchange = (value: Loose, label: ActivityLabel): readonly (Said | null)[] => {
  const question = label.promptIn(parseActivity(value))
  if (question === undefined) return [null]
  const time = getField(value, 'time')
  const answer = toList(getField(value, 'safeHtmlItem'))
    .slice(0, maxItems)
    .map((item) => toPlainText(toText(getField(toLoose(item), 'html'))))
    .join('\n\n')
    .trim()
  return [
    { role: 'user', content: question.replace(/Attached \d+ files?\.?\s*$/i, ''), time },
    answer === '' ? null : { role: 'assistant', content: answer, time },
  ]
}

const blocks = new Set([
  'p',
  'br',
  'div',
  'li',
  'tr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'pre',
  'blockquote',
  'table',
])

const toPlainText = (html: string): string => {
  let text = ''
  let silentDepth = 0
  const parser = new Parser({
    onopentag: (name) => {
      if (name === 'script' || name === 'style') silentDepth++
      if (blocks.has(name)) text += '\n'
    },
    onclosetag: (name) => {
      if (name === 'script' || name === 'style') silentDepth--
    },
    ontext: (words) => {
      if (silentDepth === 0) text += words
    },
  })
  parser.end(html.slice(0, feedLimits.message))
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
