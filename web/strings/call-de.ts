/** The texts about a call in German. */
import type { CallStrings } from './call-en.ts'

export const text: CallStrings = {
  asking: 'Das Mikrofon wird geöffnet…',
  listening: 'Bereit. Sprich einfach.',
  hearing: 'Du sprichst…',
  muted: 'Das Mikrofon ist aus.',
  waiting: (name: string) => `${name} denkt nach…`,
  speaking: (name: string) => `${name} spricht. Tippen unterbricht.`,
  speakingOver: (name: string) => `${name} spricht. Sprechen oder Tippen unterbricht.`,
  interrupt: 'Unterbrechen',
  mute: 'Mikrofon ausschalten',
  unmute: 'Mikrofon einschalten',
  end: 'Beenden',
  you: 'Du',
  correct: 'Korrigieren, was verstanden wurde',
  corrected: 'Der korrigierte Text',
  save: 'Korrektur senden',
  asks: (name: string) => `${name} wartet auf deine Entscheidung.`,
  show: 'Anruf beenden und entscheiden',
  browserVoice: (reason: string) =>
    `Die Stimme der Persona ist ausgefallen, darum liest der Browser vor. ${reason}`,
}
