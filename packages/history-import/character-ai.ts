/**
 * Chats of Character.AI. The service has no export for users; browser extensions save the answers of its API:
 * the old one `histories.histories[].msgs[]`, the new one `turns[]` with `candidates`, newest first.
 */
import { isObject } from '../kit/is-object.ts'
import type { Found, Said } from './imported-conversation.ts'
import { at, firstWords, type Loose, listOf, looseOf, timeOf, wordsOf } from './loose-values.ts'

export const isCharacterAi = (value: Loose): boolean => isOldExport(value) || isTurnList(value)

const isOldExport = (value: Loose): boolean => Array.isArray(at(looseOf(at(value, 'histories')), 'histories'))

const isTurnList = (value: Loose): boolean =>
  listOf(at(value, 'turns')).some((turn) => Array.isArray(at(looseOf(turn), 'candidates')))

export const fromCharacterAi = (value: Loose): readonly Found[] =>
  isOldExport(value)
    ? listOf(at(looseOf(at(value, 'histories')), 'histories'))
        .filter(isObject)
        .map((history) => ({
          id: firstWords(at(history, 'external_id'), at(history, 'id')),
          title: titleIn(value),
          updated: [at(history, 'last_interaction')],
          said: () => withoutGreeting(listOf(at(history, 'msgs')).map(looseOf).map(saidOld)),
        }))
    : [
        {
          id: firstWords(at(value, 'chat_id'), at(looseOf(listOf(at(value, 'turns'))[0]), 'chat_id')),
          title: titleIn(value),
          updated: [],
          said: () => withoutGreeting(inOrder(listOf(at(value, 'turns')).map(looseOf)).map(saidInTurn)),
        },
      ]

const titleIn = (value: Loose): string => {
  const character = looseOf(at(looseOf(at(value, 'info')), 'character'))
  return firstWords(at(value, 'title'), at(character, 'name'), at(value, 'character_name'))
}

const saidOld = (message: Loose): Said => {
  const isHuman = at(message, 'is_human') ?? at(looseOf(at(message, 'src')), 'is_human')
  return {
    role: isHuman === true ? 'user' : 'assistant',
    content: wordsOf(at(message, 'text')),
    time: at(message, 'created'),
  }
}

const saidInTurn = (turn: Loose): Said => {
  const candidates = listOf(at(turn, 'candidates')).map(looseOf)
  const primary = at(turn, 'primary_candidate_id')
  const chosen = candidates.find((one) => at(one, 'candidate_id') === primary) ?? candidates[0]
  return {
    role: at(looseOf(at(turn, 'author')), 'is_human') === true ? 'user' : 'assistant',
    content: wordsOf(at(looseOf(chosen), 'raw_content')),
    time: timeIn(turn),
  }
}

const timeIn = (turn: Loose): unknown => at(turn, 'create_time')

const inOrder = (turns: readonly Loose[]): readonly Loose[] => {
  const first = timeOf(timeIn(turns[0] ?? looseOf(null)))
  const last = timeOf(timeIn(turns.at(-1) ?? looseOf(null)))
  return first !== null && last !== null && first > last ? turns.toReversed() : turns
}

/** A character greets first, without a message of the user. */
const withoutGreeting = (said: readonly Said[]): readonly Said[] => {
  const first = said.findIndex(({ role }) => role === 'user')
  return first < 0 ? [] : said.slice(first)
}
