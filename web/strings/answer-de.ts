/** The texts about answers of other models in German. */
import type { AnswerStrings } from './answer-en.ts'

export const text: AnswerStrings = {
  title: 'Antwort von einem anderen Modell',
  hint: (name: string) =>
    `Nur diese eine Antwort kommt von dem Modell, das du hier wählst. ${name} behält das eigene Modell. Bis zu deiner nächsten Nachricht kannst du zwischen den Antworten wechseln.`,
  keyHint:
    'Wird gespeichert, bis die Antwort da ist. Leer heißt: der gespeicherte Schlüssel dieses Anbieters.',
  go: 'Antwort holen',
  going: 'Fragt…',
}
