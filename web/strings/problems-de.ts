/** The daemon's errors in German, by their code. Others are shown as the daemon wrote them. */
const notRestored =
  'Aus dieser Sicherungsdatei ließ sich nichts wiederherstellen. Prüfe die Datei und die Wiederherstellungswörter.'
const notRead = 'Diese Daten lassen sich nicht lesen. Prüfe das Format der Datei.'

export const text: Readonly<Record<string, string>> = {
  persona_unknown: 'Diese Persona gibt es nicht.',
  persona_exists: 'Diese Persona gibt es hier schon.',
  phrase_changed: 'Die Wiederherstellungswörter wurden erneuert. Bestätigen lassen sich nur die neuen.',
  not_running: 'Die Persona ist nicht aktiv. Starte sie zuerst.',
  not_active: 'Die Persona ist nicht aktiv.',
  life_over: 'Die Persona ist nicht aktiv.',
  asleep: 'Der Tagesrückblick läuft schon.',
  sleep_failed: 'Der Tagesrückblick ist unerwartet fehlgeschlagen.',
  channel_unknown: 'Den Kanal zu diesem Code gibt es nicht.',
  channel_verified: 'Dieser Kanal ist schon verbunden.',
  channels_full: 'Es gibt schon so viele Kanäle wie möglich. Entferne einen, den du nicht mehr brauchst.',
  code_wrong: 'Der Code ist falsch oder abgelaufen.',
  name_invalid: 'Der Name muss ein Text sein.',
  idle_timeout_invalid:
    'Die Zeit bis zur Zusammenfassung muss eine ganze Zahl von Sekunden sein, mindestens 1.',
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
  message_not_spoken: 'Nur eine Nachricht, die die Persona geschrieben hat, lässt sich markieren.',
  message_has_file:
    'Eine Nachricht mit einer Datei lässt sich nicht ändern. Entferne sie aus dem Gespräch und sende die Datei noch einmal.',
  nothing_to_continue: 'Es gibt keine Antwort, die fortgesetzt werden könnte.',
  answer_pending: 'Die Antwort darauf ist noch unterwegs. Halte sie an oder warte auf sie.',
  not_last_exchange:
    'So ändern lassen sich nur die letzten Nachrichten eines Gesprächs. Für frühere kannst du unter „Leben“ eine Kopie der Persona erstellen.',
  turn_over: 'Diese Antwort ist schon zu Ende.',
  recorded_already: 'Das ist schon gespeichert.',
  nothing_waits: 'Es wartet nichts auf eine Antwort.',
  tool_server_unknown: 'Diesen Werkzeugserver gibt es nicht.',
  tool_servers_full:
    'Es gibt schon so viele Werkzeugserver wie möglich. Entferne einen, den du nicht mehr brauchst.',
  tool_unknown: 'Dieses Werkzeug gibt es nicht.',
  search_off: 'Die Websuche ist auf diesem Rechner abgeschaltet (DAIMON_WEB_SEARCH).',
  approval_unknown: 'Diese Anfrage gibt es nicht, oder sie ist schon beantwortet.',
  skill_unknown: 'Diese Fertigkeit gibt es nicht.',
  skill_changed: 'Die Fertigkeit hat sich geändert, seit du sie geprüft hast. Prüfe sie noch einmal.',
  skill_damaged: 'Die Dateien der Fertigkeit fehlen oder wurden verändert. Füge sie noch einmal hinzu.',
  skills_full: 'Es gibt schon so viele Fertigkeiten wie möglich. Entferne eine, die du nicht mehr brauchst.',
  statement_unknown: 'Diese Aussage gibt es nicht.',
  statement_forgotten: 'Das ist vergessen. Stelle es zuerst wieder her.',
  statement_empty: 'Eine Aussage braucht einen Text.',
  pins_full: 'Es sind schon so viele Aussagen angeheftet wie möglich. Löse zuerst eine davon.',
  period_reversed: 'Das Ende läge vor dem Anfang. Prüfe „Gilt seit“ und „Gilt bis“.',
  moments_reversed: 'Der Anfang darf nicht nach dem Ende liegen.',
  plan_unknown: 'Diesen Eintrag gibt es nicht.',
  entry_empty: 'Ein Eintrag braucht einen Text.',
  instruction_unknown: 'Diese Anweisung gibt es nicht.',
  fact_unknown: 'Dieses Ereignis gibt es nicht.',
  changed_since: 'Es wurde seitdem noch einmal geändert. Nimm zuerst diese Änderung zurück.',
  undone_already: 'Das ist schon zurückgenommen.',
  mouth_missing: 'Die Persona hat keine Stimme. Füge sie in den Einstellungen hinzu.',
  call_unsent: 'Für diese Antwort wurde kein Modell benutzt.',
  audition_empty:
    'Es gibt noch keine Antwort, an der sich zwei Modelle vergleichen lassen. Redet erst miteinander.',
  call_gone:
    'Die Anfrage ist nicht mehr oder nicht genau gespeichert. Sie kann nicht noch einmal gesendet werden.',
  download_unknown: 'Ein Modell mit diesem Namen wird nicht geladen.',
  model_in_use: 'Eine Persona benutzt dieses Modell. Gib ihr zuerst ein anderes.',
  damaged_here:
    'Die Daten der Persona sind hier beschädigt, darum lassen sich beide nicht vergleichen. Rette unter „Zustand“ die unbeschädigten Ereignisse oder lösche die Persona, und stelle dann die Sicherungsdatei noch einmal wieder her.',
  fact_wordless: 'Dieses Ereignis enthält keinen Text, der sich löschen ließe.',
  moment_unknown: 'Zu diesem Zeitpunkt gab es die Persona noch nicht.',
  mind_not_taken:
    'Das Modell von damals lässt sich nicht benutzen: Es braucht einen Schlüssel, und Schlüssel werden nicht kopiert. Wähle ein anderes Modell.',
  not_damaged: 'Das Journal ist nicht beschädigt. Es gibt nichts zu retten.',
  path_unknown: 'Das gibt es hier nicht.',
  body_too_large: 'Das ist zu groß.',
  file_unknown: 'Diese Datei gibt es nicht.',
  media_damaged: 'Die Datei ist beschädigt: Ihr Inhalt ist nicht mehr der gespeicherte.',
  turn_unknown: 'Diese Antwort gibt es nicht.',
  history_unreadable: notRead,
  history_unknown: `${notRead} Welche Formate gelesen werden, steht beim Import.`,
  history_page: `${notRead} Das ist die Aktivität als Webseite. Wähle auf takeout.google.com für „Meine Aktivitäten“ JSON statt HTML, und sende diesen Export.`,
  history_ended_twice: `${notRead} Daimon ist zweimal abgestürzt, während diese Datei importiert wurde. Was vorher importiert wurde, bleibt. Sende den Rest in kleineren Dateien.`,
  history_unanalyzed: 'Die Gespräche ließen sich nicht auswerten. Prüfe, ob das Modell läuft.',
  when_invalid: 'Gib ein Datum und eine Uhrzeit an, die es gibt, zum Beispiel 2026-11-24T09:00.',
  when_past: 'Dieser Zeitpunkt ist schon vorbei. Gib einen künftigen an oder eine Wiederholung.',
  zone_unknown: 'Gib den Namen einer Zeitzone an, zum Beispiel Europe/Berlin.',
  too_busy: 'Es laufen zu viele große Anfragen zugleich. Versuch es in ein paar Sekunden noch einmal.',
  request_slow: 'Die Anfrage hat zu lange gedauert.',
  cut_short: 'Daimon wird gerade beendet. Es wurde nichts gespeichert.',
  not_a_diary: `${notRestored} Das ist keine Sicherungsdatei. Wähle die Datei, deren Name auf .diary endet.`,
  other_phrase: `${notRestored} Diese Wörter öffnen die Sicherungsdatei nicht, oder der Anfang der Datei ist beschädigt. Versuch die Wörter, die zu dieser Persona gehören, oder eine andere Kopie.`,
  diary_damaged: `${notRestored} Die Sicherungsdatei ist beschädigt oder unvollständig. Es wurde nichts geändert. Versuch eine andere Kopie.`,
  diary_newer: `${notRestored} Die Sicherungsdatei stammt von einer neueren Version. Aktualisiere Daimon, und stelle sie dann noch einmal wieder her.`,
  journal_replaced:
    'Die Daten der Persona werden gerade entfernt oder ersetzt. Versuch es gleich noch einmal.',
  browser_unknown: 'Die Benachrichtigungen sind in diesem Browser nicht eingeschaltet.',
  host_gone:
    'Der Rechner, auf dem diese Persona läuft, antwortet nicht. In wenigen Sekunden übernimmt ein anderer. Versuch es dann noch einmal.',
  cut_off:
    'Dieser Rechner ist von den anderen getrennt oder war es bis eben. Bis die Verbindung wieder steht, lässt sich hier nichts ändern, und was du siehst, kann veraltet sein.',
  'calendar_unreadable.unreachable':
    'Der Server des Kalenders ist nicht erreichbar. Prüfe die Adresse und die Verbindung.',
  'calendar_unreadable.login': 'Der Server des Kalenders lehnt den Benutzernamen oder das Passwort ab.',
  'calendar_unreadable.password_missing':
    'Die gespeicherte Adresse oder das Passwort des Kalenders fehlt. Entferne den Kalender, und abonniere ihn noch einmal.',
  'calendar_unreadable.moved': 'Unter dieser Adresse ist kein Kalender. Kopiere sie noch einmal.',
  'calendar_unreadable.answer': 'Was der Server schickt, ist kein lesbarer Kalender, oder es ist zu groß.',
  'calendar_unreadable.daemon': 'Daimon konnte den Kalender wegen eines eigenen Fehlers nicht lesen.',
  'mailbox_unreadable.unreachable':
    'Der Server des Postfachs ist nicht erreichbar. Prüfe den Server, den Port und die Verbindung.',
  'mailbox_unreadable.login':
    'Der Server des Postfachs lehnt den Benutzernamen oder das Passwort ab. Manche Anbieter verlangen ein App-Passwort.',
  'mailbox_unreadable.password_missing':
    'Das gespeicherte Passwort des Postfachs fehlt. Trenne das Postfach, und verbinde es noch einmal.',
  'mailbox_unreadable.folder': 'Diesen Ordner oder diese Mail gibt es im Postfach nicht.',
  'mailbox_unreadable.certificate':
    'Die Verschlüsselung passt nicht zu diesem Server: Prüfe das Zertifikat, die Verschlüsselung und den Port.',
  'mailbox_unreadable.answer': 'Der Server des Postfachs antwortet nicht so, wie es ein Mailserver tut.',
  'mailbox_unreadable.daemon': 'Daimon konnte das Postfach wegen eines eigenen Fehlers nicht lesen.',
}
