/**
 * The daemon's notices in a talk and its errors at fields, in German. Others are shown as the daemon wrote
 * them.
 */
type Values = Readonly<Record<string, string>>

const kept = 'Deine Nachricht ist gespeichert. Die Antwort folgt, sobald das Modell wieder da ist.'
const toReason = ({ reason }: Values) => (reason ? ` Der Grund: ${reason}` : '')

export const notices: Readonly<Record<string, (values: Values) => string>> = {
  outage: (values) => `Das Modell antwortet nicht. ${kept}${toReason(values)}`,
  silent: ({ seconds }) => `Das Modell hat seit ${seconds} s nicht geantwortet. ${kept}`,
  refused: (values) => `Das Modell hat darauf nicht geantwortet.${toReason(values)}`,
  refused_repeatedly: (values) =>
    `Das Modell hat darauf mehrmals nicht geantwortet, obwohl es andere Nachrichten beantwortet.${toReason(values)}`,
  other_model_refused: (values) => `${values.model} hat darauf nicht geantwortet.${toReason(values)}`,
  unreadable_calls: () =>
    'Das Modell hat seine Werkzeuge in einer Form aufgerufen, die sich nicht lesen lässt. Darum wurde nichts ausgeführt. Sag es mit anderen Worten, oder wähle in den Einstellungen ein anderes Modell.',
  too_many_steps: ({ count }) =>
    `Das Modell hat ${count}-mal ein Werkzeug nach dem anderen aufgerufen und keine Antwort gegeben, darum wurde es angehalten. Was es bis dahin getan hat, bleibt. Bitte um weniger auf einmal, oder frag anders.`,
  empty_answer: () => 'Das Modell hat eine leere Antwort gegeben. Sag es noch einmal, oder anders.',
  daemon_failed: ({ kind }) =>
    `Daimon konnte das nicht beantworten: Jeder Versuch ist fehlgeschlagen (${kind}). Deine Nachricht bleibt im Gespräch. Du kannst etwas anderes fragen, oder dasselbe mit anderen Worten. Mehr steht im Protokoll von Daimon.`,
  daemon_ended_twice: () =>
    'Daimon wurde zweimal unerwartet beendet, während diese Antwort entstand. Darum gibt es keinen dritten Versuch. Was du geschrieben hast, bleibt im Gespräch, wurde aber nicht beantwortet. Schick es noch einmal, vielleicht in kleineren Teilen und ohne Anhänge.',
  tokens_used: ({ used, limit, hour, zone }) =>
    `Die Tokens für heute sind verbraucht: ${used} von ${limit}, die DAIMON_DAILY_TOKENS an einem Tag erlaubt. Antworten gibt es wieder ab ${hour} Uhr (${zone}). Frag dann noch einmal, oder erhöhe die Einstellung und starte Daimon neu.`,
  organ_missing: ({ organ }) =>
    organ === 'Ear'
      ? 'Es fehlt das Gehör, darum konnte die Aufnahme nicht angehört werden. Füge es in den Einstellungen hinzu. Die Datei ist gespeichert: Frag dann nach ihr.'
      : 'Es fehlt die Fähigkeit, Bilder zu lesen. Füge sie in den Einstellungen hinzu. Die Datei ist gespeichert: Frag dann nach ihr.',
  file_too_large: ({ file, limit }) =>
    `${file} ist zu groß: Höchstens ${limit} MB sind möglich. Verkleinere die Datei, und schick sie noch einmal.`,
  file_lost: ({ file }) => `${file} ist nicht mehr da. Schick die Datei noch einmal.`,
  file_damaged: ({ file }) =>
    `${file} ist beschädigt: Der gespeicherte Inhalt ist nicht mehr der gesendete. Schick die Datei noch einmal.`,
  model_in_use: ({ name, model }) =>
    `${name} benutzt jetzt ${model}. Das Modell läuft auf diesem Rechner und kann Werkzeuge benutzen.`,
  model_without_tools: ({ name, model }) =>
    `${name} benutzt jetzt ${model}. Das Modell läuft auf diesem Rechner, kann aber keine Werkzeuge benutzen. Darum lernt ${name} nur beim Tagesrückblick.`,
  model_useless: (values) =>
    `${values.model} ist heruntergeladen, funktioniert hier aber nicht. Darum behält ${values.name} das Übungsmodell.${toReason(values)}`,
  model_not_switched: (values) =>
    `${values.model} ist heruntergeladen, aber ${values.name} konnte nicht dorthin wechseln.${toReason(values)}`,
}

export const fieldErrors: Readonly<Record<string, (limits: Values) => string>> = {
  missing: () => 'Das fehlt noch.',
  string_type: () => 'Das muss ein Text sein.',
  string_unicode: () => 'Der Text enthält ein Zeichen, das sich nicht speichern lässt.',
  string_too_short: ({ min_length }) => `Das ist zu kurz: mindestens ${min_length} Zeichen.`,
  string_too_long: ({ max_length }) => `Das ist zu lang: höchstens ${max_length} Zeichen.`,
  too_short: ({ min_length }) => `Das sind zu wenige: mindestens ${min_length}.`,
  int_type: () => 'Das muss eine ganze Zahl sein.',
  int_parsing: () => 'Das muss eine ganze Zahl sein.',
  int_from_float: () => 'Das muss eine ganze Zahl sein.',
  float_type: () => 'Das muss eine Zahl sein.',
  float_parsing: () => 'Das muss eine Zahl sein.',
  bool_type: () => 'Das muss ja oder nein sein.',
  bool_parsing: () => 'Das muss ja oder nein sein.',
  list_type: () => 'Das muss eine Liste sein.',
  dict_type: () => 'Das muss ein Objekt sein.',
  greater_than_equal: ({ ge }) => `Das muss mindestens ${ge} sein.`,
  less_than_equal: ({ le }) => `Das darf höchstens ${le} sein.`,
  literal_error: () => 'Das ist keine der Möglichkeiten.',
  json_invalid: () => 'Das ist kein gültiges JSON.',
}
