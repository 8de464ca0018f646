/**
 * Chats of Character.AI. The service has no export for users; browser extensions save the answers of its API:
 * the old one `histories.histories[].msgs[]`, the new one `turns[]` with `candidates`, newest first.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, firstWords, type Loose, toList, toLoose, toText, toTime } from './loose-values.ts'

export const isCharacterAi = (value: Loose): boolean => isOldExport(value) || isTurnList(value)

const isOldExport = (value: Loose): boolean => Array.isArray(at(toLoose(at(value, 'histories')), 'histories'))

const isTurnList = (value: Loose): boolean =>
  toList(at(value, 'turns')).some((turn) => Array.isArray(at(toLoose(turn), 'candidates')))

export const fromCharacterAi = (value: Loose): readonly Found[] =>
  isOldExport(value)
    ? toList(at(toLoose(at(value, 'histories')), 'histories'))
        .filter(isObject)
        .map((history) => ({
          id: firstWords(at(history, 'external_id'), at(history, 'id')),
          title: titleIn(value),
          updated: [at(history, 'last_interaction')],
          said: () => withoutGreeting(toList(at(history, 'msgs')).map(toLoose).map(saidOld)),
        }))
    : [
        {
          id: firstWords(at(value, 'chat_id'), at(toLoose(toList(at(value, 'turns'))[0]), 'chat_id')),
          title: titleIn(value),
          updated: [],
          said: () => withoutGreeting(inOrder(toList(at(value, 'turns')).map(toLoose)).map(saidInTurn)),
        },
      ]

const titleIn = (value: Loose): string => {
  const character = toLoose(at(toLoose(at(value, 'info')), 'character'))
  return firstWords(at(value, 'title'), at(character, 'name'), at(value, 'character_name'))
}

const saidOld = (message: Loose): Said => {
  const isHuman = at(message, 'is_human') ?? at(toLoose(at(message, 'src')), 'is_human')
  return {
    role: isHuman === true ? 'user' : 'assistant',
    content: toText(at(message, 'text')),
    time: at(message, 'created'),
  }
}

const saidInTurn = (turn: Loose): Said => {
  const candidates = toList(at(turn, 'candidates')).map(toLoose)
  const primary = at(turn, 'primary_candidate_id')
  const choice = candidates.find((candidate) => at(candidate, 'candidate_id') === primary) ?? candidates[0]
  return {
    role: at(toLoose(at(turn, 'author')), 'is_human') === true ? 'user' : 'assistant',
    content: toText(at(toLoose(choice), 'raw_content')),
    time: timeIn(turn),
  }
}

const timeIn = (turn: Loose): unknown => at(turn, 'create_time')

const inOrder = (turns: readonly Loose[]): readonly Loose[] => {
  const first = toTime(timeIn(turns[0] ?? toLoose(null)))
  const last = toTime(timeIn(turns.at(-1) ?? toLoose(null)))
  return first !== null && last !== null && first > last ? turns.toReversed() : turns
}

/** A character greets first, without a message of the user. */
const withoutGreeting = (messages: readonly Said[]): readonly Said[] => {
  const first = messages.findIndex(({ role }) => role === 'user')
  return first < 0 ? [] : messages.slice(first)
}
