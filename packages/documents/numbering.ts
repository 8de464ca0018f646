/** Numbers the lists of a Word document the way Word displays them. */
import type { Archive } from './archive.ts'
import type { Limits } from './limits.ts'
import { type Attributes, getAttribute, listen } from './markup.ts'

export interface ListPlace {
  readonly id: string
  /** Starts at 0. */
  readonly level: number
}

export interface Numbering {
  /**
   * Returns the label of the next paragraph of the list: "- ", "1. ", "2.3 ", or '' if the list shows none.
   */
  next(place: ListPlace): string
}

interface Level {
  format: string
  /** `%1` is replaced with the number of the first level. */
  text: string
  start: number
}

interface Definitions {
  /** Levels by pattern id. */
  readonly patterns: Map<string, Level[]>
  /** Pattern id by list id. Lists with the same pattern share one counter, … */
  readonly patternByList: Map<string, string>
  /** … unless they restart: maps "list level" to the first number. */
  readonly restarts: Map<string, number>
}

const maxDepth = 9

const readDefinitions = async (
  archive: Archive,
  part: string | undefined,
  limits: Limits,
): Promise<Definitions> => {
  const definitions: Definitions = { patterns: new Map(), patternByList: new Map(), restarts: new Map() }
  if (part === undefined) return definitions
  let levels: Level[] = []
  let level: Level | undefined
  let place = { list: '', level: '' }
  const beginHandlers: Readonly<Record<string, (attributes: Attributes, value: string) => void>> = {
    abstractNum: (attributes) => {
      levels = []
      definitions.patterns.set(getAttribute(attributes, 'abstractNumId') ?? '', levels)
    },
    lvl: () => {
      level = { format: 'decimal', text: '%1.', start: 1 }
      if (levels.length < maxDepth) levels.push(level)
    },
    num: (attributes) => {
      levels = []
      place = { list: getAttribute(attributes, 'numId') ?? '', level: '' }
    },
    lvlOverride: (attributes) => {
      place = { ...place, level: getAttribute(attributes, 'ilvl') ?? '' }
    },
    abstractNumId: (_, value) => definitions.patternByList.set(place.list, value),
    startOverride: (_, value) => definitions.restarts.set(`${place.list} ${place.level}`, Number(value) || 0),
  }
  await listen(archive.read(part), limits, {
    open: (name, attributes) => {
      const value = getAttribute(attributes, 'val') ?? ''
      beginHandlers[name]?.(attributes, value)
      if (name === 'numFmt' && level) level.format = value
      if (name === 'lvlText' && level) level.text = value
      if (name === 'start' && level) level.start = Number(value) || 0
    },
    close: (name) => {
      if (name === 'lvl') level = undefined
    },
  })
  return definitions
}

export const readNumbering = async (
  archive: Archive,
  part: string | undefined,
  limits: Limits,
): Promise<Numbering> => {
  const { patterns, patternByList, restarts } = await readDefinitions(archive, part, limits)
  /** The last number of each level, by pattern. */
  const counts = new Map<string, number[]>()

  const count = ({ id, level }: ListPlace, pattern: string, levels: readonly Level[]): readonly number[] => {
    const numbers = counts.get(pattern) ?? []
    counts.set(pattern, numbers)
    numbers.length = Math.min(numbers.length, level + 1)
    for (let outerLevel = 0; outerLevel < level; outerLevel++)
      numbers[outerLevel] ??= levels[outerLevel]?.start ?? 1
    const first = restarts.get(`${id} ${level}`)
    restarts.delete(`${id} ${level}`)
    numbers[level] = first ?? (numbers[level] ?? (levels[level]?.start ?? 1) - 1) + 1
    return numbers
  }
  const next = (place: ListPlace): string => {
    const pattern = patternByList.get(place.id) ?? place.id
    const levels = patterns.get(pattern) ?? []
    const ownLevel = levels[place.level]
    const indent = '  '.repeat(Math.min(place.level, maxDepth))
    if (!ownLevel || ownLevel.format === 'bullet') return `${indent}- `
    if (ownLevel.format === 'none') return indent
    const numbers = count(place, pattern, levels)
    const text = ownLevel.text.replace(/%([1-9])/g, (_, digit: string) => {
      const level = Number(digit) - 1
      return formatNumeral(numbers[level] ?? 1, levels[level]?.format ?? 'decimal')
    })
    return text.trim() ? `${indent}${text.trim()} ` : indent
  }
  return { next }
}

const formatNumeral = (value: number, format: string): string => {
  if (format === 'lowerLetter') return toLetters(value)
  if (format === 'upperLetter') return toLetters(value).toUpperCase()
  if (format === 'lowerRoman') return toRoman(value)
  if (format === 'upperRoman') return toRoman(value).toUpperCase()
  return format === 'decimalZero' ? String(value).padStart(2, '0') : String(value)
}

/** Returns a … z, aa, bb …, as word processors do. */
const toLetters = (value: number): string => {
  if (value < 1 || value > 26 * 9) return String(value)
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26))
}

const romans = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const

const toRoman = (value: number): string => {
  if (value < 1 || value > 3999) return String(value)
  let rest = value
  let text = ''
  for (const [sign, worth] of romans) {
    while (rest >= worth) {
      text += sign
      rest -= worth
    }
  }
  return text
}
