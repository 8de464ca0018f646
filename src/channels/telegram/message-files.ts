/** The files of a Telegram message. */
import { maxBytes, tooLarge } from './fetch-files.ts'
import type { Media, Things } from './message.ts'
import { oneLine } from './names.ts'

export interface FileContext {
  readonly kind: string
  readonly part: Media
  readonly name: string
  readonly voice: boolean
}

export const filesInMessage = (message: Things): readonly FileContext[] => {
  const { voice, audio, photo, animation, document, video, video_note } = message
  const largest = photo?.reduce((largestSize, next) =>
    next.width * next.height > largestSize.width * largestSize.height ? next : largestSize,
  )
  const toSent = (kind: string, part: Media | undefined, name: string, isVoice = false): FileContext[] =>
    part ? [{ kind, part, name: getName(part, name), voice: isVoice }] : []
  return [
    ...toSent('voice note', voice, 'voice.ogg', true),
    ...toSent('audio', audio, 'audio.mp3'),
    ...toSent('photo', largest, 'photo.jpg'),
    ...toSent('animation', animation, 'animation.mp4'),
    // For older clients an animation is also sent as a document.
    ...toSent('document', animation ? undefined : document, 'document'),
    ...toSent('video', video, 'video.mp4'),
    ...toSent('video', video_note, 'video.mp4'),
  ]
}

const endings: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
}

/** Returns the file name, or a default name with the extension of its MIME type. */
const getName = ({ file_name: fileName, mime_type: mime = '' }: Media, usualName: string): string => {
  const name = oneLine(fileName ?? '').replace(/[/\\]/g, '_')
  if (name) return name
  const ending = endings[mime]
  return ending ? `${usualName.replace(/\.\w+$/, '')}.${ending}` : usualName
}

export const isTooLarge = ({ part: { file_size: size = 0 } }: FileContext): boolean => size > maxBytes

export const lostWords = ({ kind, name, part: { file_size: size = 0 } }: FileContext): string =>
  `[The ${kind} "${name}" (${Math.round(size / 104_857.6) / 10} MB) that came with this could not be fetched: ${tooLarge}.]`
