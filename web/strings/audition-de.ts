/** The texts about trying a model before a switch, in German. */
import type { AuditionStrings } from './audition-en.ts'

export const text: AuditionStrings = {
  title: 'Vor dem Wechsel ausprobieren',
  lead: (model: string, name: string) =>
    `${model} beantwortet frühere Nachrichten noch einmal, neben dem Modell, das ${name} jetzt hat. Beide sehen, was ${name} damals sah. Kein Werkzeug wird benutzt, und außer den Kosten bleibt nichts davon.`,
  empty: 'Es gibt noch keine Antworten, die sich vergleichen lassen. Redet erst miteinander.',
  choose: 'Nachrichten, die noch einmal beantwortet werden',
  chosen: (count: number, max: number) => `${count} von ${max}`,
  subject: {
    memory: 'Gedächtnis',
    tools: 'Werkzeuge',
    emotion: 'Gefühle',
    humour: 'Humor',
    talk: 'Gespräch',
  },
  other: (model: string) => `Mit einem anderen Modell als ${model} vergleichen`,
  keyHint:
    'Wird für diesen Vergleich benutzt und nicht gespeichert. Leer heißt: der gespeicherte Schlüssel dieses Anbieters.',
  cost: (count: number) =>
    count === 1 ? 'Das ist ein Modellaufruf.' : `Das sind mindestens ${count} Modellaufrufe.`,
  start: 'Vergleichen',
  starting: 'Beginnt…',
  progress: (count: number, all: number) => `${count} von ${all} Antworten`,
  stop: 'Abbrechen',
  stopped: 'Abgebrochen. Die Antworten bis dahin:',
  done: 'Alle Antworten sind da.',
  waiting: 'Wartet…',
  notAsked: 'Nicht gefragt.',
  wouldUse: (tool: string) => `Würde ${tool} benutzen:`,
  used: (tool: string) => `Hat ${tool} benutzt, mit dem Ergebnis von damals.`,
  noText: 'Kein Text.',
  noPrice: 'kein Preis',
  tokens: (count: string) => `${count} Tokens`,
  total: 'Alle Antworten zusammen',
  switch: 'Zu diesem Modell wechseln',
  keep: 'Modell behalten',
}
