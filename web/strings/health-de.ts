/** The texts about a persona's health in German. */
import type { Signal } from '../health/minute-runs.ts'
import type { Condition, Slot } from '../shared/shapes.ts'
import type { HealthStrings } from './health-en.ts'

export const text: HealthStrings = {
  health: {
    how: {
      awake: () => 'Alles funktioniert.',
      ailing: (name: string) => `Das Modell von ${name} antwortet gerade nicht.`,
      stopped: (name: string) => `${name} ist angehalten.`,
      hibernating: (name: string) => `${name} schläft.`,
      sick: (name: string) => `${name} hat ein Problem und ist nicht aktiv.`,
    } satisfies Record<Condition, (name: string) => string>,
    several: (count: number) => `${count} Dinge funktionieren nicht.`,
    finding: {
      damage: (name: string) => `Die Daten von ${name} sind beschädigt.`,
      start: (name: string) => `${name} ließ sich nicht starten.`,
      fault: 'Ein Teil von Daimon funktioniert nicht.',
      organ: (what: string, why: string) => `${what}: ${why}.`,
      cannot: {
        thinking: (name: string) => `${name} kann nicht antworten`,
        eye: (name: string) => `${name} kann keine Bilder ansehen`,
        ear: (name: string) => `${name} kann keine Aufnahmen verstehen`,
        mouth: (name: string) => `${name} kann nicht sprechen`,
        imagination: (name: string) => `${name} kann nicht zeichnen`,
        teacher: (name: string) => `${name} kann nicht um Rat fragen`,
        researcher: (name: string) => `${name} kann keine Dokumente lesen`,
      } satisfies Record<Slot, (name: string) => string>,
      why: {
        key: (house: string | null) => `Der Schlüssel ${house ? `für ${house} ` : ''}fehlt`,
        barred: (house: string | null) =>
          house
            ? `${house} nimmt den Schlüssel, das Konto oder das Modell nicht an`
            : 'Das Modell gibt es hier nicht',
        unreachable: (house: string | null) => `${house ?? 'Das Modell auf diesem Rechner'} antwortet nicht`,
        refused: (house: string | null) =>
          `${house ?? 'Das Modell auf diesem Rechner'} hat die Anfrage abgelehnt`,
        unknown: () => 'Das Modell funktioniert nicht',
      },
      calendar: (name: string) => `Der Kalender ${name} konnte nicht aktualisiert werden.`,
      mailbox: (name: string) => `Das Postfach ${name} konnte nicht gelesen werden.`,
      subscription: (name: string | null) =>
        name === null
          ? 'Andere Programme bekommen keine Ereignisse.'
          : `Ein anderes Programm bekommt keine Ereignisse (${name}).`,
      channel: (platform: string, bot: string) => `${platform} funktioniert im Moment nicht (${bot}).`,
    },
    act: {
      enterKey: 'Schlüssel eingeben',
      changeModel: 'Schlüssel oder Modell ändern',
      channels: 'Kanäle öffnen',
      calendar: 'Kalender öffnen',
      mailboxes: 'Postfächer öffnen',
      start: 'Starten',
      wake: 'Starten',
      stop: 'Anhalten',
      restart: 'Neu starten',
      sleep: 'Tagesrückblick',
      hibernate: 'Schlafen legen',
    },
    doing: {
      start: 'Wird gestartet…',
      wake: 'Wird gestartet…',
      stop: 'Wird angehalten…',
      restart: 'Wird neu gestartet…',
      sleep: 'Der Tagesrückblick läuft…',
      hibernate: 'Schläft gleich…',
    },
    done: {
      start: 'Gestartet.',
      wake: 'Gestartet.',
      stop: 'Angehalten.',
      restart: 'Neu gestartet.',
      sleep: 'Fertig: Der Tag ist zusammengefasst.',
      hibernate: 'Schläft.',
    },
    details: 'Details',
    day: 'Die letzten 24 Stunden',
    grid: (served: string, failed: string) =>
      `24 Stunden zu 60 Minuten: in ${served} davon aktiv, in ${failed} ist etwas fehlgeschlagen.`,
    gridHint: 'Jede Zeile ist eine Stunde, die letzte steht oben. Ihre letzte Minute steht links.',
    legend: { served: 'aktiv', failed: 'etwas ist fehlgeschlagen', quiet: 'nicht aktiv' },
    failures: 'Was fehlgeschlagen ist',
    noFailures: 'Nichts ist fehlgeschlagen.',
    between: (from: string, to: string) => `${from} bis ${to}`,
    signal: {
      woke: 'gestartet',
      stopped: 'angehalten',
      'waking failed': 'ließ sich nicht starten',
      turn: 'geantwortet',
      perception: 'eine Datei gelesen',
      program: 'von einem Programm benutzt',
      reminder: 'eine Erinnerung wurde fällig',
      consolidation: 'das Gespräch zusammengefasst',
      sleep: 'Tagesrückblick',
      'organ failed': 'eine Fähigkeit ist ausgefallen',
      recovered: 'eine Fähigkeit funktioniert wieder',
      sick: 'ein Problem bekommen',
      salvaged: 'Journal gerettet',
    } satisfies Record<Signal, string>,
    organs: 'Fähigkeiten',
    well: 'funktioniert',
    failing: 'funktioniert nicht',
    lastError: (time: string) => `Letzter Fehler, ${time}`,
    lastErrorUndated: 'Letzter Fehler',
    noError: 'Kein Fehler in letzter Zeit.',
    keyMissing: 'Der Schlüssel muss neu eingegeben werden.',
    serverRefuses: 'Der Server nimmt nicht an:',
    channels: 'Kanäle',
    waiting: (count: number) =>
      count === 1
        ? 'Eine Nachricht wartet auf die Zustellung dorthin.'
        : `${count} Nachrichten warten auf die Zustellung dorthin.`,
    journal: 'Journal',
    events: 'Ereignisse',
    size: 'Auf der Festplatte',
    head: 'Prüfsumme',
    copyHead: 'Die Prüfsumme kopieren',
    copied: 'Kopiert.',
    notCopied: 'Kopieren ist hier nicht erlaubt.',
    verifiedAt: 'Zuletzt ohne Schaden geprüft',
    never: 'nicht bekannt',
    growth: 'Zuwachs je 1000 Nachrichten',
    verify: 'Jetzt prüfen',
    verifying: 'Wird geprüft…',
    whole: (events: string) =>
      `Das Journal ist unbeschädigt: Alle ${events} Ereignisse sind so, wie sie geschrieben wurden.`,
    broken: (events: string, first: string) =>
      `Das Journal ist ab Ereignis ${first} beschädigt. Die ${events} davor sind so, wie sie geschrieben wurden.`,
    media: (checked: number) =>
      checked === 0
        ? 'Es gibt keine Dateien.'
        : checked === 1
          ? 'Die eine Datei ist unverändert.'
          : `Alle ${checked} Dateien sind unverändert.`,
    mediaBad: (missing: number, damaged: number) =>
      `Von den Dateien fehlen ${missing}, und ${damaged} wurden verändert.`,
    mediaUnhashed: (count: number) => `Für ${count} Dateien gibt es keine Prüfsumme zum Vergleich.`,
    diaries: (count: number) =>
      count === 0
        ? 'Hier gibt es keine Sicherungsdatei.'
        : count === 1
          ? 'Die eine Sicherungsdatei hier ist lesbar.'
          : `Alle ${count} Sicherungsdateien hier sind lesbar.`,
    diariesBad: (count: number, total: number) =>
      `${count} von ${total} Sicherungsdateien hier sind nicht lesbar.`,
    diariesOld: (count: number) =>
      count === 1
        ? 'Eine davon braucht ältere Wiederherstellungswörter.'
        : `${count} davon brauchen ältere Wiederherstellungswörter.`,
    damaged: 'Das Journal ist beschädigt.',
    salvage: 'Retten…',
    salvageTitle: 'Die unbeschädigten Ereignisse retten',
    salvageBody: (name: string) =>
      `Zuerst wird das beschädigte Journal kopiert, und die Kopie bleibt. Dann macht ${name} mit allen unbeschädigten Ereignissen weiter. Die anderen sind hier verloren und so gekennzeichnet, mit den Nachrichten, Aussagen oder Kalendereinträgen darin.`,
    salvageGo: 'Retten und starten',
    salvaging: 'Wird gerettet…',
    salvaged: (kept: string, lost: string) => `Gerettet: ${kept} Ereignisse behalten, ${lost} verloren.`,
    salvagedCopy: (folder: string) => `Die Kopie des beschädigten Journals liegt in ${folder}.`,
    derived: 'Aus dem Journal berechnet',
    derivedHint:
      'Das hier wird aus dem Journal berechnet. Wenn etwas davon falsch wirkt, bau es neu auf: Dabei kann nichts verloren gehen.',
    projectionNames: {
      state: 'Gedächtnis, Kalender und Einstellungen',
      search: 'Suchindex',
      vectors: 'Suche nach Bedeutung',
      links: 'Ursachen und Folgen',
    },
    upToDate: 'auf dem neuesten Stand',
    behind: (count: string) => `${count} Ereignisse zurück`,
    notBuilt: 'noch nicht aufgebaut',
    builtAt: (time: string) => `aufgebaut ${time}`,
    rebuild: 'Neu aufbauen',
    rebuildNamed: (name: string) => `Neu aufbauen: ${name}`,
    rebuilding: 'Wird aufgebaut…',
    rebuilt: (name: string, isEqual: boolean | null, differing: readonly string[]) => {
      if (isEqual === null) return `${name}: wird neu aufgebaut.`
      return isEqual
        ? `${name}: neu aufgebaut. Es war auch vorher richtig.`
        : `${name}: neu aufgebaut. Das war falsch: ${differing.join(', ')}.`
    },
    usage: 'Tokens und Kosten',
    range: 'Zeigen',
    ranges: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage', 0: 'alles' },
    noUsage: (name: string) => `In dieser Zeit hat ${name} keine Tokens verbraucht.`,
    tokens: 'Tokens',
    money: 'Kosten',
    chart: (from: string, to: string) => `Tokens und Kosten je Tag, ${from} bis ${to}`,
    today: (tokens: string) => `${tokens} Tokens heute`,
    ceiling: (tokens: string, ceiling: string) => `${tokens} von ${ceiling} Tokens heute`,
    asTable: 'Als Tabelle',
    table: {
      day: 'Tag',
      organ: 'Fähigkeit',
      model: 'Modell',
      calls: 'Aufrufe',
      failed: 'Fehlgeschlagen',
      input: 'Eingabe',
      cached: 'Aus Cache',
      written: 'In Cache',
      output: 'Ausgabe',
      time: 'Zeit',
      money: 'Kosten',
    },
    byOrgan: 'Nach Fähigkeit',
    byModel: 'Nach Modell',
    byDay: 'Nach Tag',
    noPrice: 'kein Preis',
    prices: (dated: string) => `Preise vom ${dated}.`,
  },
}
