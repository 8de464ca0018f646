/** The texts about tools of servers in German. */
import { searchTitle } from '../shared/search-titles.ts'
import { searchServer, webServer } from '../shared/web-server.ts'
import type { ToolStrings } from './tools-en.ts'

export const text: ToolStrings = {
  lead: (name: string) => `Die Werkzeuge, die ${name} benutzen darf, soweit du es erlaubst.`,
  empty: (name: string) =>
    `Ein Werkzeugserver ist ein Programm auf diesem Rechner oder eine Adresse und bietet Werkzeuge an: um etwas nachzuschlagen, eine Datei zu schreiben oder eine Nachricht zu senden. Über jedes entscheidest du, und ${name} fragt dich vor der ersten Benutzung.`,
  state: {
    ready: 'Bereit.',
    starting: 'Startet …',
    failing: 'Funktioniert im Moment nicht.',
    off: 'Nicht gestartet: Er startet, sobald er gebraucht wird.',
  },
  authorize: 'Anmelden',
  authorizeWhy:
    'Der Server verlangt eine Anmeldung. Das öffnet sich in einem anderen Tab; komm danach hierher zurück.',
  probe: 'Ausprobieren',
  probeOne: (server: string) => `${server} ausprobieren`,
  probing: { doing: 'Wird ausprobiert …', done: '' },
  works: (count: number) =>
    count === 0
      ? 'Er funktioniert und bietet kein Werkzeug an.'
      : count === 1
        ? 'Er funktioniert und bietet ein Werkzeug an.'
        : `Er funktioniert und bietet ${count} Werkzeuge an.`,
  fails: 'Er funktioniert noch nicht.',
  edit: (server: string) => `${server} ändern`,
  remove: 'Entfernen',
  removeOne: (server: string) => `${server} entfernen`,
  removeWarning: (name: string) =>
    `${name} verliert seine Werkzeuge und deine Entscheidungen über sie. Auch die dafür gespeicherten Schlüssel werden gelöscht.`,
  removing: { doing: 'Wird entfernt …', done: 'Entfernt.' },
  tools: (count: number) => (count === 1 ? 'Ein Werkzeug' : `${count} Werkzeuge`),
  noTools: 'Probiere ihn aus, um seine Werkzeuge zu sehen.',
  mode: { off: 'Aus', ask: 'Fragen', allow: 'Erlauben' },
  modeCounts: { off: 'aus', ask: 'mit Frage', allow: 'erlaubt', changed: 'geändert' },
  modeOf: (tool: string) => `Darf ${tool} benutzt werden?`,
  modeMeaning:
    'Aus: verborgen. Fragen: Du wirst jedes Mal gefragt. Erlauben: wird ohne Frage benutzt, solange seine Beschreibung gleich bleibt.',
  setting: { doing: 'Wird geändert …', done: 'Geändert.' },
  allOff: 'Alle aus',
  allAsk: 'Bei allen fragen',
  allOffOf: (server: string) => `Alle Werkzeuge von ${server} aus`,
  allAskOf: (server: string) => `Bei allen Werkzeugen von ${server} fragen`,
  changed:
    'Du hast dieses Werkzeug erlaubt, aber sein Server hat die Beschreibung geändert. Bis du entscheidest, wirst du gefragt.',
  changedBefore: 'Wie du es erlaubt hast',
  changedAfter: 'Wie es jetzt ist',
  unknownBefore: 'Die frühere Beschreibung ist nicht bekannt.',
  allowNow: 'So erlauben, wie es jetzt ist',
  hosts: (name) => `Webseiten, die ${name} lesen darf`,
  hostsMeaning: (name) =>
    `Deine Entscheidungen, als ${name} dort eine Seite lesen wollte. Bei jeder anderen Adresse wirst du gefragt.`,
  builtinNames: {
    remember: 'Etwas merken',
    'remember revise': 'Gedächtnis korrigieren',
    'remember forget': 'Etwas vergessen',
    recall: 'Etwas nachsehen',
    plan: 'Kalender',
    'plan add': 'Etwas planen',
    'plan list': 'Im Kalender nachsehen',
    'plan move': 'Kalendereintrag verschieben',
    'plan cancel': 'Kalendereintrag absagen',
    look_again: 'Noch einmal ansehen oder anhören',
    read_document: 'Dokument lesen',
    draw: 'Bild zeichnen',
    speak: 'Sprechen',
    notify: 'Nachricht auf allen Kanälen',
    ask_teacher: 'Um Rat fragen',
    instruction: 'Anweisungen',
    'instruction read': 'Anweisung lesen',
    'instruction keep': 'Anweisung lernen',
    'instruction remove': 'Anweisung entfernen',
    use_skill: 'Fertigkeit lesen',
    search_web: 'Im Web suchen',
    read_page: 'Webseite lesen',
    read_calendars: 'Abonnierte Kalender ansehen',
    check_health: 'Zustand prüfen',
    find_tools: 'Werkzeug suchen',
    use_tool: 'Werkzeug benutzen',
    cancel_plan: 'Kalendereintrag absagen',
    check_calendar: 'Im Kalender nachsehen',
    remind: 'Etwas planen',
    forget: 'Etwas vergessen',
    follow_instruction: 'Anweisung lesen',
    learn_instruction: 'Anweisung lernen',
  },
  builtinDoes: {
    remember: 'Ergänzt, korrigiert oder vergisst eine Aussage im Gedächtnis.',
    recall: 'Durchsucht das Gespräch, das Gedächtnis und Dateien.',
    plan: 'Plant, verschiebt, zeigt und löscht Erinnerungen und Termine.',
    look_again: 'Sieht sich ein früheres Bild noch einmal an oder hört eine Aufnahme noch einmal an.',
    read_document: 'Liest eine Datei, die du geschickt hast.',
    draw: 'Zeichnet ein Bild für dich.',
    speak: 'Spricht etwas laut als Aufnahme.',
    notify: 'Sendet dieselbe Nachricht auf allen deinen Kanälen.',
    ask_teacher: 'Fragt das stärkere Modell um Rat.',
    instruction: 'Liest, lernt oder entfernt eine Anweisung.',
    use_skill: 'Liest die Anleitung einer Fertigkeit, die du eingeschaltet hast.',
    search_web: 'Sucht im Web bei einem Dienst, den du erlaubst.',
    read_page: 'Liest den Text einer Webseite.',
    read_calendars: 'Liest die Termine der Kalender, die du abonniert hast.',
    check_health: 'Prüft den Zustand von Modellen, Kanälen und Sicherungen.',
    find_tools: 'Durchsucht die Werkzeuge deiner Server.',
    use_tool: 'Benutzt ein Werkzeug eines deiner Server.',
  },
  builtin: (name: string) => `Werkzeuge von ${name}, die keinen Server brauchen`,

  add: 'Server hinzufügen',
  paste: 'Konfiguration einfügen',
  form: {
    add: 'Hinzufügen',
    save: 'Speichern',
    adding: { doing: 'Wird hinzugefügt …', done: '' },
    saving: { doing: 'Wird gespeichert …', done: 'Gespeichert.' },
    name: 'Name',
    nameHint: 'Buchstaben, Ziffern und Bindestriche, etwa dateien. Die Namen der Werkzeuge beginnen damit.',
    nameMissing: 'Bitte gib einen Namen ein.',
    kind: 'Was ist es?',
    kinds: { program: 'Ein Programm auf diesem Rechner', address: 'Eine Adresse' },
    trust:
      'Das Programm hat alle Rechte von Daimon auf diesem Rechner. Füge nur Programme hinzu, denen du vertraust.',
    command: 'Befehl',
    commandHint: 'Etwa npx, uvx oder der Pfad eines Programms.',
    commandMissing: 'Bitte gib einen Befehl ein.',
    args: 'Argumente, eines je Zeile',
    cwd: 'Ordner, in dem es gestartet wird',
    cwdHint: 'Dein Benutzerordner, wenn leer.',
    env: 'Variablen',
    headers: 'Kopfzeilen',
    secretHint:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is typed into the field
      'Werte bleiben auf diesem Rechner und werden nicht wieder gezeigt: Ein Wert, der als *** dasteht, bleibt unverändert. ${NAME} wird aus der Umgebung von Daimon gelesen.',
    url: 'Adresse',
    urlHint: 'Beginnt mit https://, oder mit http:// auf diesem Rechner.',
    urlMissing: 'Bitte gib eine Adresse ein.',
    oauth: 'Ich habe beim Server schon einen Client angemeldet',
    client: 'Client-ID',
    secret: 'Client-Geheimnis',
    scope: 'Umfang (Scope)',
    issuer: 'Adresse seiner Anmeldung',
    port: 'Callback-Port',
    portHint: 'Falls http://127.0.0.1:<Port>/callback mit einem Port angemeldet wurde.',
    portWrong: 'Ein Port ist eine Zahl von 1 bis 65535.',
    rowName: (list: string, row: number) => `${list}: Name ${row}`,
    rowValue: (list: string, row: number) => `${list}: Wert ${row}`,
    rowAdd: (list: string) => `${list}: noch eine Zeile`,
    rowRemove: (list: string, row: number) => `${list}: ${row} entfernen`,
    namePlace: 'NAME',
    valuePlace: 'Wert',
  },
  doubts: {
    title: 'Ist das ein Geheimnis?',
    hint: 'Angekreuzte Werte werden bei den Geheimnissen dieses Rechners gespeichert und nicht wieder gezeigt. Wähle Werte ab, die sichtbar sein dürfen, dann weiter.',
  },
  pasting: {
    field: 'Konfiguration',
    hint: 'Wie es in einer anderen App steht: {"mcpServers": {…}} und Ähnliches, auch mit Kommentaren, TOML, YAML oder eine Zeile wie npx -y … oder claude mcp add …. Ein Server mit demselben Namen wird ersetzt.',
    go: 'Hinzufügen',
    doing: { doing: 'Wird hinzugefügt …', done: '' },
    missing: 'Hier steht noch nichts.',
    inputs: 'Werte, nach denen sie fragt',
    inputsHint:
      'Leere Werte werden aus der Umgebung von Daimon gelesen, unter dem Namen, den das Feld zeigt.',
    added: (names: string) => `Hinzugefügt: ${names}.`,
    none: 'Nichts wurde hinzugefügt.',
    skipped: (names: string) => `Ausgelassen, weil dort abgeschaltet: ${names}.`,
  },

  search: {
    title: 'Websuche',
    lead: (name: string) =>
      `${name} fragt dich vor der ersten Suche bei jedem Dienst. Nur die Suchwörter werden gesendet. Die Dienste werden in dieser Reihenfolge versucht.`,
    saving: { doing: 'Wird gespeichert …', done: 'Gespeichert.' },
    testing: { doing: 'Suche läuft …', done: '' },
    works: (found: number) =>
      found === 1 ? 'Es funktioniert: ein Treffer.' : `Es funktioniert: ${found} Treffer.`,
    missing: { key: 'Braucht einen Schlüssel', url: 'Braucht eine Adresse' },
    unused: 'Wird nicht verwendet',
    today: (count: number, limit: number) => `heute ${count} von ${limit} Suchen`,
    price: (usd: number) =>
      usd === 0 ? 'kostenlos' : `etwa ${(usd * 100).toFixed(1).replace('.', ',')} US-Cent pro Suche`,
    prices: (date: string) => `Preise vom ${date}.`,
    address: 'Adresse',
    addressHint: 'Deines eigenen Servers. Seine Einstellungen müssen das Format json erlauben.',
    key: 'Schlüssel',
    stored: { own: 'gespeichert', environment: 'aus der Umgebung' },
    getKey: (title: string) => `Schlüssel bei ${title} holen`,
    setUp: 'Einrichten',
    use: 'Verwenden',
    save: 'Speichern',
    test: 'Testen',
    up: 'Früher versuchen',
    remove: 'Entfernen',
    readsResults: (name: string) => `${name} darf Seiten, die eine Suche findet, ohne Rückfrage lesen`,
  },
  sources: 'Quellen',
  sourceRead: (time: string) => `gelesen ${time}`,

  approval: {
    title: (name: string) => `${name} möchte ein Werkzeug benutzen`,
    announce: (name: string, tool: string, server: string) =>
      server === webServer
        ? `${name} möchte Seiten von ${tool} lesen.`
        : server === searchServer
          ? `${name} möchte mit ${searchTitle(tool)} im Web suchen.`
          : `${name} möchte ${tool} von ${server} benutzen.`,
    of: (tool: string, server: string) =>
      server === webServer
        ? `Seiten von ${tool} lesen`
        : server === searchServer
          ? `mit ${searchTitle(tool)} im Web suchen`
          : `${tool} von ${server}`,
    pages: (host: string) => `Seiten von ${host} lesen`,
    search: (provider: string) => `Mit ${searchTitle(provider)} im Web suchen`,
    nothing: 'Es bekommt keine Eingabe.',
    given: 'Seine Eingabe',
    json: 'Alles, als JSON',
    changed: 'Du hast dieses Werkzeug erlaubt, aber seine Beschreibung hat sich geändert.',
    again: {
      page: 'Du erlaubst das immer, aber diese Adresse ist neu und könnte etwas über dich enthalten.',
      search:
        'Du erlaubst das immer, aber im Gespräch stehen Texte von anderen, und diese Wörter sind nicht nur von dir.',
      tool: 'Du erlaubst das immer, aber im Gespräch stehen Texte von anderen, und hier steht etwas aus dem Gedächtnis.',
    },
    look: 'Ansehen, was sich geändert hat',
    once: 'Einmal',
    always: 'Immer',
    no: 'Nein',
    alwaysMeaning: '„Immer“ gilt für dieses Werkzeug, wie es jetzt beschrieben ist.',
    asleep: (name: string) => `${name} macht nach dem Starten weiter.`,
    sending: 'Deine Antwort wird gesendet …',
    settled: {
      once: (request: string) => `Du hast es dieses eine Mal erlaubt: ${request}`,
      always: (request: string) => `Du hast es ab jetzt erlaubt: ${request}`,
      no: (request: string) => `Du hast es nicht erlaubt: ${request}`,
      expired: (request: string) => `Nicht erlaubt, weil einen Tag lang keine Antwort kam: ${request}`,
      withdrawn: (request: string) => `Anfrage zurückgezogen: ${request}`,
      elsewhere: (request: string) => `Schon beantwortet: ${request}`,
    },
  },
  allowed: {
    once: 'dieses eine Mal von dir erlaubt',
    always: 'von dir immer erlaubt',
    no: 'von dir nicht erlaubt',
    expired: 'einen Tag lang ohne Antwort',
    withdrawn: 'Anfrage zurückgezogen',
    waiting: 'wartet auf deine Entscheidung',
  },
}
