/** Finds statements that share most of their words. */
import { getVia, type Statement } from '../../../projections/knowledge.ts'
import { type Keyed, listValues } from '../../../projections/persistent-map.ts'
import { createWordIndex, getSignificantWords, type WordIndex } from './word-match.ts'

const minSharedWords = 2
const minSimilarity = 0.6

/** Returns the known statement that shares most meaningful words with the text, if any does. */
export const findClosest = (statements: readonly Statement[], text: string): Statement | undefined => {
  const words = [...new Set(getSignificantWords(text))]
  if (words.length < minSharedWords) return undefined
  const [closestMatch] = statements
    .map((statement) => ({ statement, similarity: getSimilarity(words, toWords(statement)) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((first, second) => second.similarity - first.similarity)
  return closestMatch?.statement
}

interface Words {
  readonly count: number
  readonly index: WordIndex
}

const toWords = (statement: Statement): Words => {
  const words = wordsOfStatements.get(statement) ?? {
    count: new Set(getSignificantWords(statement.text)).size,
    index: createWordIndex([statement.text]),
  }
  wordsOfStatements.set(statement, words)
  return words
}
const wordsOfStatements = new WeakMap<Statement, Words>()

/** Returns a number from 0 to 1. */
const getSimilarity = (words: readonly string[], { count, index }: Words): number => {
  const sharedCount = words.filter((word) => index.has(word)).length
  return sharedCount < minSharedWords ? 0 : (2 * sharedCount) / Math.max(1, words.length + count)
}

const maxStatements = 2000
const maxGroups = 10
const maxPerGroup = 4
/** A word of more statements says nothing about their similarity. */
const maxStatementsPerWord = 60

/**
 * Returns groups of similar statements that can be merged: of one document and one origin. A statement that
 * the user wrote is the first of its group; there is at most one.
 */
export const findSimilarGroups = (statements: Keyed<Statement>): readonly (readonly Statement[])[] => {
  const groups = groupsOfStatements.get(statements) ?? groupSimilar(listValues(statements))
  groupsOfStatements.set(statements, groups)
  return groups
}
/** A consolidation asks several times about the same state. */
const groupsOfStatements = new WeakMap<Keyed<Statement>, readonly (readonly Statement[])[]>()

const groupSimilar = (all: readonly Statement[]): readonly (readonly Statement[])[] => {
  const candidates = all
    .filter(({ document }) => document !== 'permissions' && document !== 'persona-trait')
    .slice(-maxStatements)
  const byWord = indexByWord(candidates)
  const groupedStatements = new Set<Statement>()
  const groups: Statement[][] = []
  for (const statement of candidates) {
    if (groups.length === maxGroups) break
    if (groupedStatements.has(statement)) continue
    const words = [...new Set(getSignificantWords(statement.text))]
    const similarStatements = listNeighbours(statement, words, byWord)
      .filter((other) => other.seq > statement.seq && !groupedStatements.has(other))
      .filter((other) => getSimilarity(words, toWords(other)) >= minSimilarity)
    const group = withOneOfUser([statement, ...similarStatements]).slice(0, maxPerGroup)
    if (group.length < 2) continue
    for (const member of group) groupedStatements.add(member)
    groups.push(group)
  }
  return groups
}

/** Words count as equal here if they begin alike; the similarity is exact. */
const toKey = ({ document, origin, via }: Statement, word: string): string =>
  JSON.stringify([document, getVia({ origin, via }), word.slice(0, 4)])

const indexByWord = (statements: readonly Statement[]): ReadonlyMap<string, readonly Statement[]> => {
  const byWord = new Map<string, Statement[]>()
  for (const statement of statements)
    for (const key of new Set(getSignificantWords(statement.text).map((word) => toKey(statement, word)))) {
      const wordStatements = byWord.get(key)
      if (wordStatements) wordStatements.push(statement)
      else byWord.set(key, [statement])
    }
  return byWord
}

const listNeighbours = (
  statement: Statement,
  words: readonly string[],
  byWord: ReadonlyMap<string, readonly Statement[]>,
): readonly Statement[] => {
  const sharedWords = new Map<Statement, number>()
  for (const key of new Set(words.map((word) => toKey(statement, word)))) {
    const wordStatements = byWord.get(key) ?? []
    if (wordStatements.length <= maxStatementsPerWord)
      for (const other of wordStatements) sharedWords.set(other, (sharedWords.get(other) ?? 0) + 1)
  }
  return [...sharedWords].flatMap(([other, count]) => (count >= minSharedWords ? other : []))
}

const withOneOfUser = (group: readonly Statement[]): readonly Statement[] => {
  const isUsers = ({ origin }: Statement) => origin === 'person'
  return [...group.filter(isUsers).slice(0, 1), ...group.filter((statement) => !isUsers(statement))]
}
