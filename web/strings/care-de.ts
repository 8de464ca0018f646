/** The texts about the help in danger in German. */
import type { CareStrings } from './care-en.ts'

export const text: CareStrings = {
  title: 'Hilfe in deiner Nähe',
  lead: (name: string) =>
    `Wenn du schreibst, dass dein Leben in Gefahr ist, zeigt dir Daimon unter der Antwort das Krisentelefon und den Notruf deines Landes, höchstens einmal am Tag. Das geht ohne Modell, und ${name} redet weiter mit dir.`,
  country: 'Land',
  automatic: (country: string) => `Nach Zeitzone: ${country}`,
  automaticUnknown: 'Nach Zeitzone: unbekannt',
  preview: 'Das würdest du sehen:',
  off: 'Diese Hilfe nicht zeigen',
  adult: 'Ich bin erwachsen und nutze diese Persona nur für mich selbst.',
  adultHint:
    'Wer anderen einen KI-Begleiter anbietet, muss diese Hilfe unter Umständen eingeschaltet lassen: Kalifornien (SB 243) und Washington (HB 2225) verlangen sie von solchen Diensten. Das ist keine Rechtsberatung.',
  disclosure: (name: string) =>
    `${name} sagt immer, dass es Software ist, wenn du im Ernst danach fragst. Das lässt sich nicht abschalten.`,
  turnOff: 'Hilfe abschalten',
  turnOn: 'Hilfe einschalten',
  isOff: 'Die Hilfe ist abgeschaltet.',
  saving: { doing: 'Speichert …', done: 'Gespeichert.' },
}
