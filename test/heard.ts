/** Words of the person and files of theirs, as facts hold them. */
import type { HeardMedia, Media, MessagePart } from '../journal/facts/fact-values.ts'

export const own = { from: 'person', by: null } as const

/** All of it in the person's own words. */
export const saying = (text: string): readonly MessagePart[] => (text === '' ? [] : [{ ...own, text }])

export const theirs = (media: Media): HeardMedia => ({ ...media, ...own })
