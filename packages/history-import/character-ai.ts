/**
 * Chats of Character.AI. The service has no export for users; browser extensions save the answers of its API:
 * the old one `histories.histories[].msgs[]`, the new one `turns[]` with `candidates`, newest first.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText, toTime } from './loose-values.ts'

export const isCharacterAi = (value: Loose): boolean => isOldExport(value) || isTurnList(value)

const isOldExport = (value: Loose): boolean =>
  Array.isArray(getField(toLoose(getField(value, 'histories')), 'histories'))

const isTurnList = (value: Loose): boolean =>
  toList(getField(value, 'turns')).some((turn) => Array.isArray(getField(toLoose(turn), 'candidates')))

export const fromCharacterAi = (value: Loose): readonly Found[] =>
  isOldExport(value)
    ? toList(getField(toLoose(getField(value, 'histories')), 'histories'))
        .filter(isObject)
        .map((history) => ({
          id: firstWords(getField(history, 'external_id'), getField(history, 'id')),
          title: titleIn(value),
          updated: [getField(history, 'last_interaction')],
          said: () => withoutGreeting(toList(getField(history, 'msgs')).map(toLoose).map(saidOld)),
        }))
    : [
        {
          id: firstWords(
            getField(value, 'chat_id'),
            getField(toLoose(toList(getField(value, 'turns'))[0]), 'chat_id'),
          ),
          title: titleIn(value),
          updated: [],
          said: () => withoutGreeting(inOrder(toList(getField(value, 'turns')).map(toLoose)).map(saidInTurn)),
        },
      ]

const titleIn = (value: Loose): string => {
  const character = toLoose(getField(toLoose(getField(value, 'info')), 'character'))
  return firstWords(getField(value, 'title'), getField(character, 'name'), getField(value, 'character_name'))
}

const saidOld = (message: Loose): Said => {
  const isHuman = getField(message, 'is_human') ?? getField(toLoose(getField(message, 'src')), 'is_human')
  return {
    role: isHuman === true ? 'user' : 'assistant',
    content: toText(getField(message, 'text')),
    time: getField(message, 'created'),
  }
}

const saidInTurn = (turn: Loose): Said => {
  const candidates = toList(getField(turn, 'candidates')).map(toLoose)
  const primary = getField(turn, 'primary_candidate_id')
  const choice =
    candidates.find((candidate) => getField(candidate, 'candidate_id') === primary) ?? candidates[0]
  return {
    role: getField(toLoose(getField(turn, 'author')), 'is_human') === true ? 'user' : 'assistant',
    content: toText(getField(toLoose(choice), 'raw_content')),
    time: timeIn(turn),
  }
}

const timeIn = (turn: Loose): unknown => getField(turn, 'create_time')

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
