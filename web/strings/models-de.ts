/** The texts about models on this machine in German. */
import type { ModelStrings } from './models-en.ts'

const steps: Readonly<Record<string, string>> = {
  waiting: 'Wartet auf einen anderen Download',
  starting: 'Beginnt',
  'installing the runtime': 'Die Laufzeit wird installiert',
  'looking for the file': 'Die Datei wird gesucht',
  downloading: 'Wird heruntergeladen',
  verifying: 'Wird geprüft',
  'waking the model': 'Das Modell wird geladen',
  'testing the model': 'Das Modell wird geprüft',
}

const testResults = {
  works: 'Es funktioniert und kann Werkzeuge benutzen.',
  no_tools: 'Es spricht, kann aber keine Werkzeuge benutzen und merkt sich deshalb nur nachts etwas.',
  fails: 'Es funktioniert nicht.',
}

export const text: ModelStrings = {
  lead: 'Die Modelle auf diesem Rechner. Alle teilen sie sich, und nichts, was du sagst, verlässt ihn dabei.',
  none: 'Es ist noch kein Modell installiert.',
  engine: { ollama: 'in Ollama', runtime: 'in Daimon' },
  kind: { mind: 'denkt', embedder: 'sucht nach Bedeutung' },
  search: 'der Suche',
  usedBy: (names) => (names.length === 0 ? 'nicht benutzt' : `benutzt von ${names.join(', ')}`),
  inMemory: (size, since, until) =>
    `Im Speicher seit ${since}${size ? `, ${size}` : ''}. ${until === null ? 'Es arbeitet.' : `Ohne Nachricht wird es um ${until} entladen.`}`,
  isLoading: 'Es wird geladen.',
  server: (url, models) => `${url}: ${models.length === 0 ? 'kein Modell geladen' : models.join(', ')}`,
  more: 'Zum Herunterladen',
  suggested: 'passt am besten zu diesem Rechner',
  tooLarge: 'braucht mehr Speicher, als dieser Rechner hat',
  get: 'Herunterladen',
  getOne: (model) => `${model} herunterladen`,
  starting: { doing: 'Der Download beginnt…', done: 'Der Download hat begonnen.' },
  remove: 'Entfernen',
  removeOne: (model) => `${model} entfernen`,
  removeWarning: 'Die Datei wird gelöscht. Um das Modell wieder zu benutzen, lade es noch einmal herunter.',
  test: 'Prüfen',
  testOne: (model) => `${model} prüfen`,
  testing: { doing: 'Es werden drei kurze Fragen gestellt…', done: 'Geprüft.' },
  tested: (result, speed) =>
    [testResults[result], speed === null ? '' : `${Math.round(speed)} Tokens pro Sekunde.`]
      .filter(Boolean)
      .join(' '),
  testedAt: (when) => `Geprüft ${when}:`,
  testMind: 'Diesen Geist prüfen',
  notTested: 'Noch nicht geprüft.',
  removing: { doing: 'Wird entfernt…', done: 'Entfernt.' },
  cancel: 'Abbrechen',
  cancelOne: (model) => `Den Download von ${model} abbrechen`,
  downloading: (model) => `Download von ${model}`,
  step: (status) => steps[status] ?? status,
  amount: (completed, total) => `${completed} von ${total}`,
  rate: (size) => `${size}/s`,
  left: (seconds) =>
    seconds < 60 ? 'noch weniger als eine Minute' : `noch etwa ${Math.ceil(seconds / 60)} Min.`,
  onlyRules: (name) => `${name} folgt nur Regeln.`,
  getMind: (size) => `Einen echten Geist holen (${size}, läuft auf diesem Rechner, kostenlos)`,
  useMind: (model) => `${model} benutzen, das auf diesem Rechner liegt`,
  failedTest: (model, name) => `${model} funktioniert hier nicht. ${name} folgt deshalb weiter Regeln.`,
  tryAgain: 'Noch einmal versuchen',
  chooseOther: 'Ein anderes Modell wählen',
  meanwhile: (model, name) =>
    `${model} ist unterwegs. Sprich inzwischen mit ${name}; der Wechsel geschieht hier von selbst.`,
}
