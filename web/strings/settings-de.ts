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
      life: 'Name und Leben',
      character: 'Charakter',
      organs: 'Fähigkeiten',
      models: 'Modelle',
      channels: 'Kanäle',
      tools: 'Werkzeuge',
      skills: 'Skills',
      import: 'Frühere Chats',
      backup: 'Sicherung',
      appearance: 'Aussehen',
      delete: 'Löschen',
    } satisfies Record<Section, string>,
    how: {
      awake: (name: string) => `${name} ist wach und hört zu.`,
      ailing: (name: string) =>
        `${name} ist wach, aber das Modell antwortet gerade nicht. Deine Nachrichten bleiben erhalten und werden später beantwortet.`,
      stopped: (name: string) =>
        `${name} ist angehalten und bekommt bis zum nächsten Start keine Nachrichten.`,
      hibernating: (name: string) =>
        `${name} hält Winterschlaf und bekommt bis zum Aufwecken keine Nachrichten.`,
      sick: (name: string) => `${name} ist krank und ließ sich nicht wecken.`,
    } satisfies Record<Condition, (name: string) => string>,
    deed: {
      start: {
        name: 'Starten',
        what: (name: string) => `${name} wacht auf und beantwortet wartende Nachrichten.`,
        doing: 'Wird gestartet…',
        done: 'Gestartet.',
      },
      wake: {
        name: 'Aufwecken',
        what: (name: string) => `${name} ist wieder da und beantwortet wartende Nachrichten.`,
        doing: 'Wird geweckt…',
        done: 'Wach.',
      },
      sleep: {
        name: 'Schlafen lassen',
        what: (name: string) =>
          `Wie jede Nacht: ${name} fasst das Gespräch zusammen, schließt den Tag ab und schreibt eine Sicherung. Eine Nachricht in dieser Zeit wird zuerst beantwortet.`,
        doing: 'Schläft… Das kann einige Minuten dauern.',
        done: 'Ausgeschlafen und wieder wach.',
      },
      restart: {
        name: 'Neu starten',
        what: () =>
          'Beginnt neu mit den Daten auf der Festplatte. Eine begonnene Antwort bricht ab; sonst geht nichts verloren.',
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
        name: 'Winterschlaf',
        what: (name: string) => `Für längere Zeit: ${name} ruht, und jeder sieht, dass es so gewollt ist.`,
        doing: 'Legt sich zur Ruhe…',
        done: 'Im Winterschlaf.',
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
    nameMissing: 'Ein Name wird gebraucht.',
    idle: 'Minuten der Stille bis zum Rückblick',
    idleHint: (name: string) =>
      `Nach dieser Zeit ohne Nachricht fasst ${name} das Gespräch zusammen und merkt sich, was wichtig ist.`,
    idleMissing: 'Mindestens eine Sekunde: eine Zahl über 0.',
    idleSet: { doing: 'Wird geändert…', done: 'Geändert.' },
    organsLead: (name: string) =>
      `Die Modelle, die ${name} benutzt. Nur der Geist ist nötig. Die anderen Fähigkeiten sind freiwillig und lassen sich jederzeit ändern oder entfernen.`,
    profile: {
      title: 'Werkzeuge und Anweisungen',
      choice: { auto: 'Automatisch', full: 'Vollständig', compact: 'Kompakt' } satisfies Record<
        Profile,
        string
      >,
      hint: 'Kleine Modelle verwechseln viele Werkzeuge. „Kompakt“ gibt sechs einfache Werkzeuge und kurze Anweisungen. „Automatisch“ macht das bei kleinen Modellen.',
      used: {
        full: 'Letzte Antwort: vollständige Werkzeuge und Anweisungen.',
        compact: 'Letzte Antwort: kompakte Werkzeuge und Anweisungen.',
      },
    },
    organ: {
      change: { doing: 'Wird geprüft…', done: 'Geändert.' },
      clear: { doing: 'Wird entfernt…', done: 'Entfernt.' },
    },
    failing: 'Geht nicht:',
    appearanceLead: 'Wie diese Seite aussieht und spricht, in diesem Browser.',
    theme: 'Farben',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' } satisfies Record<Theme, string>,
    language: 'Sprache',
    languageOfBrowser: 'Wie der Browser',
    languageHint:
      'Die Sprache der Seite: Personas antworten in der Sprache, die du benutzt. Die Seite wird neu geladen.',
    push: {
      title: 'Wenn die Seite zu ist',
      hint: 'Dieser Browser kann dir Nachrichten melden, auch wenn die Seite zu ist. Name und erste Worte gehen über den Push-Dienst des Browserherstellers, so verschlüsselt, dass nur dieser Browser sie lesen kann.',
      turnOn: 'Einschalten',
      turnOff: 'Ausschalten',
      tryIt: 'Ausprobieren',
      on: { doing: 'Der Browser wird gefragt…', done: 'Mitteilungen sind eingeschaltet.' },
      off: { doing: 'Einen Moment…', done: 'Mitteilungen sind ausgeschaltet.' },
      try: { doing: 'Unterwegs…', done: 'Gesendet. In ein paar Sekunden sollte es da sein.' },
      arrived: 'Es geht: So sehen Mitteilungen aus.',
      blocked:
        'Dieser Browser erlaubt der Seite keine Mitteilungen. Das ändern nur seine eigenen Einstellungen.',
      unanswered: 'Mitteilungen bleiben aus: Die Frage des Browsers wurde ohne Antwort geschlossen.',
      insecure: 'Der Browser erlaubt das nur über https, oder auf dem Rechner selbst unter localhost.',
      unable:
        'Diesem Browser lässt sich nichts melden, wenn die Seite zu ist. Auf iPhone oder iPad muss die Seite dafür erst auf den Home-Bildschirm.',
      noService: 'Der Push-Dienst dieses Browsers ist nicht zu erreichen. Versuch es später noch einmal.',
      lost: 'Dieser Browser weiß davon nichts mehr. Schalte es noch einmal ein.',
    },
    delete: {
      lead: (name: string) => `Entfernt ${name} von diesem Rechner. Vorher wirst du nach dem Namen gefragt.`,
      title: (name: string) => `${name} löschen?`,
      deed: { doing: 'Wird gelöscht…', done: '' },
      stays: 'Was bleibt',
      diary:
        'Das letzte Tagebuch, 30 Tage lang, im Ordner des Daemons. Nur die 24 Wörter öffnen es; mit beidem lässt sich alles zurückholen.',
      elsewhere: [
        'Sicherungen, die du anderswo gespeichert oder hinkopiert hast.',
        'Alles, was an Telegram, Discord oder den Anbieter eines Modells gesendet wurde.',
      ],
      purge: 'Auch die Tagebücher hier entfernen. Dann lässt sich von hier aus niemand mehr zurückholen.',
      force: 'Trotzdem löschen. Ein Modell, das bei einer Laufzeit angemeldet ist, bleibt vielleicht dort.',
    },
  },

  channels: {
    lead: (name: string) =>
      `${name} ist auch über Telegram und Discord zu erreichen, mit einem Bot, der dir gehört.`,
    empty: (name: string) => `Bisher ist ${name} nur auf dieser Seite zu erreichen.`,
    state: {
      open: (name: string) => `${name} hört dort zu.`,
      silent: (name: string) =>
        `Still, solange ${name} nicht läuft. Nachrichten von dort werden später zugestellt.`,
      unpaired: () => 'Noch mit keinem Chat verbunden.',
      failing: () => 'Geht im Moment nicht.',
    },
    waiting: (count: number) =>
      count === 1
        ? 'Eine Nachricht wartet auf die Zustellung.'
        : `${count} Nachrichten warten auf die Zustellung.`,
    remove: 'Entfernen',
    removeOne: (platform: string, name: string) => `${platform} ${name} entfernen`,
    removeWarning: (name: string) =>
      `${name} bekommt von dort keine Nachrichten mehr. Frühere Nachrichten bleiben im Gespräch; der Bot selbst bleibt bei seiner Plattform.`,
    removing: { doing: 'Wird entfernt…', done: 'Entfernt.' },
    add: 'Kanal hinzufügen',
    addNow: 'Hinzufügen',
    adding: {
      doing: 'Die Plattform wird gefragt…',
      done: 'Hinzugefügt. Schreib jetzt dem Bot und gib seinen Code hier ein.',
    },
    platform: 'Plattform',
    token: 'Token des Bots',
    tokenHint:
      'Bleibt auf diesem Rechner und wird nie wieder gezeigt. Ein neues Token für einen Bot, der schon hier ist, ersetzt das alte.',
    tokenMissing: 'Das Token fehlt.',
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
          'Lege eine Anwendung an. Setze unter „Bot“ das Token zurück und schalte „Message Content Intent“ ein.',
          'Lade den Bot auf einen deiner Server ein, damit du ihm schreiben darfst.',
          'Füge das Token hier ein und schreib dem Bot dann direkt: Er antwortet mit einem Code, den du hier eingibst.',
        ],
      },
    } satisfies Record<Kind, { readonly pageName: string; readonly steps: readonly string[] }>,
    pairHint:
      'Schreib dem Bot irgendetwas in einem eigenen Chat. Er antwortet mit einem Code, der zehn Minuten lang gilt.',
    pairStopped: (name: string) => `${name} muss wach sein, damit der Bot mit seinem Code antwortet.`,
    code: 'Code aus dem Chat',
    codeMissing: 'Der Code fehlt.',
    pair: 'Verbinden',
    pairing: { doing: 'Wird verbunden…', done: '' },
    paired: (name: string) => `Verbunden. ${name} bekommt deine Nachrichten jetzt dort.`,
  },

  backup: {
    lead: (name: string) =>
      `Ein Tagebuch ist eine Datei mit allem, was ${name} ausmacht: das ganze Gespräch, Erinnerungen, Kalender und Dateien. Nur die 24 Wörter öffnen es, hier oder auf einem anderen Rechner.`,
    export: 'Jetzt exportieren',
    exporting: { doing: 'Wird vorbereitet…', done: 'Dein Browser speichert die Datei.' },
    last: (time: string, size: string) => `Letztes Tagebuch hier: ${time} (${size}).`,
    kept: (count: number) => (count === 1 ? 'Es ist das einzige, das hier liegt.' : `${count} liegen hier.`),
    older: (count: number) =>
      count === 1 ? 'Eines davon öffnen nur ältere Wörter.' : `${count} davon öffnen nur ältere Wörter.`,
    none: 'Hier liegt noch kein Tagebuch.',
    unread: 'Die Tagebücher auf der Festplatte ließen sich nicht auflisten.',
    promised: 'So funktionieren Sicherungen',
    promises: [
      'Eines wird geschrieben am Ende jeder Nacht nach einem Tag, an dem etwas geschah, mit neuen Wörtern und vor dem Löschen. Die letzten sieben bleiben, bis zu 2 GB.',
      'Sie liegen im Ordner des Daemons unter „diaries“. Kopiere diesen Ordner an einen sicheren Ort: Der Daemon schickt ihn nirgendwohin.',
      'Sie sind so verschlüsselt, dass selbst der Daemon sie nicht öffnen kann. Ohne die Wörter kann es niemand.',
      'Schlüssel von Anbietern und Token von Bots sind nicht darin: Du gibst sie neu ein.',
      'Mit einem Tagebuch und seinen Wörtern holt „jemanden zurückholen“ auf der ersten Seite alles zurück.',
    ],
    renew: 'Neue Wörter…',
    renewWarning: (name: string) =>
      `Du bekommst 24 neue Wörter, die nur dieses eine Mal gezeigt werden. Von da an öffnen sie die Tagebücher von ${name}, und gleich wird eines für sie geschrieben. Frühere Tagebücher öffnen weiterhin nur die alten Wörter.`,
    removeOlder: (count: number) =>
      count === 1
        ? 'Das Tagebuch hier entfernen, das nur die alten Wörter öffnen: wenn sie verloren sind oder jemand anders sie gesehen hat.'
        : `Die ${count} Tagebücher hier entfernen, die nur die alten Wörter öffnen: wenn sie verloren sind oder jemand anders sie gesehen hat.`,
    renewNow: 'Neue Wörter machen',
    renewing: { doing: 'Wörter und ein Tagebuch für sie werden gemacht…', done: '' },
  },
}
