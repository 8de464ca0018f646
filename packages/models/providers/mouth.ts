/** Converts text to speech. Long texts are converted in pieces and joined to one file. */
import { detectMediaType } from '../media-type.ts'
import { MindError } from '../mind.ts'
import type { Made, Mouth } from '../sense-models.ts'
import { readVoice } from '../voice-name.ts'
import type { Asked, Speaking } from './adapter.ts'
import { ask, lacksPath, toUsage, tryParseJson, unable, unableAt } from './asking.ts'
import { refusalIn, toModelError } from './failures.ts'
import { getAdapter } from './provider-table.ts'
import type { At } from './read-address.ts'
import { isJoinable, joinSound } from './sound.ts'
import { refusedSpeech, type Sound } from './speech.ts'

/** Makes no request by itself. */
export const createMouth = (target: At): Mouth => {
  const { model, voice } = readVoice(target.model)
  return {
    speak: async (text, signal) => {
      const unableError = unableAt('Mouth', target.provider)
      if (unableError) throw unableError
      const {
        piece,
        most: maxLength,
        say,
      } = (await getAdapter(target.provider ?? 'compatible')).speaking ?? openAi
      const trimmedText = text.trim()
      const count = [...trimmedText].length
      if (count === 0) throw createRefusal('There is nothing to say aloud.')
      if (count > maxLength)
        throw createRefusal(
          `${count} characters are too many to say aloud at once: ${maxLength} is the most. Say it in less.`,
        )
      return ask({ ...target, model }, signal, async (connection) => {
        const { bytes, mime, input, output } = await sayAll(
          cutText(trimmedText, piece),
          connection,
          (words) => say(connection, words, voice),
        )
        return { bytes, mime, usage: toUsage({ input, output, made: { unit: 'character', count } }) }
      })
    },
  }
}

const createRefusal = (sentence: string) => new MindError('refused', sentence, { calls: 0 })

const sayAll = async (
  pieces: readonly string[],
  connection: Asked,
  say: (piece: string) => Promise<Sound>,
): Promise<Pick<Made, 'bytes' | 'mime'> & Omit<Sound, 'bytes'>> => {
  const sounds: Sound[] = []
  let mime = ''
  for (const piece of pieces) {
    const sound = await say(piece)
    const soundMime = await checkSound(sound.bytes, connection)
    // Thrown before the next piece costs money.
    if (pieces.length > 1 && (!isJoinable(soundMime) || (mime && soundMime !== mime)))
      throw joinError(connection, soundMime)
    sounds.push(sound)
    mime = soundMime
  }
  const bytes = joinSound(
    sounds.map((sound) => sound.bytes),
    mime,
  )
  if (!bytes) throw joinError(connection, mime)
  const sum = (field: 'input' | 'output') =>
    sounds.reduce<number | null>((all, sound) => addUp(all, sound[field]), 0)
  return { bytes, mime, input: sum('input'), output: sum('output') }
}

const addUp = (all: number | null, count: number | null | undefined) =>
  all === null || typeof count !== 'number' ? null : all + count

const joinError = ({ address: { title, at } }: Asked, mime: string) =>
  new MindError(
    'refused',
    `${title} at ${at} speaks in ${mime}, which cannot be put together from parts. Say it in less.`,
  )

/**
 * Returns the MIME type of the bytes, because a server may send an error message instead of sound. Throws
 * `MindError`.
 */
const checkSound = async (bytes: Uint8Array, { address, context }: Asked): Promise<string> => {
  const mime = await detectMediaType(bytes)
  if (mime?.startsWith('audio/')) return mime
  const text = Buffer.from(bytes.subarray(0, 16_384)).toString()
  const body = /^\s*\{/.test(text) ? tryParseJson(text) : undefined
  if (body !== undefined) throw toModelError(body, context)
  // A web page or an empty response may be temporary. Another file type is not.
  const kind = mime === undefined ? 'unreachable' : 'refused'
  throw new MindError(
    kind,
    `${address.title} at ${address.at} answered with ${mime ?? 'something'} that is no sound. Check the address and the model.`,
  )
}

/** Splits at the ends of sentences if possible, else between words, else between characters. */
const cutText = (text: string, maxLength: number): readonly string[] => {
  const parts = (granularity: 'sentence' | 'word' | 'grapheme', text: string) =>
    [...new Intl.Segmenter(undefined, { granularity }).segment(text)].map(({ segment }) => segment)
  const split = (part: string, finerUnits: readonly ('word' | 'grapheme')[]): readonly string[] => {
    const [next, ...rest] = finerUnits
    return part.length <= maxLength || !next
      ? [part]
      : parts(next, part).flatMap((smallerPart) => split(smallerPart, rest))
  }
  const pieces: string[] = []
  let piece = ''
  for (const part of parts('sentence', text).flatMap((sentence) => split(sentence, ['word', 'grapheme']))) {
    if (piece.length + part.length > maxLength) {
      pieces.push(piece)
      piece = ''
    }
    piece += part
  }
  return [...pieces, piece].map((chunk) => chunk.trim()).filter(Boolean)
}

const openAi: Speaking = {
  // https://platform.openai.com/docs/api-reference/audio/createSpeech
  piece: 4096,
  most: 20_000,
  say: async ({ address, context, settings, signal }, text, voice) => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    try {
      const { audio } = await createOpenAI(settings)
        .speech(context.model ?? '')
        .doGenerate({ text, voice: voice ?? 'alloy', outputFormat: 'mp3', abortSignal: signal })
      return { bytes: typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio }
    } catch (error) {
      const refusal = error instanceof Error ? refusalIn(error) : undefined
      if (refusal && lacksPath(refusal))
        throw unable('Mouth', `${address.title} at ${address.at} has no /audio/speech.`)
      throw refusal ? refusedSpeech(refusal, context) : error
    }
  },
}
