/**
 * Finds the words that an activity export writes around each prompt: "Prompted …", "Eingegebener Prompt: …",
 * "… と指示しました". An export uses one language, and most of its titles are prompts, so the label is the text that
 * these titles share at their beginning or their end.
 */

export interface ActivityLabel {
  /** Returns undefined for a title that is no prompt. */
  promptIn(activity: Activity): string | undefined
}

export interface Activity {
  readonly title: string
  readonly isAnswered: boolean
}

/** Older exports use several labels in English. */
const english = /^(?:Prompted with: |Asked (?:Gemini|Bard): |Prompted |Asked |Said )/

/** UTF-16 units of a label. */
const maxLabelLength = 60
/** Titles that must share a label without a colon. */
const minActivities = 3
/** How many of the titles must share a label. A few name other activities. */
const minShare = 0.8

export const findLabel = (activities: readonly Activity[]): ActivityLabel => {
  if (activities.some(({ title }) => english.test(title)))
    return { promptIn: ({ title }) => (english.test(title) ? title.replace(english, '') : undefined) }
  const answeredActivities = activities.filter(({ isAnswered }) => isAnswered)
  // Only an answer proves a prompt. A single answered title shows its label by the titles that share it.
  const titles = unique(answeredActivities.length >= minActivities ? answeredActivities : activities)
  const prefix = sharedPrefix(titles)
  if (prefix !== '') return { promptIn: ({ title }) => removeLabel(title, prefix, 'start') }
  const suffix = titles.length < minActivities ? '' : sharedSuffix(titles)
  if (suffix !== '') return { promptIn: ({ title }) => removeLabel(title, suffix, 'end') }
  return {
    promptIn: ({ title, isAnswered }) => (isAnswered || answeredActivities.length === 0 ? title : undefined),
  }
}

const unique = (activities: readonly Activity[]): readonly string[] => [
  ...new Set(
    activities.map(({ title }) => title.slice(0, 4 * maxLabelLength) + title.slice(-maxLabelLength)),
  ),
]

const removeLabel = (title: string, label: string, side: 'start' | 'end'): string | undefined => {
  if (side === 'start') return title.startsWith(label) ? title.slice(label.length) : undefined
  return title.endsWith(label) ? title.slice(0, -label.length) : undefined
}

/** A label ends behind a colon, a quotation mark or a blank. */
const sharedPrefix = (titles: readonly string[]): string => {
  const sharedStart = longestShared(titles, (title, length) => title.slice(0, length))
  const colon = /^[^:：]{1,50}[:：]\s?/u.exec(sharedStart)?.[0]
  if (colon !== undefined) return titles.length < 2 ? '' : colon
  if (titles.length < minActivities) return ''
  const words = /^.*[\s「“"«„]/su.exec(sharedStart)?.[0] ?? ''
  return /\p{L}{2}/u.test(words) ? words : ''
}

const sharedSuffix = (titles: readonly string[]): string => {
  const sharedEnding = longestShared(titles, (title, length) => title.slice(-length))
  return /\p{L}{2}/u.test(sharedEnding) ? sharedEnding : ''
}

/** The longest end that enough of the titles have. */
const longestShared = (
  titles: readonly string[],
  getEnd: (title: string, length: number) => string,
): string => {
  let sharedText = ''
  let matchingTitles = titles
  for (let length = 1; length <= maxLabelLength; length++) {
    const counts = new Map<string, string[]>()
    for (const title of matchingTitles) {
      if (title.length < length) continue
      const end = getEnd(title, length)
      const titlesWithEnd = counts.get(end)
      if (titlesWithEnd) titlesWithEnd.push(title)
      else counts.set(end, [title])
    }
    const [mostFrequent] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
    if (!mostFrequent || mostFrequent[1].length < Math.max(2, titles.length * minShare)) break
    sharedText = mostFrequent[0]
    matchingTitles = mostFrequent[1]
  }
  return sharedText
}
