/** Converts a reply to messages for a platform: long text is split, and a file is sent separately. */
import type { Media } from '../../facts/fact-values.ts'
import type { EventOf } from '../../facts/facts.ts'
import type { Gateway, SentFile } from './platform.ts'
import { split } from './split.ts'

export type SpokenPart = string | { readonly media: Media; readonly caption: string }

/** Returns the text first, then the file. A caption that is too long follows the file as text. */
export const spokenParts = (
  { content, media }: Pick<EventOf<'MessageSpoken'>, 'content' | 'media'>,
  limits: Gateway['limits'],
): readonly SpokenPart[] => {
  if (!media) return split(content, limits.text)
  const words = content === media.caption ? [] : split(content, limits.text)
  const hasFittingCaption = media.caption.length <= limits.caption
  return [
    ...words,
    { media, caption: hasFittingCaption ? media.caption : '' },
    ...(hasFittingCaption ? [] : split(media.caption, limits.text)),
  ]
}

/** Every audio file is sent as a voice message. */
export const sentFile = (path: string, { name, mime }: Media, caption: string): SentFile => ({
  path,
  name,
  mime,
  caption,
  voice: mime.startsWith('audio/'),
})
