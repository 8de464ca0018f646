/**
 * Talks of two people over many sessions, in the form of the benchmark LoCoMo (data/locomo10.json of
 * snap-research/LoCoMo): `session_1` of `speaker` and `text`, and `session_1_date_time` next to it. Each
 * session is a conversation; the user is the one whom `speaker_a` names, else the one who speaks first.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { joinTexts } from './wordless-parts.ts'
import { writtenTime } from './written-times.ts'

const session = /^session_(\d{1,5})$/

const talkIn = (value: Loose): Loose =>
  isObject(getField(value, 'conversation')) ? toLoose(getField(value, 'conversation')) : value

const sessionsIn = (value: Loose): readonly string[] =>
  Object.keys(value)
    .filter((name) => session.test(name) && Array.isArray(getField(value, name)))
    .sort((a, b) => getSessionNumber(a) - getSessionNumber(b))

const getSessionNumber = (name: string): number => Number(session.exec(name)?.[1])

export const isLocomo = (value: Loose): boolean => sessionsIn(talkIn(value)).length > 0

export const fromLocomo = (value: Loose): readonly Found[] => {
  const talk = talkIn(value)
  const names = sessionsIn(talk)
  const sample = firstWords(getField(value, 'sample_id'))
  const [first] = names.flatMap((name) => toList(getField(talk, name)).filter(isObject))
  const person = firstWords(getField(talk, 'speaker_a'), first && getField(first, 'speaker'))
  return names.map((name) => {
    const time = writtenTime(getField(talk, `${name}_date_time`))
    return {
      id: sample === '' ? null : `${sample} ${name}`,
      title: name.replace('session_', 'Session '),
      updated: [time],
      said: () =>
        toList(getField(talk, name))
          .filter(isObject)
          .map((turn) => saidIn(turn, person, time)),
    }
  })
}

const saidIn = (turn: Loose, person: string, time: number | null): Said => {
  const caption = toText(getField(turn, 'blip_caption')).trim()
  return {
    role: toText(getField(turn, 'speaker')) === person ? 'user' : 'assistant',
    content: joinTexts(toText(getField(turn, 'text')), caption && `[a picture: ${caption}]`),
    time,
  }
}
