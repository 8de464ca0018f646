/** Names the parts of a message that are not text in brackets: pictures, sounds, files. */
import { isObject } from '../kit/is-object.ts'
import { firstWords, getField, type Loose, toList, toLoose, toText } from './loose-values.ts'
import { feedLimits } from './unreadable.ts'

/** Parts of ChatGPT's messages and of the APIs of OpenAI and others, by their `content_type` or `type`. */
const kindNames: Readonly<Record<string, string>> = {
  image_asset_pointer: '[a picture]',
  image_url: '[a picture]',
  input_image: '[a picture]',
  output_image: '[a picture]',
  image: '[a picture]',
  image_file: '[a picture]',
  video_container_asset_pointer: '[a film]',
  video: '[a film]',
  file: '[a file]',
  input_file: '[a file]',
  document: '[a file]',
}

const words = new Set(['text', 'input_text', 'output_text', 'refusal'])

/** Kinds of spoken parts: `voice_note`, `audio_transcription`, `input_audio`. */
const sound = /voice|audio|speech|transcript/

/** Thoughts of a model and its tool calls, which are not part of the conversation. */
const silentTypes = new Set([
  'thinking',
  'think',
  'redacted_thinking',
  'reasoning',
  'thoughts',
  'reasoning_recap',
  'tool_use',
  'tool_call',
  'tool_result',
  'server_tool_use',
  'web_search_tool_result',
  'function_call',
  'token_budget',
  'flag',
])

/**
 * Joins parts: strings, or objects with a kind; unknown kinds are named. A sound is replaced by its
 * transcript if there is one. `beside` is the text of the whole message, used if all parts are sounds without
 * a transcript.
 */
export const describeParts = (parts: readonly unknown[], besideText = ''): string => {
  const partTexts = parts.map(part).filter(({ text }) => text.trim() !== '')
  if (partTexts.some((text) => text.sound === 'written'))
    return joinPartTexts(partTexts.filter((text) => text.sound !== 'unwritten'))
  const soundsAlone = partTexts.length > 0 && partTexts.every((text) => text.sound === 'unwritten')
  return soundsAlone && besideText.trim() !== '' ? besideText : joinPartTexts(partTexts)
}

interface PartText {
  readonly text: string
  readonly sound?: 'written' | 'unwritten'
}

const joinPartTexts = (partTexts: readonly PartText[]): string =>
  partTexts.map(({ text }) => text).join('\n\n')

const part = (value: unknown): PartText => {
  if (typeof value === 'string') return { text: value }
  if (!isObject(value)) return { text: '' }
  const kind = describeKind(value)
  const text = firstWords(getField(value, 'text'), getField(value, 'refusal'))
  if (words.has(kind) || kind === '') return { text }
  if (silentTypes.has(kind)) return { text: '' }
  if (sound.test(kind)) {
    const writtenText = writtenDown(value)
    return writtenText === ''
      ? { text: '[a sound]', sound: 'unwritten' }
      : { text: writtenText, sound: 'written' }
  }
  return {
    text: getField(kindNames, kind)
      ? String(getField(kindNames, kind))
      : `[something of the kind ${kind.slice(0, 60).replace(/[^\w.-]/g, '_')}]`,
  }
}

/** Under whichever name, in the part itself or in the sound that it holds. */
const writtenDown = (value: Loose): string => {
  const places = [value, ...['input_audio', 'audio'].map((name) => toLoose(getField(value, name)))]
  return firstWords(
    ...places.flatMap((place) =>
      ['text', 'transcript', 'transcription'].map((name) => getField(place, name)),
    ),
  )
}

export const describeKind = (value: Loose): string =>
  firstWords(getField(value, 'content_type'), getField(value, 'type'))

/**
 * Files beside a message, with their words where the export holds them: pasted text becomes a file in some of
 * these daemons.
 */
export const describeFiles = (files: readonly unknown[]): string =>
  files
    .map(toLoose)
    .map((file) => {
      const name = firstWords(getField(file, 'file_name'), getField(file, 'name'))
        .slice(0, feedLimits.title)
        .replace(/[\s[\]]+/g, ' ')
        .trim()
      const text = toText(getField(file, 'extracted_content')).trim()
      if (name === '' && text === '') return ''
      const shownName =
        text.length > feedLimits.attached
          ? `${text.slice(0, feedLimits.attached).toWellFormed()}\n[It went on.]`
          : text
      return [name === '' ? '[a file]' : `[a file: ${name}]`, shownName].filter(Boolean).join('\n')
    })
    .filter(Boolean)
    .join('\n\n')

export const joinTexts = (...texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== '').join('\n\n')

export const isFile = (file: unknown): boolean =>
  !toText(getField(toLoose(file), 'mime_type')).startsWith('image/')

export const filesBeside = (message: Loose): string =>
  joinTexts(
    describeFiles(toList(getField(message, 'attachments'))),
    describeFiles(toList(getField(message, 'files'))),
  )
