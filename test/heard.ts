/** Messages and files of the user, as facts contain them. */
import type { HeardMedia, Media, MessagePart } from '../journal/facts/fact-values.ts'

export const own = { from: 'person', by: null } as const

/** Returns message parts that are entirely the user's own words. */
export const saying = (text: string): readonly MessagePart[] => (text === '' ? [] : [{ ...own, text }])

export const theirs = (media: Media): HeardMedia => ({ ...media, ...own })
