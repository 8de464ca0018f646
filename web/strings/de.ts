/** Every word the page says of its own, in German. */
import type { Room } from '../shared/address.ts'
import type { Condition } from '../shared/shapes.ts'
import { text as calendarText } from './calendar-de.ts'
import { text as characterText } from './character-de.ts'
import type { Strings } from './en.ts'
import { text as healthText } from './health-de.ts'
import { text as importText } from './import-de.ts'
import { text as memoryText } from './memory-de.ts'
import { text as newText } from './new-de.ts'
import { fieldErrors, notices } from './notices-de.ts'
import { text as problemsText } from './problems-de.ts'
import { text as restoreText } from './restore-de.ts'
import { text as settingsText } from './settings-de.ts'
import { text as talkText } from './talk-de.ts'

export const text: Strings = {
  product: 'Daimon',
  skip: 'Zum Gespräch springen',
  people: 'Personas',
  add: 'Jemand Neues wecken',
  back: 'Zurück zur Liste',
  loading: 'Einen Moment …',
  tryAgain: 'Noch einmal versuchen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  lineLost: 'Verbindung verloren, neuer Versuch …',
  notRunning: 'Der Daemon läuft nicht',
  notRunningHint:
    'Starte ihn auf seinem Rechner, zum Beispiel mit „npm start“. Diese Seite macht weiter, sobald er antwortet. Was du geschrieben hast, bleibt in diesem Browser.',
  unreachable: 'Der Daemon antwortet nicht. Läuft er noch?',
  problems: problemsText,
  notices,
  fieldErrors,
  oddAnswer: (status: number) => `Der Daemon hat mit ${status} geantwortet, ohne zu sagen, warum.`,
  unreadable: 'Diese Seite versteht die Antwort des Daemons nicht. Versuch, die Seite neu zu laden.',
  gone: (name: string) => `${name} ist nicht mehr hier.`,
  nobodyThere: 'Unter dieser Adresse lebt niemand.',

  list: {
    you: (content: string) => `Du: ${content}`,
    fresh: 'neue Nachricht',
    asks: 'wartet auf deine Entscheidung',
  },

  rooms: {
    label: (name: string) => `Räume von ${name}`,
    name: {
      talk: 'Gespräch',
      life: 'Leben',
      memory: 'Gedächtnis',
      instructions: 'Anweisungen',
      calendar: 'Kalender',
      health: 'Befinden',
      settings: 'Einstellungen',
    } satisfies Record<Room, string>,
  },

  condition: {
    awake: 'wach',
    ailing: 'krank, hört aber zu',
    stopped: 'angehalten',
    hibernating: 'im Winterschlaf',
    sick: 'krank',
  } satisfies Record<Condition, string>,

  offRecord: {
    title: 'Ohne Aufzeichnung',
    promise: (name: string) =>
      `Nichts hiervon wird gespeichert, und ${name} wird sich nicht daran erinnern. Es ist weg, wenn du diese Seite verlässt, schließt oder neu lädst. Gezählt werden nur die Kosten.`,
    through: (provider: string) =>
      `Deine Nachrichten gehen trotzdem an ${provider}: Von dort kommen die Antworten.`,
    back: 'Zurück zum Gespräch',
    log: (name: string) => `Gespräch mit ${name}, ohne Aufzeichnung`,
    empty: (name: string) => `Hier kannst du mit ${name} laut denken.`,
    write: (name: string) => `An ${name}, ohne Aufzeichnung`,
    notRunning: (name: string) => `${name} läuft nicht und kann nicht antworten.`,
    cut: 'Hier endet die Antwort: Das Modell hat seine Grenze erreicht.',
    choose: 'Bilder auswählen',
    picturesAlone: 'Ohne Aufzeichnung lassen sich nur Bilder zeigen: PNG, JPEG, GIF oder WebP.',
    tooMuch: 'Das ist zu viel: 14 MB an Bildern passen in ein Gespräch ohne Aufzeichnung.',
    unreadable: 'Dieses Bild lässt sich nicht mehr lesen.',
  },

  about: {
    open: (name: string) => `Über ${name}`,
    name: 'Name',
    rename: 'Umbenennen',
    change: 'Ändern',
    birthday: 'Hier seit',
    start: 'Starten',
    stop: 'Anhalten',
    restart: 'Neu starten',
    doing: {
      start: 'Wird gestartet…',
      stop: 'Wird angehalten…',
      restart: 'Wird neu gestartet…',
      rename: 'Wird umbenannt…',
      change: 'Wird geprüft…',
      clear: 'Wird entfernt…',
      delete: 'Wird gelöscht…',
    },
    done: {
      start: 'Gestartet.',
      stop: 'Angehalten.',
      restart: 'Neu gestartet.',
      rename: 'Umbenannt.',
      change: 'Geändert.',
      clear: 'Entfernt.',
    },
    delete: 'Löschen…',
    deleteWarning: (name: string) =>
      `${name}, alle Erinnerungen und alles, was ihr einander gesagt habt, wird von diesem Rechner entfernt.`,
    deleteAsk: (name: string) => `Gib „${name}“ ein, um fortzufahren`,
    deleteNow: 'Endgültig löschen',
  },

  instructions: {
    lead: (name: string) =>
      `Wie ${name} mit bestimmten Lagen umgeht. Die passende Anweisung wird gelesen, bevor etwas geschieht.`,
    own: (name: string) => `Von ${name} gelernt`,
    ownHint: (name: string) =>
      `Diese schreibt ${name}. Soll sich eine ändern, sag es im Gespräch. Hier kannst du rückgängig machen, was gelernt wurde.`,
    ownEmpty: (name: string) =>
      `${name} hat noch keine gelernt. Wenn etwas schiefgeht, sag, wie du es gern hättest: daraus kann eine werden.`,
    ownEmptyThen: (name: string) => `${name} hatte noch keine gelernt.`,
    toTalk: (name: string) => `Mit ${name} sprechen`,
    builtin: 'Von Anfang an',
    builtinHint: 'Damit beginnt jede Persona. Sie lassen sich nicht ändern.',
    builtinThen: 'Sie stehen hier, wie sie heute sind.',
    learned: (time: string) => `gelernt ${time}`,
    revised: (time: string) => `geändert ${time}`,
    removed: (time: string) => `entfernt ${time}`,
    before: 'Der vorige Text',
    unlearn: 'Verlernen',
    unlearnOne: (title: string) => `Verlernen: ${title}`,
    revert: 'Änderung rückgängig machen',
    revertOne: (title: string) => `Änderung rückgängig machen: ${title}`,
    restore: 'Zurückholen',
    restoreOne: (title: string) => `Zurückholen: ${title}`,
    undo: 'Rückgängig',
    unlearned: 'Verlernt.',
    reverted: 'Die Änderung wurde rückgängig gemacht.',
    restored: 'Zurückgeholt.',
    droppedTitle: (count: number) => `Entfernt (${count})`,
  },

  palette: {
    open: 'Suchen und hingehen',
    label: 'Suchen und hingehen',
    placeholder: (name: string | null) =>
      name ? `Alles von ${name} durchsuchen oder hingehen` : 'Alles durchsuchen oder hingehen',
    results: 'Ergebnisse',
    goTo: 'Gehe zu',
    actions: 'Aktionen',
    foundWith: (name: string) => `Gefunden bei ${name}`,
    room: (room: string, name: string) => `${room} von ${name}`,
    wakeNew: 'Jemanden neu wecken',
    bringBack: 'Jemanden zurückholen',
    offRecord: (name: string) => `Mit ${name} ohne Aufzeichnung sprechen`,
    start: (name: string) => `${name} starten`,
    stop: (name: string) => `${name} anhalten`,
    started: (name: string) => `${name} läuft.`,
    stopped: (name: string) => `${name} ist angehalten.`,
    searching: 'Wird gesucht…',
    nothing: 'Nichts gefunden.',
    more: 'Es gibt mehr: ein Wort dazu engt es ein.',
    failed: 'Die Suche ist gescheitert.',
    you: 'Du',
    kind: {
      said: 'Nachricht',
      file: 'Datei',
      memory: 'Gedächtnis',
      plan: 'Plan',
      instruction: 'Anweisung',
      day: 'ein Tag',
      history: 'importierter Chat',
    },
    keys: '↑ ↓ wählt, Enter geht hin, Escape schließt',
  },

  ...newText,
  ...characterText,
  ...talkText,
  ...restoreText,
  ...memoryText,
  ...calendarText,
  ...healthText,
  ...settingsText,
  ...importText,
}
