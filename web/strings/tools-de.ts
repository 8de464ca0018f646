/** The texts about tools of servers in German. */
import type { ToolStrings } from './tools-en.ts'

export const text: ToolStrings = {
  lead: (name: string) => `Die Werkzeuge, die ${name} benutzen darf, soweit du es erlaubst.`,
  empty: (name: string) =>
    `Ein Werkzeugserver ist ein Programm auf diesem Rechner oder eine Adresse und bietet Werkzeuge an: um etwas nachzuschlagen, eine Datei zu schreiben, einen Brief zu senden. Über jedes entscheidest du, und ${name} fragt dich, bevor eines zum ersten Mal benutzt wird.`,
  state: {
    ready: 'Bereit.',
    starting: 'Startet …',
    failing: 'Geht im Moment nicht.',
    off: 'Nicht gestartet: Das geschieht, sobald es gebraucht wird.',
  },
  authorize: 'Anmelden',
  authorizeWhy:
    'Der Server verlangt eine Anmeldung. Das öffnet sich in einem anderen Tab; komm danach hierher zurück.',
  probe: 'Ausprobieren',
  probeOne: (server: string) => `${server} ausprobieren`,
  probing: { doing: 'Wird ausprobiert …', done: '' },
  works: (count: number) =>
    count === 0
      ? 'Es geht, und bietet kein Werkzeug an.'
      : count === 1
        ? 'Es geht, und bietet ein Werkzeug an.'
        : `Es geht, und bietet ${count} Werkzeuge an.`,
  fails: 'Es geht noch nicht.',
  edit: (server: string) => `${server} ändern`,
  remove: 'Entfernen',
  removeOne: (server: string) => `${server} entfernen`,
  removeWarning: (name: string) =>
    `${name} verliert seine Werkzeuge und deine Entscheidungen über sie. Auch die dafür gespeicherten Schlüssel werden gelöscht.`,
  removing: { doing: 'Wird entfernt …', done: 'Entfernt.' },
  tools: (count: number) => (count === 1 ? 'Ein Werkzeug' : `${count} Werkzeuge`),
  noTools: 'Seine Werkzeuge sind bekannt, sobald er ausprobiert wurde.',
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
    `Deine Entscheidungen, als ${name} dort eine Seite lesen wollte. Nach jedem anderen Ort wirst du gefragt.`,
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
    nameMissing: 'Ein Name fehlt.',
    kind: 'Was ist es?',
    kinds: { program: 'Ein Programm auf diesem Rechner', address: 'Eine Adresse' },
    trust:
      'Das Programm hat alle Rechte des Daemons auf diesem Rechner. Füge nur Programme hinzu, denen du vertraust.',
    command: 'Befehl',
    commandHint: 'Etwa npx, uvx oder der Pfad eines Programms.',
    commandMissing: 'Ein Befehl fehlt.',
    args: 'Argumente, eines je Zeile',
    cwd: 'Ordner, in dem es gestartet wird',
    cwdHint: 'Dein Benutzerordner, wenn leer.',
    env: 'Variablen',
    headers: 'Kopfzeilen',
    secretHint:
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is typed into the field
      'Werte bleiben auf diesem Rechner und werden nicht wieder gezeigt: Ein Wert, der als *** dasteht, bleibt unverändert. ${NAME} wird aus der Umgebung des Daemons gelesen.',
    url: 'Adresse',
    urlHint: 'Beginnt mit https://, oder mit http:// auf diesem Rechner.',
    urlMissing: 'Eine Adresse fehlt.',
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
      'Leere Werte werden aus der Umgebung des Daemons gelesen, unter dem Namen, den das Feld zeigt.',
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
      `${name} möchte ${tool} von ${server} benutzen.`,
    of: (tool: string, server: string) => `${tool} von ${server}`,
    nothing: 'Es bekommt keine Eingabe.',
    given: 'Seine Eingabe',
    json: 'Alles, als JSON',
    changed: 'Du hast dieses Werkzeug erlaubt, aber seine Beschreibung hat sich geändert.',
    again:
      'Du erlaubst das immer, aber diese Adresse hast du noch nicht gesehen, und in ihr steht mehr als ein Pfad.',
    look: 'Ansehen, was sich geändert hat',
    once: 'Einmal',
    always: 'Immer',
    no: 'Nein',
    alwaysMeaning: 'Immer gilt für dieses Werkzeug, wie es jetzt beschrieben ist.',
    asleep: (name: string) => `${name} macht nach dem Aufwachen weiter.`,
    sending: 'Deine Antwort ist unterwegs …',
    settled: {
      once: (request: string) => `Du hast es dieses eine Mal erlaubt: ${request}`,
      always: (request: string) => `Du hast es ab jetzt erlaubt: ${request}`,
      no: (request: string) => `Du hast Nein gesagt: ${request}`,
      expired: (request: string) => `Einen Tag lang kam keine Antwort, das gilt als Nein: ${request}`,
      withdrawn: (request: string) => `Anfrage zurückgezogen: ${request}`,
      elsewhere: (request: string) => `Schon beantwortet: ${request}`,
    },
  },
  allowed: {
    once: 'dieses eine Mal von dir erlaubt',
    always: 'von dir immer erlaubt',
    no: 'du hast Nein gesagt',
    expired: 'einen Tag lang ohne Antwort',
    withdrawn: 'Anfrage zurückgezogen',
    waiting: 'wartet auf deine Entscheidung',
  },
}
