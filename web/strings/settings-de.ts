/** The texts about the settings in German. */

import type { Section } from '../settings/sections.ts'
import type { Kind } from '../shared/channel-kinds.ts'
import type { LifeAction } from '../shared/life-actions.ts'
import type { Condition, Profile } from '../shared/shapes.ts'
import type { Theme } from '../shared/theme.ts'
import type { SettingsStrings } from './settings-en.ts'

export const text: SettingsStrings = {
  settings: {
    label: (name: string) => `Einstellungen von ${name}`,
    section: {
      life: 'Name und Zustand',
      character: 'Charakter',
      initiative: 'Schreibt von sich aus',
      organs: 'Fähigkeiten',
      models: 'Modelle',
      channels: 'Kanäle',
      mail: 'Postfächer',
      care: 'Hilfe in Not',
      tools: 'Werkzeuge',
      skills: 'Fertigkeiten',
      import: 'Frühere Chats',
      backup: 'Sicherung',
      appearance: 'Aussehen',
      delete: 'Löschen',
    } satisfies Record<Section, string>,
    how: {
      awake: (name: string) => `${name} ist aktiv.`,
      ailing: (name: string) =>
        `Das Modell von ${name} antwortet gerade nicht. Deine Nachrichten bleiben erhalten und werden später beantwortet.`,
      stopped: (name: string) =>
        `${name} ist angehalten und bekommt bis zum nächsten Start keine Nachrichten.`,
      hibernating: (name: string) => `${name} schläft und bekommt bis zum nächsten Start keine Nachrichten.`,
      sick: (name: string) => `${name} hat ein Problem und ließ sich nicht starten.`,
    } satisfies Record<Condition, (name: string) => string>,
    deed: {
      start: {
        name: 'Starten',
        what: (name: string) => `${name} beantwortet wartende Nachrichten.`,
        doing: 'Wird gestartet…',
        done: 'Gestartet.',
      },
      wake: {
        name: 'Starten',
        what: (name: string) => `${name} beantwortet wartende Nachrichten.`,
        doing: 'Wird gestartet…',
        done: 'Gestartet.',
      },
      sleep: {
        name: 'Tagesrückblick',
        what: (name: string) =>
          `Wie jede Nacht: ${name} fasst das Gespräch zusammen, merkt sich, was wichtig ist, und schreibt eine Sicherungsdatei. Eine Nachricht in dieser Zeit wird zuerst beantwortet.`,
        doing: 'Der Tagesrückblick läuft… Das kann einige Minuten dauern.',
        done: 'Fertig: Der Tag ist zusammengefasst.',
      },
      restart: {
        name: 'Neu starten',
        what: () =>
          'Startet neu mit den Daten auf der Festplatte. Eine begonnene Antwort bricht ab; sonst geht nichts verloren.',
        doing: 'Wird neu gestartet…',
        done: 'Neu gestartet.',
      },
      stop: {
        name: 'Anhalten',
        what: (name: string) =>
          `${name} bekommt bis zum nächsten Start keine Nachrichten, auch nach einem Neustart dieses Rechners. Nichts geht verloren.`,
        doing: 'Wird angehalten…',
        done: 'Angehalten.',
      },
      hibernate: {
        name: 'Schlafen legen',
        what: (name: string) =>
          `Für eine längere Pause: ${name} braucht bis zum nächsten Start keinen Arbeitsspeicher.`,
        doing: 'Schläft gleich…',
        done: 'Schläft.',
      },
    } satisfies Record<
      LifeAction,
      {
        readonly name: string
        readonly what: (name: string) => string
        readonly doing: string
        readonly done: string
      }
    >,
    rename: { doing: 'Wird umbenannt…', done: 'Umbenannt.' },
    nameMissing: 'Bitte gib einen Namen ein.',
    idle: 'Minuten ohne Nachricht bis zur Zusammenfassung des Gesprächs',
    idleHint: (name: string) => `Dann fasst ${name} das Gespräch zusammen und merkt sich, was wichtig ist.`,
    idleMissing: 'Bitte gib eine Zahl über 0 ein.',
    idleSet: { doing: 'Wird geändert…', done: 'Geändert.' },
    organsLead: (name: string) =>
      `Die Modelle, die ${name} benutzt. Nur das Sprachmodell ist nötig. Die anderen Fähigkeiten kannst du jederzeit ändern oder entfernen.`,
    audition: 'Vor dem Wechsel ausprobieren…',
    profile: {
      title: 'Werkzeuge und Anweisungen',
      choice: { auto: 'Automatisch', full: 'Vollständig', compact: 'Kompakt' } satisfies Record<
        Profile,
        string
      >,
      hint: 'Kleine Modelle bringen viele Werkzeuge durcheinander. „Kompakt“ gibt ihnen sechs einfache Werkzeuge und kurze Anweisungen. „Automatisch“ wählt das bei kleinen Modellen.',
      used: {
        full: 'Letzte Antwort: vollständige Werkzeuge und Anweisungen.',
        compact: 'Letzte Antwort: kompakte Werkzeuge und Anweisungen.',
      },
    },
    organ: {
      change: { doing: 'Wird geprüft…', done: 'Geändert.' },
      clear: { doing: 'Wird entfernt…', done: 'Entfernt.' },
    },
    failing: 'Funktioniert nicht:',
    appearanceLead: 'Aussehen und Sprache dieser Seite, in diesem Browser.',
    theme: 'Farben',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' } satisfies Record<Theme, string>,
    language: 'Sprache',
    languageOfBrowser: 'Wie der Browser',
    languageHint:
      'Die Sprache der Seite: Personas antworten in der Sprache, die du benutzt. Die Seite wird neu geladen.',
    push: {
      title: 'Wenn die Seite geschlossen ist',
      hint: 'Dieser Browser kann dich über Nachrichten benachrichtigen, während die Seite geschlossen ist. Der Name und die ersten Wörter gehen über den Push-Dienst des Browserherstellers, so verschlüsselt, dass nur dieser Browser sie lesen kann.',
      turnOn: 'Einschalten',
      turnOff: 'Ausschalten',
      tryIt: 'Ausprobieren',
      on: { doing: 'Der Browser wird gefragt…', done: 'Benachrichtigungen sind eingeschaltet.' },
      off: { doing: 'Einen Moment…', done: 'Benachrichtigungen sind ausgeschaltet.' },
      try: { doing: 'Wird gesendet…', done: 'Gesendet. Sie sollte in wenigen Sekunden ankommen.' },
      arrived: 'Es funktioniert: So sehen Benachrichtigungen aus.',
      blocked:
        'Dieser Browser erlaubt der Seite keine Benachrichtigungen. Ändern lässt sich das nur in seinen eigenen Einstellungen.',
      unanswered: 'Benachrichtigungen bleiben aus: Die Frage des Browsers wurde ohne Antwort geschlossen.',
      insecure: 'Der Browser erlaubt das nur über https, oder auf dem Rechner selbst unter localhost.',
      unable:
        'Dieser Browser kann dich nicht benachrichtigen, während die Seite geschlossen ist. Auf iPhone oder iPad muss die Seite dafür erst auf den Home-Bildschirm.',
      noService: 'Der Push-Dienst dieses Browsers ist nicht zu erreichen. Versuch es später noch einmal.',
      lost: 'Die Benachrichtigungen wurden in diesem Browser ausgeschaltet. Schalte sie wieder ein.',
    },
    delete: {
      lead: (name: string) => `Entfernt ${name} von diesem Rechner. Vorher wirst du nach dem Namen gefragt.`,
      title: (name: string) => `${name} löschen?`,
      deed: { doing: 'Wird gelöscht…', done: '' },
      stays: 'Was bleibt',
      diary:
        'Die letzte Sicherungsdatei, 30 Tage lang, im Ordner von Daimon. Nur die 24 Wiederherstellungswörter öffnen sie. Mit beidem lässt sich alles wiederherstellen.',
      elsewhere: [
        'Sicherungen, die du anderswo gespeichert oder hinkopiert hast.',
        'Alles, was an Telegram, Discord, Matrix oder den Anbieter eines Modells gesendet wurde.',
      ],
      purge:
        'Auch die Sicherungsdateien hier entfernen. Dann lässt sich von hier aus nichts wiederherstellen.',
      force:
        'Trotzdem löschen. Ein Modell, das für diese Persona in Ollama angelegt wurde, bleibt vielleicht dort.',
    },
  },

  channels: {
    lead: (name: string) =>
      `Du kannst auch über Telegram, Discord und Matrix mit ${name} sprechen, mit deinem eigenen Bot.`,
    empty: (name: string) => `Bisher erreichst du ${name} nur auf dieser Seite.`,
    state: {
      open: (name: string) => `${name} bekommt Nachrichten von dort.`,
      silent: (name: string) =>
        `Pausiert, solange ${name} nicht aktiv ist. Nachrichten von dort kommen später an.`,
      unpaired: () => 'Noch mit keinem Chat verbunden.',
      failing: () => 'Funktioniert im Moment nicht.',
    },
    waiting: (count: number) =>
      count === 1
        ? 'Eine Nachricht wartet auf die Zustellung.'
        : `${count} Nachrichten warten auf die Zustellung.`,
    remove: 'Entfernen',
    removeOne: (platform: string, name: string) => `${platform} ${name} entfernen`,
    removeWarning: (name: string) =>
      `${name} bekommt von dort keine Nachrichten mehr. Frühere Nachrichten bleiben im Gespräch, und der Bot selbst bleibt bestehen.`,
    removing: { doing: 'Wird entfernt…', done: 'Entfernt.' },
    add: 'Kanal hinzufügen',
    addNow: 'Hinzufügen',
    adding: {
      doing: 'Das Token wird geprüft…',
      done: 'Hinzugefügt. Schreib jetzt dem Bot und gib seinen Code hier ein.',
    },
    platform: 'Plattform',
    token: 'Token des Bots',
    tokenHint:
      'Bleibt auf diesem Rechner und wird nie wieder gezeigt. Ein neues Token für einen Bot, der schon hier ist, ersetzt das alte.',
    tokenMissing: 'Bitte gib das Token ein.',
    matrix: {
      homeserver: 'Homeserver',
      homeserverHint: 'Sein Name oder seine Adresse, etwa example.org oder https://matrix.example.org.',
      way: 'Anmelden mit',
      ways: { password: 'Benutzername und Passwort', token: 'Zugriffstoken' },
      user: 'Benutzername des Kontos',
      password: 'Passwort des Kontos',
      passwordHint:
        'Wird einmal benutzt und nicht gespeichert. Daimon behält nur die Sitzung und beendet sie, wenn du den Kanal entfernst.',
      token: 'Zugriffstoken des Kontos',
      missing: 'Bitte fülle alle Felder aus.',
    },
    help: {
      telegram: {
        pageName: '@BotFather öffnen',
        steps: [
          'Schreib in Telegram /newbot an @BotFather und beantworte seine Fragen.',
          'Du bekommst ein Token wie 4242:AAH…: Füge es hier ein.',
          'Schreib dann deinem Bot irgendetwas: Er antwortet mit einem Code, den du hier eingibst.',
        ],
      },
      discord: {
        pageName: 'Entwicklerseite von Discord öffnen',
        steps: [
          'Erstelle eine Anwendung. Setze unter „Bot“ das Token zurück und schalte „Message Content Intent“ ein.',
          'Lade den Bot auf einen deiner Server ein, damit du ihm schreiben darfst.',
          'Füge das Token hier ein und schreib dem Bot dann direkt: Er antwortet mit einem Code, den du hier eingibst.',
        ],
      },
      matrix: {
        pageName: 'Ein Konto mit Element anlegen',
        steps: [
          'Lege ein zweites Konto für die Persona an, auf irgendeinem Homeserver. Benutze es für nichts anderes.',
          'Melde dich hier damit an.',
          'Beginne dann von deinem eigenen Konto aus einen direkten Chat mit ihm: Es antwortet mit einem Code, den du hier eingibst.',
        ],
      },
    } satisfies Record<Kind, { readonly pageName: string; readonly steps: readonly string[] }>,
    pairHint:
      'Schreib dem Bot irgendetwas in einem eigenen Chat. Er antwortet mit einem Code, der zehn Minuten lang gilt.',
    pairStopped: (name: string) =>
      `Starte zuerst ${name}: Der Bot antwortet nur mit seinem Code, solange ${name} aktiv ist.`,
    code: 'Code aus dem Chat',
    codeMissing: 'Bitte gib den Code ein.',
    pair: 'Verbinden',
    pairing: { doing: 'Wird verbunden…', done: '' },
    paired: (name: string) => `Verbunden. ${name} bekommt jetzt deine Nachrichten von dort.`,
  },

  backup: {
    lead: (name: string) =>
      `Eine Sicherungsdatei enthält alles von ${name}: das ganze Gespräch, Gedächtnis, Kalender und Dateien. Nur die 24 Wiederherstellungswörter öffnen sie, hier oder auf einem anderen Rechner.`,
    export: 'Sicherungsdatei speichern',
    exporting: { doing: 'Wird vorbereitet…', done: 'Dein Browser speichert die Datei.' },
    last: (time: string, size: string) => `Letzte Sicherungsdatei hier: ${time} (${size}).`,
    kept: (count: number) => (count === 1 ? 'Es ist die einzige, die hier liegt.' : `${count} liegen hier.`),
    older: (count: number) =>
      count === 1
        ? 'Eine davon braucht ältere Wiederherstellungswörter.'
        : `${count} davon brauchen ältere Wiederherstellungswörter.`,
    none: 'Hier liegt noch keine Sicherungsdatei.',
    unread: 'Die Sicherungsdateien auf der Festplatte ließen sich nicht auflisten.',
    promised: 'So funktionieren Sicherungen',
    promises: [
      'Eine Sicherungsdatei wird jede Nacht nach einem Tag geschrieben, an dem etwas geschehen ist, außerdem bei neuen Wiederherstellungswörtern und vor dem Löschen. Die letzten sieben bleiben, bis zu 2 GB.',
      'Sie liegen im Ordner von Daimon unter „diaries“. Kopiere diesen Ordner an einen sicheren Ort: Daimon schickt ihn nirgendwohin.',
      'Sie sind verschlüsselt. Ohne die Wiederherstellungswörter kann sie niemand öffnen, auch Daimon nicht.',
      'Schlüssel von Anbietern und Tokens von Bots sind nicht darin: Du gibst sie neu ein.',
      'Mit einer Sicherungsdatei und ihren Wörtern stellt „Aus Sicherungsdatei wiederherstellen“ auf der ersten Seite alles wieder her.',
    ],
    renew: 'Neue Wiederherstellungswörter…',
    renewWarning: (name: string) =>
      `Du bekommst 24 neue Wiederherstellungswörter, die nur einmal gezeigt werden. Von da an öffnen sie die Sicherungsdateien von ${name}, und gleich wird eine neue geschrieben. Ältere Sicherungsdateien brauchen weiterhin die alten Wörter.`,
    removeOlder: (count: number) =>
      count === 1
        ? 'Die Sicherungsdatei hier entfernen, die nur die alten Wörter öffnen, zum Beispiel weil jemand anders sie gesehen hat.'
        : `Die ${count} Sicherungsdateien hier entfernen, die nur die alten Wörter öffnen, zum Beispiel weil jemand anders sie gesehen hat.`,
    renewNow: 'Neue Wiederherstellungswörter erstellen',
    renewing: { doing: 'Neue Wörter und eine Sicherungsdatei werden erstellt…', done: '' },
  },
}
