/** The daemon's errors in German, by their code. Others are shown as the daemon wrote them. */
const notRestored =
  'Aus dieser Sicherung ließ sich nichts wiederherstellen. Prüfe die Datei und die Wörter der Wiederherstellung.'
const notRead = 'Diese Daten lassen sich nicht lesen. Prüfe das Format der Datei.'

export const text: Readonly<Record<string, string>> = {
  persona_unknown: 'Diese Persona gibt es nicht.',
  persona_exists: 'Eine Persona mit dieser Kennung gibt es schon.',
  phrase_changed: 'Die Wörter der Wiederherstellung wurden erneuert. Bestätigen lassen sich nur die neuen.',
  not_running: 'Die Persona läuft nicht.',
  not_active: 'Die Persona ist nicht aktiv.',
  life_over: 'Die Persona ist nicht aktiv.',
  asleep: 'Die Persona schläft.',
  sleep_failed: 'Das Einschlafen ist unerwartet gescheitert.',
  channel_unknown: 'Den Kanal zu diesem Code gibt es nicht.',
  channel_verified: 'Dieser Kanal ist schon bestätigt.',
  channels_full: 'Es gibt schon so viele Kanäle wie möglich. Entferne einen, den du nicht mehr brauchst.',
  code_wrong: 'Der Code ist falsch oder abgelaufen.',
  name_invalid: 'Der Name muss ein Text sein.',
  idle_timeout_invalid: 'Die Zeit bis zum Winterschlaf muss eine ganze Zahl von Sekunden sein, mindestens 1.',
  model_missing: 'Es fehlt der Name des Modells.',
  address_secret:
    'Eine Adresse darf keinen Namen und kein Passwort enthalten. Gib den Schlüssel im Feld für Schlüssel an.',
  portrait_invalid:
    'Ein Porträt muss ein unbeschädigtes PNG, JPEG, WebP oder GIF mit höchstens 8192 Pixeln je Seite sein.',
  portrait_unknown: 'Die Persona hat kein Porträt.',
  imagination_missing:
    'Die Persona kann noch nicht zeichnen. Gib ihr in den Einstellungen die Fähigkeit dazu oder wähle ein Bild.',
  self_full:
    'Über die Persona stehen schon so viele Zeilen da wie möglich. Vergiss eine, die nicht mehr stimmt.',
  message_unknown: 'Diese Nachricht gibt es im Gespräch nicht.',
  message_empty: 'Eine Nachricht braucht einen Text.',
  message_has_file:
    'Eine Nachricht mit einer Datei lässt sich nicht ändern. Lösche sie und schick die Datei noch einmal.',
  nothing_to_continue: 'Es gibt keine Antwort, die fortgesetzt werden könnte.',
  answer_pending: 'Die Antwort darauf ist noch unterwegs. Halte sie an oder warte auf sie.',
  not_last_exchange:
    'So ändern lassen sich nur die letzten Nachrichten eines Gesprächs. Für frühere kannst du die Persona verzweigen.',
  turn_over: 'Diese Antwort ist schon zu Ende.',
  recorded_already: 'Das ist schon festgehalten.',
  nothing_waits: 'Es wartet nichts auf eine Antwort.',
  tool_server_unknown: 'Diesen Werkzeugserver gibt es nicht.',
  tool_servers_full:
    'Es gibt schon so viele Werkzeugserver wie möglich. Entferne einen, den du nicht mehr brauchst.',
  tool_unknown: 'Dieses Werkzeug gibt es nicht.',
  approval_unknown: 'Diese Anfrage gibt es nicht, oder sie ist schon beantwortet.',
  skill_unknown: 'Diese Fertigkeit gibt es nicht.',
  skill_changed: 'Die Fertigkeit hat sich geändert, seit du sie geprüft hast. Prüfe sie noch einmal.',
  skill_damaged: 'Die Dateien der Fertigkeit fehlen oder wurden verändert. Füge sie noch einmal hinzu.',
  skills_full: 'Es gibt schon so viele Fertigkeiten wie möglich. Entferne eine, die du nicht mehr brauchst.',
  statement_unknown: 'Diese Erinnerung gibt es nicht.',
  statement_forgotten: 'Das ist vergessen. Hol es zuerst zurück.',
  statement_empty: 'Eine Erinnerung braucht einen Text.',
  pins_full: 'Es sind schon so viele Erinnerungen angeheftet wie möglich. Löse zuerst eine davon.',
  period_reversed: 'Das Ende läge vor dem Anfang. Prüfe „Gilt seit“ und „Gilt bis“.',
  moments_reversed: 'Der Anfang darf nicht nach dem Ende liegen.',
  plan_unknown: 'Diesen Eintrag gibt es nicht.',
  entry_empty: 'Ein Eintrag braucht einen Text.',
  instruction_unknown: 'Diese Anweisung gibt es nicht.',
  fact_unknown: 'Dieses Ereignis gibt es nicht.',
  changed_since: 'Es wurde seitdem noch einmal geändert. Nimm zuerst diese Änderung zurück.',
  undone_already: 'Das ist schon zurückgenommen.',
  call_unsent: 'In diesem Zug wurde kein Modell gerufen.',
  call_gone:
    'Der Aufruf ist nicht mehr gespeichert oder nicht genau wiederherstellbar. Er kann nicht noch einmal gesendet werden.',
  download_unknown: 'Ein Modell mit diesem Namen wird nicht geladen.',
  model_in_use: 'Eine Persona benutzt dieses Modell. Gib ihr zuerst ein anderes.',
  damaged_here:
    'Das Journal der Persona ist hier beschädigt, darum lassen sich beide nicht vergleichen. Rette die Persona oder lösche sie, und stelle dann die Sicherung noch einmal wieder her.',
  fact_wordless: 'Dieses Ereignis enthält keinen Text, der sich löschen ließe.',
  moment_unknown: 'Zu diesem Zeitpunkt gab es die Persona noch nicht.',
  mind_not_taken:
    'Der Geist von damals ist nicht verwendbar: Er braucht einen Schlüssel, und Schlüssel werden nicht kopiert. Gib einen anderen Geist an.',
  not_damaged: 'Das Journal ist nicht beschädigt. Es gibt nichts zu retten.',
  path_unknown: 'Das gibt es hier nicht.',
  body_too_large: 'Das ist zu groß.',
  file_unknown: 'Diese Datei gibt es nicht.',
  media_damaged: 'Die Datei ist beschädigt: Ihr Inhalt ist nicht mehr der gespeicherte.',
  turn_unknown: 'Diesen Zug gibt es nicht.',
  history_unreadable: notRead,
  history_unknown: `${notRead} Welche Formate gelesen werden, steht beim Import.`,
  history_page: `${notRead} Das ist die Aktivität als Webseite. Wähle auf takeout.google.com für „Meine Aktivitäten“ JSON statt HTML, und schicke diesen Export.`,
  history_ended_twice: `${notRead} Der Daemon ist zweimal abgestürzt, während er diese Datei importierte. Was vorher importiert wurde, bleibt. Schicke den Rest in kleineren Dateien.`,
  history_unanalyzed: 'Die Gespräche ließen sich nicht auswerten. Prüfe, ob das Modell läuft.',
  when_invalid: 'Gib ein Datum und eine Uhrzeit an, die es gibt, zum Beispiel 2026-11-24T09:00.',
  when_past: 'Dieser Zeitpunkt ist schon vorbei. Gib einen künftigen an oder eine Wiederholung.',
  zone_unknown: 'Gib den Namen einer Zeitzone an, zum Beispiel Europe/Berlin.',
  too_busy: 'Es laufen zu viele große Anfragen zugleich. Versuch es in ein paar Sekunden noch einmal.',
  request_slow: 'Die Anfrage hat zu lange gedauert.',
  cut_short: 'Der Dienst hält gerade an. Es wurde nichts gespeichert.',
  not_a_diary: `${notRestored} Das ist keine Sicherung. Wähle die Datei, deren Name auf .diary endet.`,
  other_phrase: `${notRestored} Diese Wörter öffnen die Sicherung nicht, oder der Anfang der Datei ist beschädigt. Versuch die Wörter, die zu dieser Persona gehören, oder eine andere Kopie.`,
  diary_damaged: `${notRestored} Die Sicherung ist beschädigt oder unvollständig. Es wurde nichts geändert. Versuch eine andere Kopie.`,
  diary_newer: `${notRestored} Die Sicherung stammt von einer neueren Version. Aktualisiere Daimon, und stelle sie dann noch einmal wieder her.`,
  journal_replaced:
    'Das Journal wird gerade entfernt oder ersetzt, darum wurde die Anfrage abgebrochen. Versuch es gleich noch einmal.',
  browser_unknown: 'Dieser Browser ist nicht angemeldet.',
  host_gone:
    'Der Daemon, bei dem diese Persona lebt, antwortet nicht. In wenigen Sekunden übernimmt ein anderer. Versuch es noch einmal.',
  cut_off:
    'Dieser Daemon ist von seinem Verbund getrennt oder war es bis eben. Bis die Verbindung wieder steht, nimmt er keine Änderungen an, und was er zeigt, kann alt sein.',
}
