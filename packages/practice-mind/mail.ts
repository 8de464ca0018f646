/** Summarises a mail: its first sentence, its first question or request, and the days that it names. */
import type { MailData } from '../models/prompt-data.ts'

const requests = /\b(?:please|could you|can you|let me know|bitte|kannst du|können Sie|gib mir Bescheid)\b/i
const days =
  /\b(?:\d{4}-\d\d-\d\d|\d{1,2}\.\s?\d{1,2}\.(?:\d{2,4})?|\d{1,2}[.:]\d{2}(?: Uhr)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|heute|morgen)\b/gi

const maxSentence = 200
const maxDays = 5

export const summarizeMail = ({ subject, text }: MailData): string => {
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim().slice(0, maxSentence))
    .filter((sentence) => sentence !== '')
  const request = sentences.find((sentence) => sentence.endsWith('?') || requests.test(sentence))
  const dates = [...new Set(text.match(days) ?? [])].slice(0, maxDays)
  return JSON.stringify({ summary: sentences[0] ?? subject, asked: request ?? '', dates })
}
