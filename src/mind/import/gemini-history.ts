/**
 * What Google Takeout tells of Gemini (`MyActivity.json`): exchanges, newest first, that know of no
 * conversation. Those that follow each other closely are taken for one. Nobody promises this shape; it is the
 * one that readers of exports up to 2026 agree on.
 */
import { Parser } from 'htmlparser2'
import type { Said } from './imported-conversation.ts'
import { at, type Loose, listOf, looseOf, timeOf, wordsOf } from './loose-values.ts'
import { feedLimits } from './unreadable.ts'

export const isExchange = (value: Loose): boolean =>
  typeof at(value, 'title') === 'string' &&
  typeof at(value, 'time') === 'string' &&
  [at(value, 'header'), ...listOf(at(value, 'products'))].some((name) =>
    /\b(?:gemini|bard)\b/i.test(wordsOf(name)),
  )

/** Milliseconds of silence after which another conversation begins. */
const silence = 30 * 60 * 1000

export const isApart = (one: Loose, other: Loose): boolean => {
  const times = [timeOf(at(one, 'time')), timeOf(at(other, 'time'))]
  return times[0] == null || times[1] == null || Math.abs(times[0] - times[1]) > silence
}

const mostItems = 20

/** What a person did, in English; without an answer nothing else is known to be words of theirs. */
const asked = /^(?:Prompted with: |Asked (?:Gemini|Bard): |Prompted |Asked |Said )/
const done =
  /^(?:Created|Used|Added|Gave|Selected|Shared|Deleted|Viewed|Visited|Searched|Edited|Pinned|Renamed|Exported|Updated) /

export const saidInExchange = (value: Loose): readonly (Said | null)[] => {
  const title = wordsOf(at(value, 'title'))
  const time = at(value, 'time')
  const answer = listOf(at(value, 'safeHtmlItem'))
    .slice(0, mostItems)
    .map((item) => plain(wordsOf(at(looseOf(item), 'html'))))
    .join('\n\n')
  if (done.test(title) || (!asked.test(title) && answer.trim() === '')) return [null]
  const question = title.replace(asked, '').replace(/Attached \d+ files?\.?\s*$/i, '')
  return [
    { role: 'user', content: question, time },
    answer.trim() === '' ? null : { role: 'assistant', content: answer, time },
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

const plain = (html: string): string => {
  let text = ''
  let silent = 0
  const parser = new Parser({
    onopentag: (name) => {
      if (name === 'script' || name === 'style') silent++
      if (blocks.has(name)) text += '\n'
    },
    onclosetag: (name) => {
      if (name === 'script' || name === 'style') silent--
    },
    ontext: (words) => {
      if (silent === 0) text += words
    },
  })
  parser.end(html.slice(0, feedLimits.message))
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
