/** Reads a message aloud: with the Mouth of the persona, or else with the browser's voice. */
import { showNotice } from '../shared/notice.svelte.ts'
import { register } from '../shared/people.svelte.ts'
import type { CallVoice } from './call-voice.svelte.ts'
import { aloud } from './read-aloud.svelte.ts'
import { splitSentences, toSpeech } from './sentence-feed.ts'

let voice = $state.raw<CallVoice | null>(null)
/** Counts requests to read or to stop, so that a voice that was loaded too late stays silent. */
let request = 0

const hasMouth = (id: string) => register.find(id)?.organs.mouth !== undefined

export const reader = {
  canRead: (id: string): boolean => 'Segmenter' in Intl && (aloud.able || hasMouth(id)),
  get isReading(): boolean {
    return voice?.isSpeaking ?? aloud.reading
  },
  read: async (id: string, content: string): Promise<void> => {
    reader.stop()
    if (!hasMouth(id)) return aloud.read(content)
    const ownRequest = request
    const [{ CallVoice, createSoundLoader }, { callText: words }] = await Promise.all([
      import('./call-voice.svelte.ts'),
      import('../strings/call-words.ts'),
    ])
    if (ownRequest !== request) return
    voice = new CallVoice(createSoundLoader(id), (reason) => showNotice(words.browserVoice(reason)))
    for (const sentence of splitSentences(toSpeech(content))) voice.say(sentence)
  },
  stop: (): void => {
    request += 1
    voice?.close()
    voice = null
    aloud.hush()
  },
}
