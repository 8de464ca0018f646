/** The texts about the model that answers, and about its voice, in German. */
import type { MindStrings } from './mind-en.ts'

export const text: MindStrings = {
  note: (name: string, model: string) => `Ab hier antwortet ${name} mit ${model}.`,
  undoing: 'Macht rückgängig…',
  mark: 'Das bist ganz du',
  unmark: 'Kein Beispiel mehr',
  marked: (count: number, max: number) => `Jetzt ein Beispiel für den Charakter: ${count} von ${max}.`,
  unmarked: 'Kein Beispiel mehr.',
  lines: {
    title: 'Beispielnachrichten',
    lead: (name: string) =>
      `Bis zu zehn Nachrichten, die typisch für ${name} sind. Damit klingt ${name} gleich, auch mit einem anderen Modell. Wähle sie im Menü einer Nachricht mit „Das bist ganz du“. Sie gelten ab der nächsten Nacht oder ab einem Wechsel des Modells.`,
    hidden: 'aus dem Gespräch entfernt',
    remove: 'Entfernen',
    removeThis: (line: string) => `Entfernen: ${line}`,
  },
}
