/**
 * Reads values of exports, whose types are not guaranteed. A value of another type is read as an empty one.
 */

import { isObject } from '../kit/is-object.ts'

export type Loose = Readonly<Record<string, unknown>>

const emptyObject: Loose = Object.freeze(Object.create(null))

export const toLoose = (value: unknown): Loose => (isObject(value) ? value : emptyObject)

/** An own property: a name like `constructor` finds nothing. */
export const getField = (value: Loose, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const toText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The first of them that says something. */
export const firstWords = (...values: readonly unknown[]): string =>
  values.map(toText).find((words) => words.trim() !== '') ?? ''

const year = 365.25 * 24 * 60 * 60 * 1000

/**
 * Returns milliseconds, from seconds or milliseconds since 1970, or from ISO 8601. A time without a zone
 * counts as UTC. Returns null outside of the years 1980 to 2200.
 */
export const toTime = (value: unknown): number | null => {
  const ms = typeof value === 'number' ? (value > 1e11 ? value : value * 1000) : fromIso(value)
  return ms !== null && ms > 10 * year && ms < 230 * year ? Math.round(ms) : null
}

const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?\s?(?<zone>Z|[+-]\d\d:?\d\d)?)?$/i

const fromIso = (value: unknown): number | null => {
  if (typeof value !== 'string' || value.length > 40) return null
  const text = value.trim()
  const match = iso.exec(text)
  if (!match) return null
  const dateAlone = text.length === 10
  const ms = Date.parse(
    `${text.replace(' ', 'T').replace(' ', '').replace(',', '.')}${match.groups?.zone || dateAlone ? '' : 'Z'}`,
  )
  return Number.isNaN(ms) ? null : ms
}
