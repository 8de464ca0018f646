/** Describes a wrong id of a statement or a plan, with the one that was probably meant. */
import { createWordIndex, getSignificantWords } from '../memory/word-match.ts'
import { findNearestName } from '../prompt/tool-names.ts'

interface Named {
  readonly id: string
  readonly text: string
  /** True if the text contains words of others, which an error never repeats. */
  readonly isOfOthers: boolean
}

export const describeUnknownId = (
  kind: 'statement' | 'plan',
  id: string,
  knownItems: readonly Named[],
): string => {
  if (id === '') return `id is missing. It stands in brackets before the ${kind}.`
  const closest = findClosest(id, knownItems)
  const hint = closest
    ? ` Did you mean [${closest.id}]${closest.isOfOthers ? '' : ` ${closest.text}`}?`
    : ` Ids stand in brackets before each ${kind}.`
  return `There is no ${kind} with the id ${JSON.stringify(id)}.${hint}`
}

/** Weak models write a similar id, or words of the text in place of the id. */
const findClosest = (id: string, knownItems: readonly Named[]): Named | undefined => {
  const nearestId = findNearestName(
    id,
    knownItems.map((one) => one.id),
  )
  const words = getSignificantWords(id)
  const [best] = knownItems
    .map((one) => {
      const index = createWordIndex([one.text])
      const count = words.filter((word) => index.has(word)).length
      return { one, count: one.id === nearestId ? Number.POSITIVE_INFINITY : count }
    })
    .filter(({ count }) => count > 0)
    .sort((first, second) => second.count - first.count)
  return best?.one
}
