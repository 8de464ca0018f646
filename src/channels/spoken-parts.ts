/**
 * What was said as the messages that a platform takes: split where it is too long, a file apart from its
 * words.
 */
import type { Media } from '../../journal/facts/fact-values.ts'
import type { EventOf } from '../../journal/facts/facts.ts'
import type { Gateway, SentFile } from './platform.ts'
import { split } from './split.ts'

export type SpokenPart = string | { readonly media: Media; readonly caption: string }

/** Words first, then the file; a caption that is too long follows it. */
export const spokenParts = (
  { content, media }: Pick<EventOf<'MessageSpoken'>, 'content' | 'media'>,
  limits: Gateway['limits'],
): readonly SpokenPart[] => {
  if (!media) return split(content, limits.text)
  const words = content === media.caption ? [] : split(content, limits.text)
  const fits = media.caption.length <= limits.caption
  return [
    ...words,
    { media, caption: fits ? media.caption : '' },
    ...(fits ? [] : split(media.caption, limits.text)),
  ]
}

/** All sound that it makes is its voice. */
export const sentFile = (path: string, { name, mime }: Media, caption: string): SentFile => ({
  path,
  name,
  mime,
  caption,
  voice: mime.startsWith('audio/'),
})
