/** The texts about a persona's health in German. */
import type { Signal } from '../health/minute-runs.ts'
import type { Condition } from '../shared/shapes.ts'
import type { HealthStrings } from './health-en.ts'

export const text: HealthStrings = {
  health: {
    how: {
      awake: (name: string) => `${name} ist wach, und alles ist gut.`,
      ailing: (name: string) => `${name} ist wach, aber das Modell antwortet gerade nicht.`,
      stopped: (name: string) => `${name} ist angehalten.`,
      hibernating: (name: string) => `${name} hält Winterschlaf.`,
      sick: (name: string) => `${name} ist krank und nicht wach.`,
    } satisfies Record<Condition, (name: string) => string>,
    organsFail: (names: string) => `Es arbeitet nicht: ${names}.`,
    act: {
      start: 'Starten',
      wake: 'Wecken',
      stop: 'Anhalten',
      restart: 'Neu starten',
      sleep: 'Schlafen lassen',
      hibernate: 'In den Winterschlaf',
    },
    doing: {
      start: 'Startet…',
      wake: 'Wacht auf…',
      stop: 'Hält an…',
      restart: 'Startet neu…',
      sleep: 'Schläft…',
      hibernate: 'Geht zur Ruhe…',
    },
    done: {
      start: 'Gestartet.',
      wake: 'Wach.',
      stop: 'Angehalten.',
      restart: 'Neu gestartet.',
      sleep: 'Ausgeschlafen. Der Tag ist vorbei, sein Tagebuch geschrieben.',
      hibernate: 'Im Winterschlaf.',
    },
    day: 'Die letzten 24 Stunden',
    grid: (served: string, failed: string) =>
      `24 Stunden zu 60 Minuten: wach in ${served} davon, etwas misslang in ${failed}.`,
    gridHint: 'Eine Zeile ist eine Stunde, die jüngste oben; ihre jüngste Minute steht links.',
    legend: { served: 'wach', failed: 'etwas misslang', quiet: 'nicht wach' },
    failures: 'Was misslang',
    noFailures: 'Nichts misslang.',
    between: (from: string, to: string) => `${from} bis ${to}`,
    signal: {
      woke: 'aufgewacht',
      stopped: 'angehalten',
      'waking failed': 'konnte nicht aufwachen',
      turn: 'nachgedacht',
      perception: 'wahrgenommen',
      program: 'von einem Programm gefragt',
      reminder: 'eine Erinnerung wurde fällig',
      consolidation: 'das Gespräch zusammengefasst',
      sleep: 'geschlafen',
      'organ failed': 'eine Fähigkeit fiel aus',
      recovered: 'eine Fähigkeit geht wieder',
      sick: 'krank geworden',
      salvaged: 'Journal gerettet',
    } satisfies Record<Signal, string>,
    organs: 'Fähigkeiten',
    well: 'gut',
    failing: 'fällt aus',
    lastError: (time: string) => `Letzter Fehler, ${time}`,
    lastErrorUndated: 'Letzter Fehler',
    noError: 'In letzter Zeit kein Fehler.',
    keyMissing: 'Der Schlüssel muss neu eingegeben werden.',
    serverRefuses: 'Der Server lehnt ab:',
    channels: 'Kanäle',
    waiting: (count: number) =>
      count === 1
        ? 'Eine Nachricht wartet auf die Zustellung dorthin.'
        : `${count} Nachrichten warten auf die Zustellung dorthin.`,
    journal: 'Journal',
    events: 'Ereignisse',
    size: 'Auf der Platte',
    head: 'Kopf',
    copyHead: 'Den Kopf kopieren',
    copied: 'Kopiert.',
    notCopied: 'Kopieren ist hier nicht erlaubt.',
    verifiedAt: 'Zuletzt als unversehrt geprüft',
    never: 'nicht bekannt',
    growth: 'Je 1000 Nachrichten',
    verify: 'Jetzt prüfen',
    verifying: 'Wird geprüft…',
    whole: (events: string) =>
      `Das Journal ist unversehrt: alle ${events} Ereignisse sind, wie sie geschrieben wurden.`,
    broken: (events: string, first: string) =>
      `Das Journal ist ab Ereignis ${first} beschädigt; die ${events} davor sind, wie sie geschrieben wurden.`,
    media: (checked: number) =>
      checked === 0
        ? 'Dateien gibt es keine.'
        : checked === 1
          ? 'Die eine Datei ist unverändert.'
          : `Alle ${checked} Dateien sind unverändert.`,
    mediaBad: (missing: number, damaged: number) =>
      `Von den Dateien fehlen ${missing}, und ${damaged} wurden verändert.`,
    mediaUnhashed: (count: number) => `Für ${count} Dateien gibt es keine Prüfsumme zum Vergleich.`,
    diaries: (count: number) =>
      count === 0
        ? 'Ein Tagebuch gibt es hier nicht.'
        : count === 1
          ? 'Das eine Tagebuch hier ist lesbar.'
          : `Alle ${count} Tagebücher hier sind lesbar.`,
    diariesBad: (count: number, total: number) => `${count} von ${total} Tagebüchern hier sind nicht lesbar.`,
    diariesOld: (count: number) =>
      count === 1
        ? 'Eines davon öffnen nur ältere Wiederherstellungswörter.'
        : `${count} davon öffnen nur ältere Wiederherstellungswörter.`,
    damaged: 'Das Journal ist beschädigt.',
    salvage: 'Retten…',
    salvageTitle: 'Das Journal retten',
    salvageBody: (name: string) =>
      `Zuerst wird das beschädigte Journal kopiert, und die Kopie bleibt. Dann macht ${name} mit jedem unbeschädigten Ereignis weiter; die anderen sind hier verloren und so gekennzeichnet. Nachrichten, Erinnerungen oder Pläne darin sind weg.`,
    salvageGo: 'Retten und starten',
    salvaging: 'Wird gerettet…',
    salvaged: (kept: string, lost: string) => `Gerettet: ${kept} Ereignisse behalten, ${lost} verloren.`,
    salvagedCopy: (folder: string) => `Die Kopie des beschädigten Journals liegt in ${folder}.`,
    usage: 'Tokens und Geld',
    range: 'Zeigen',
    ranges: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage', 0: 'alles' },
    noUsage: (name: string) => `In dieser Zeit hat ${name} keine Tokens verbraucht.`,
    tokens: 'Tokens',
    money: 'Geld',
    chart: (from: string, to: string) => `Tokens und Geld je Tag, ${from} bis ${to}`,
    today: (tokens: string) => `${tokens} Tokens heute`,
    ceiling: (tokens: string, ceiling: string) => `${tokens} von ${ceiling} Tokens heute`,
    asTable: 'Als Tabelle',
    table: {
      day: 'Tag',
      organ: 'Fähigkeit',
      model: 'Modell',
      calls: 'Aufrufe',
      failed: 'Misslungen',
      input: 'Hinein',
      cached: 'Aus Cache',
      written: 'In Cache',
      output: 'Heraus',
      time: 'Zeit',
      money: 'Geld',
    },
    byOrgan: 'Nach Fähigkeit',
    byModel: 'Nach Modell',
    byDay: 'Nach Tag',
    noPrice: 'kein Preis',
    prices: (dated: string) => `Preise vom ${dated}.`,
  },
}
