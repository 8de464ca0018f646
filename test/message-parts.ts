/** Messages and files of the user, as facts contain them. */
import type { HeardMedia, Media, MessagePart } from '../facts/fact-values.ts'

export const personSource = { from: 'person', by: null } as const

/** Returns message parts that are entirely the user's own words. */
export const toParts = (text: string): readonly MessagePart[] =>
  text === '' ? [] : [{ ...personSource, text }]

export const toHeardMedia = (media: Media): HeardMedia => ({ ...media, ...personSource })
