/**
 * Speech by Gemini. No library supports it, so this makes the request itself. The response contains raw
 * samples.
 */
import * as z from 'zod'
import { MindError } from '../mind.ts'
import type { Asked } from './adapter.ts'
import { quote, toModelError } from './failures.ts'
import { waveFromSamples } from './sound.ts'
import { refusedSpeech, type Sound } from './speech.ts'

const Inline = z.object({ mimeType: z.string(), data: z.string() })
const Part = z.object({ text: z.string().optional(), inlineData: Inline.optional() })

/** https://ai.google.dev/gemini-api/docs/speech-generation */
const Spoken = z.object({
  candidates: z
    .array(
      z.object({
        content: z.object({ parts: z.array(Part).optional() }).optional(),
        finishReason: z.string().optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  usageMetadata: z
    .object({ promptTokenCount: z.number(), candidatesTokenCount: z.number() })
    .partial()
    .optional(),
})

export const sayAtGemini = async (
  { address, context, post }: Asked,
  text: string,
  voice: string | null,
): Promise<Sound> => {
  const name = context.model ?? ''
  const path = (name.includes('/') ? name : `models/${name}`).split('/').map(encodeURIComponent).join('/')
  const response = await post(`/${path}:generateContent`, {
    // Without "Say:", the text may be taken for a task.
    contents: [{ role: 'user', parts: [{ text: `Say: ${text}` }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice ?? 'Kore' } } },
    },
  })
  if ('refusal' in response) throw refusedSpeech(response.refusal, context)
  const answer = Spoken.safeParse(response.value).data
  // An error inside a successful response.
  if (!answer || (!answer.candidates && !answer.promptFeedback)) throw toModelError(response.value, context)

  const [candidate] = answer.candidates ?? []
  const sounds = candidate?.content?.parts?.flatMap(({ inlineData }) => inlineData ?? []) ?? []
  const reason = answer.promptFeedback?.blockReason ?? candidate?.finishReason ?? 'no reason given'
  if (!sounds[0])
    throw new MindError(
      'refused',
      `"${name}" at ${address.at} would not say this aloud (${quote(reason, address)}).`,
    )
  const { promptTokenCount: input, candidatesTokenCount: output } = answer.usageMetadata ?? {}
  const bytes = Buffer.concat(sounds.map(({ data }) => Buffer.from(data, 'base64')))
  return { bytes: toWave(bytes, sounds[0].mimeType), input, output }
}

/**
 * `audio/L16;codec=pcm;rate=24000` is raw samples in little endian, although the standard of this type says
 * big endian.
 */
const toWave = (bytes: Uint8Array, mime: string): Uint8Array => {
  if (!/^audio\/(l16|pcm)\b/i.test(mime)) return bytes
  const rate = Number(/rate=(\d{4,6})\b/.exec(mime)?.[1] ?? 24_000)
  return bytes.byteLength > 1
    ? waveFromSamples(bytes.subarray(0, bytes.byteLength - (bytes.byteLength % 2)), rate)
    : bytes
}
