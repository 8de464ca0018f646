/** All texts of the page in German, except the ones that are loaded on demand. */
import type { Room } from '../shared/address.ts'
import type { Condition } from '../shared/shapes.ts'
import type { Strings } from './en.ts'
import { fieldErrors, notices } from './notices-de.ts'
import { text as problemsText } from './problems-de.ts'
import { text as talkText } from './talk-de.ts'

export const text: Strings = {
  product: 'Daimon',
  skip: 'Zum Gespräch springen',
  people: 'Personas',
  add: 'Neue Persona',
  back: 'Zurück zur Liste',
  loading: 'Einen Moment …',
  tryAgain: 'Noch einmal versuchen',
  cancel: 'Abbrechen',
  close: 'Schließen',
  copyBar: (path, persona) =>
    `Schreibgeschützte Kopie von ${persona ? `${persona.name}, Stand ${persona.until}, aus ` : ''}${path}. Hier lässt sich nichts ändern.`,
  lineLost: 'Verbindung verloren, neuer Versuch …',
  notRunning: 'Daimon läuft nicht',
  notRunningHint:
    'Starte es auf seinem Rechner neu, zum Beispiel mit „npm start“. Diese Seite macht dann von selbst weiter. Was du geschrieben hast, bleibt in diesem Browser.',
  wordsBar: {
    notBackedUp: 'Noch nicht gesichert',
    open: 'Wiederherstellungswörter sichern',
    hide: 'In einer Woche erinnern',
  },
  unreachable: 'Daimon antwortet nicht. Läuft es noch?',
  problems: problemsText,
  notices,
  fieldErrors,
  oddAnswer: (status: number) => `Daimon hat mit dem Fehler ${status} geantwortet und keinen Grund genannt.`,
  unreadable: 'Diese Seite versteht die Antwort von Daimon nicht. Bitte lade die Seite neu.',
  gone: (name: string) => `${name} ist nicht mehr hier.`,
  nobodyThere: 'Unter dieser Adresse gibt es keine Persona.',

  list: {
    you: (content: string) => `Du: ${content}`,
    fresh: 'neue Nachricht',
    asks: 'wartet auf deine Entscheidung',
  },

  preferences: { title: 'Einstellungen von Daimon' },

  rooms: {
    label: (name: string) => `Seiten von ${name}`,
    more: 'Mehr',
    name: {
      talk: 'Gespräch',
      memory: 'Gedächtnis',
      calendar: 'Kalender',
      life: 'Leben',
      instructions: 'Anweisungen',
      tools: 'Werkzeuge',
      skills: 'Fertigkeiten',
      health: 'Zustand',
      settings: 'Einstellungen',
    } satisfies Record<Room, string>,
  },

  condition: {
    awake: 'aktiv',
    ailing: 'hat ein Problem',
    stopped: 'angehalten',
    hibernating: 'schläft',
    sick: 'hat ein Problem',
  } satisfies Record<Condition, string>,

  offRecord: {
    title: 'Ohne Aufzeichnung',
    promise: (name: string) =>
      `Nichts davon wird gespeichert, und ${name} wird sich nicht daran erinnern. Es ist weg, sobald du diese Seite verlässt, schließt oder neu lädst. Nur die Kosten werden gezählt.`,
    through: (provider: string) =>
      `Deine Nachrichten gehen trotzdem an ${provider}. Von dort kommen die Antworten.`,
    back: 'Zurück zum Gespräch',
    log: (name: string) => `Gespräch mit ${name}, ohne Aufzeichnung`,
    empty: (name: string) => `Hier sprichst du mit ${name}, ohne dass etwas bleibt.`,
    write: (name: string) => `${name} schreiben, ohne Aufzeichnung`,
    notRunning: (name: string) => `${name} ist nicht aktiv und kann nicht antworten.`,
    cut: 'Hier endet die Antwort: Das Modell hat seine Grenze erreicht.',
    choose: 'Bilder auswählen',
    picturesAlone: 'Ohne Aufzeichnung kannst du nur Bilder senden: PNG, JPEG, GIF oder WebP.',
    tooMuch: 'Das ist zu viel: In ein Gespräch ohne Aufzeichnung passen 14 MB an Bildern.',
    unreadable: 'Dieses Bild lässt sich nicht mehr lesen.',
  },

  about: {
    open: (name: string) => `Über ${name}`,
    name: 'Name',
    rename: 'Umbenennen',
    change: 'Ändern',
    birthday: 'Erstellt am',
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
      `${name} wird von diesem Rechner entfernt, mit dem ganzen Gedächtnis und allen Nachrichten.`,
    deleteAsk: (name: string) => `Gib „${name}“ ein, um fortzufahren`,
    deleteNow: 'Endgültig löschen',
  },

  instructions: {
    lead: (name: string) =>
      `Wie ${name} in bestimmten Situationen vorgeht. Die passende Anweisung liest ${name} zuerst.`,
    own: (name: string) => `Von ${name} gelernt`,
    ownHint: (name: string) =>
      `${name} schreibt sie selbst. Soll sich eine ändern, sag es im Gespräch. Hier kannst du rückgängig machen, was gelernt wurde.`,
    ownEmpty: (name: string) =>
      `${name} hat noch keine gelernt. Wenn etwas schiefgeht, sag, wie du es gern hättest: Daraus kann eine Anweisung werden.`,
    ownEmptyThen: (name: string) => `${name} hatte noch keine gelernt.`,
    toTalk: (name: string) => `Mit ${name} sprechen`,
    builtin: 'Eingebaut',
    builtinHint: 'Damit beginnt jede Persona. Sie lassen sich nicht ändern.',
    builtinThen: 'Hier stehen sie so, wie sie heute sind.',
    learned: (time: string) => `gelernt ${time}`,
    revised: (time: string) => `geändert ${time}`,
    removed: (time: string) => `entfernt ${time}`,
    before: 'Der vorherige Text',
    unlearn: 'Entfernen',
    unlearnOne: (title: string) => `Entfernen: ${title}`,
    revert: 'Änderung rückgängig machen',
    revertOne: (title: string) => `Änderung rückgängig machen: ${title}`,
    restore: 'Wiederherstellen',
    restoreOne: (title: string) => `Wiederherstellen: ${title}`,
    undo: 'Rückgängig',
    unlearned: 'Entfernt.',
    reverted: 'Die Änderung wurde rückgängig gemacht.',
    restored: 'Wiederhergestellt.',
    droppedTitle: (count: number) => `Entfernt (${count})`,
  },

  palette: {
    open: 'Suchen und öffnen',
    label: 'Suchen und öffnen',
    placeholder: (name: string | null) =>
      name
        ? `Alles von ${name} durchsuchen oder eine Seite öffnen`
        : 'Alles durchsuchen oder eine Seite öffnen',
    results: 'Ergebnisse',
    goTo: 'Öffnen',
    actions: 'Aktionen',
    foundWith: (name: string) => `Gefunden bei ${name}`,
    room: (room: string, name: string) => `${room} von ${name}`,
    wakeNew: 'Neue Persona',
    bringBack: 'Aus Sicherungsdatei wiederherstellen',
    offRecord: (name: string) => `Mit ${name} ohne Aufzeichnung sprechen`,
    start: (name: string) => `${name} starten`,
    stop: (name: string) => `${name} anhalten`,
    started: (name: string) => `${name} ist aktiv.`,
    stopped: (name: string) => `${name} ist angehalten.`,
    searching: 'Wird gesucht…',
    nothing: 'Nichts gefunden.',
    more: 'Es gibt noch mehr: Ein weiteres Wort grenzt die Suche ein.',
    failed: 'Die Suche ist fehlgeschlagen.',
    you: 'Du',
    kind: {
      said: 'Nachricht',
      file: 'Datei',
      memory: 'Gedächtnis',
      plan: 'Kalendereintrag',
      instruction: 'Anweisung',
      day: 'Tagesrückblick',
      history: 'importierter Chat',
    },
    keys: '↑ ↓ wählen, Enter öffnet, Escape schließt',
  },

  ...talkText,
}
