/** Every word the page says of its own, in German. */

import type { Signal } from '../health/minute-runs.ts'
import type { Document } from '../memory/documents.ts'
import type { Kind } from '../settings/channel-kinds.ts'
import type { DeedName } from '../settings/deeds.ts'
import type { Section } from '../settings/sections.ts'
import type { Room } from '../shared/address.ts'
import type { Condition, Provider, Slot, Way } from '../shared/shapes.ts'
import type { Theme } from '../shared/theme.ts'
import type { Strings } from './en.ts'

/** A sentence with something to press or to type in its middle. */
type Three = readonly [string, string, string]

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
  unreachable: 'Der Daemon antwortet nicht. Läuft er noch?',
  oddAnswer: (status: number) => `Der Daemon hat mit ${status} geantwortet, ohne zu sagen, warum.`,
  unreadable: 'Diese Seite versteht die Antwort des Daemons nicht. Versuch, die Seite neu zu laden.',
  gone: (name: string) => `${name} ist nicht mehr hier.`,
  nobodyThere: 'Unter dieser Adresse lebt niemand.',

  list: {
    you: (words: string) => `Du: ${words}`,
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

  first: {
    title: 'Hier lebt noch niemand.',
    body: 'Daimon lässt jemanden auf diesem Rechner leben: mit Gedächtnis für das, was du erzählst, mit Sinn für deine Termine, und morgen noch genauso vertraut.',
    name: 'Mira',
    tryTitle: 'Gleich ausprobieren',
    tryIt: 'Ausprobieren',
    what: 'Sprich in einer Sekunde mit Mira, mit dem Übungsmodell: einem kleinen Ersatz, der Regeln folgt und im Daemon selbst läuft. Nichts herunterladen, kein Schlüssel, und nichts verlässt diesen Rechner.',
    waking: 'Mira wird geweckt…',
    newTitle: 'Jemand Neues wecken',
    newBody:
      'Wähle einen Namen und ein Modell, und wenn du magst, den Charakter und was über dich bekannt sein soll.',
    newGo: 'Namen wählen',
    backTitle: 'Jemanden zurückholen',
    backBody: 'Aus einem Tagebuch, einer Datei, die auf .diary endet, und den 24 Wörtern, die es öffnen.',
    backGo: 'Tagebuch wählen',
    found: 'Modelle auf diesem Rechner',
    foundBody: 'Mira kann mit einem davon sofort denken.',
    withModel: (model: string) => `Mit ${model} ausprobieren`,
    without: 'Ein eigener Geist',
    withoutBody:
      'Das Übungsmodell folgt nur Regeln. Zum eigenen Denken braucht es ein Modell, und dahin führen zwei Wege:',
    keyTitle: 'Mit einem Schlüssel',
    keyBody:
      'Ein Anbieter denkt und berechnet es dir. Hol dir hier einen Schlüssel und wecke damit jemand Neues.',
    ollamaTitle: 'Auf diesem Rechner',
    ollamaBody: ['Kostenlos und privat. Installiere ', 'Ollama', ', dann tippe in ein Terminal: '] as Three,
    noModels: 'Ollama antwortet auf diesem Rechner, hat aber noch kein Modell. Tippe in ein Terminal: ',
  },

  choose: {
    title: 'Mit wem möchtest du sprechen?',
    one: (name: string) => `${name} ist da.`,
    talk: (name: string) => `Mit ${name} sprechen`,
    fresh: 'Jemand Neues',
    back: 'Jemanden zurückholen',
  },

  fresh: {
    title: 'Jemand Neues wecken',
    name: 'Name',
    nameHint: 'Du kannst ihn später ändern.',
    nameMissing: 'Es fehlt noch ein Name.',
    mindMissing: 'Es fehlt noch ein Geist zum Denken.',
    about: 'Charakter, und wer du bist',
    aboutHint: 'Nicht nötig: Das ergibt sich auch im Gespräch.',
    traits: 'Welcher Charakter soll es sein?',
    traitsHint: 'Herzlich, direkt, neugierig, knapp. Jede Zeile wird als eine Aussage gemerkt.',
    person: 'Was soll über dich bekannt sein?',
    personHint: 'Dein Name, deine Arbeit, wer dir wichtig ist. Jede Zeile wird als eine Aussage gemerkt.',
    channels: 'Kanäle',
    channelsHint: 'Wo ihr außer auf dieser Seite noch sprechen könnt. Nicht nötig.',
    telegram: 'Telegram: das Token des Bots',
    telegramHint: [
      'Schreib /newbot an ',
      '@BotFather',
      ' in Telegram. Die Antwort enthält ein Token.',
    ] as Three,
    telegramPage: 'https://t.me/BotFather',
    discord: 'Discord: das Token des Bots',
    discordHint: [
      'Leg auf der ',
      'Entwicklerseite',
      ' eine Anwendung an und drück unter Bot auf Reset Token.',
    ] as Three,
    discordPage: 'https://discord.com/developers/applications',
    wake: (name: string) => (name ? `${name} wecken` : 'Wecken'),
    waking: (name: string) => `${name} wird geweckt…`,
    notKept: (name: string, why: string) =>
      `${name} ist wach, aber nicht alles, was du aufgeschrieben hast, ließ sich speichern: ${why}`,
    keepAgain: 'Noch einmal versuchen',
    goOn: 'Ohne das weiter',
    orBack: 'Oder jemanden aus einem Tagebuch zurückholen',
  },

  organ: {
    name: {
      thinking: 'Geist',
      eye: 'Auge',
      ear: 'Ohr',
      mouth: 'Mund',
      imagination: 'Fantasie',
      teacher: 'Lehrer',
      researcher: 'Forscher',
    } satisfies Record<Slot, string>,
    does: {
      thinking: 'Das Modell, mit dem gedacht wird.',
      eye: 'Sieht sich die Bilder an, die du schickst.',
      ear: 'Hört deine Stimme und andere Töne.',
      mouth: 'Spricht laut.',
      imagination: 'Malt Bilder für dich.',
      teacher: 'Ein stärkeres Modell, das um Rat gefragt wird.',
      researcher: 'Liest die Dokumente, die du schickst.',
    } satisfies Record<Slot, string>,
    provider: {
      local: 'Auf diesem Rechner',
      anthropic: 'Anthropic (Claude)',
      openai: 'OpenAI (GPT)',
      gemini: 'Google (Gemini)',
      xai: 'xAI (Grok)',
    } satisfies Record<Provider, string>,
    house: { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Google', xai: 'xAI' } satisfies Record<
      Exclude<Provider, 'local'>,
      string
    >,
    where: { thinking: 'Wo das Modell läuft', other: 'Wo das Modell läuft' },
    none: 'Keins',
    key: 'Schlüssel',
    keyHint: 'Bleibt auf diesem Rechner und wird nie wieder gezeigt.',
    keyStays: 'Leer lassen, um den vorhandenen Schlüssel zu behalten.',
    keyBorrowed: 'Leer lassen, um den Schlüssel des Geistes zu verwenden.',
    model: 'Modell',
    voiceHint: 'Du kannst dem Namen eine Stimme anfügen: ',
    voiceExample: 'tts-1#nova',
    modelMissing: (organ: string) => `${organ}: Bitte wähle ein Modell, oder „Keins“.`,
    mindMissing: 'Bitte wähle einen Geist: ein Modell zum Denken.',
    offered: 'Modelle zeigen',
    fits: 'passt auf diesen Rechner',
    noTools: 'kann keine Werkzeuge benutzen',
    tooLarge: 'groß für diesen Rechner',
    practiceIs: 'zum Üben, immer da',
    size: (gigabytes: string) => `${gigabytes} GB`,
    notInstalled: (model: string) =>
      `${model} ist noch nicht installiert. Es wird erst geladen, und das kann dauern.`,
    elsewhere: 'Andere Adresse',
    url: 'Adresse',
    urlHint: {
      local: 'Die Adresse von Ollama, falls es nicht die übliche ist.',
      beside: 'Die Adresse eines Servers dafür, falls es nicht Ollama ist.',
      openai: 'Jeder Server, der OpenAIs Protokoll spricht: LM Studio, llama.cpp, vLLM und andere.',
      other: 'Nur für einen Server, der den des Anbieters ersetzt.',
    },
    others: 'Weitere Fähigkeiten',
    othersHint: 'Keine davon ist nötig. Der Geist sagt dir, wenn er eine braucht.',
    looking: 'Modelle werden gesucht…',
    lookAgain: 'Noch einmal suchen',
    installed: (count: number) =>
      count === 1
        ? 'Auf diesem Rechner ist ein Modell installiert.'
        : `Auf diesem Rechner sind ${count} Modelle installiert.`,
    offers: (count: number) =>
      count === 1 ? 'Ein Modell wird angeboten.' : `${count} Modelle werden angeboten.`,
    offersNone: 'Dort wird kein Modell angeboten.',
    noneInstalled: 'Ollama antwortet auf diesem Rechner, hat aber noch kein Modell. In einem Terminal: ',
    noRuntime: 'Auf diesem Rechner antwortet nichts, das Modelle laufen lässt. Drei Wege:',
    practice: [
      'Fang an mit ',
      'embedded/practice',
      ': einem Übungsmodell, das schon da ist. Es lässt sich jederzeit ersetzen.',
    ] as Three,
    runtime: ['Installiere ', 'Ollama', ', dann in einem Terminal: '] as Three,
    cloud: 'Oder wähle oben einen Anbieter, für den du einen Schlüssel hast.',
    runtimeAddress: 'https://ollama.com/download',
    runtimeCommand: 'ollama pull qwen3',
    keyFirst: (provider: string) =>
      `Mit einem Schlüssel von ${provider} kannst du unter deren Modellen wählen. `,
    keyPage: 'Schlüssel holen',
    keyWhole: 'Ist der Schlüssel vollständig und noch gültig? ',
    fixes: {
      cloud: [
        'Ist dieser Rechner online? Hinter einem Proxy: Starte den Daemon mit HTTPS_PROXY.',
        'Stimmt die Adresse, falls du eine eigene angegeben hast?',
      ],
      local: [
        'Antwortet unter dieser Adresse ein Server?',
        'Einer auf einem anderen Rechner muss Anfragen von außen annehmen: Starte ihn mit OLLAMA_HOST=0.0.0.0.',
      ],
    },
    typeIt: 'Du kannst den Namen eines Modells auch eintippen. ',
    fetching: 'Das Modell wird geladen',
    fetched: (model: string, percent: number) => `${model}: ${percent} % geladen`,
    give: 'Hinzufügen',
    takeAway: 'Entfernen',
  },

  talk: {
    log: (name: string) => `Gespräch mit ${name}`,
    empty: (name: string) => `Sag ${name} hallo.`,
    earlier: 'Früheres',
    loadingEarlier: 'Früheres wird geladen …',
    newWords: 'Neue Nachrichten weiter unten',
    you: 'Du',
    whose: {
      person: '',
      persona: (by: string) => (by ? `Antwort an ${by}` : 'Antwort auf eine Nachricht'),
      daemon: '',
      program: 'Von einem Programm',
      forwarded: (by: string) => (by ? `Weitergeleitet von ${by}` : 'Weitergeleitet'),
      quoted: 'Zitiert',
      replied: (by: string) => (by ? `Antwort an ${by}` : 'Antwort auf eine Nachricht'),
      embedded: (by: string) => (by ? `Gezeigt von ${by}` : 'Vorschau eines Links'),
      shared: 'Geteilt',
      pasted: 'Eingefügt',
    } satisfies Record<Way, string | ((by: string) => string)>,
    thinking: (name: string) => `${name} denkt nach`,
    write: (name: string) => `${name} schreiben`,
    send: 'Senden',
    stop: 'Anhalten',
    stopHint: 'Anhalten (Escape)',
    sending: 'wird gesendet …',
    waitsItsTurn: 'kommt gleich an die Reihe',
    waitsForLine: 'wartet auf die Verbindung',
    waitsForHer: (name: string) => `wartet, bis ${name} wach ist`,
    takeBack: 'Abbrechen',
    remove: 'Entfernen',
    uploading: (name: string) => `${name} wird gesendet`,
    uploadingSome: (count: number) => `${count} Dateien werden gesendet`,
    brokeOff:
      'Die Datei kam nicht durch. Vielleicht ist sie zu groß, oder sie wurde verändert oder verschoben, seit du sie gewählt hast.',
    asleep: {
      stopped: (name: string) => `${name} ist angehalten und bekommt deine Nachrichten nach dem Starten.`,
      hibernating: (name: string) =>
        `${name} ist im Winterschlaf und bekommt deine Nachrichten nach dem Wecken.`,
      sick: (name: string) => `${name} ist krank und bekommt deine Nachrichten nach dem Wecken.`,
    },
    rouse: {
      stopped: (name: string) => `${name} starten`,
      hibernating: (name: string) => `${name} wecken`,
      sick: (name: string) => `${name} wecken`,
    },
    rousing: (name: string) => `${name} wird geweckt …`,
    today: 'Heute',
    yesterday: 'Gestern',
    away: 'abwesend',
    awayBar: (name: string) =>
      `Der Geist von ${name} antwortet gerade nicht. Deine Nachrichten bleiben erhalten und werden später beantwortet.`,
    waitsForMind: (name: string) => `wartet auf ${name}`,
    noAnswer: 'Das blieb ohne Antwort.',
    askAgain: 'Noch einmal fragen',
    showAll: 'Alles zeigen',
    via: (channel: string) => `über ${channel}`,
    channel: { web: 'diese Seite', telegram: 'Telegram', discord: 'Discord' },
    more: 'Mehr zu dieser Nachricht',
    copy: 'Kopieren',
    copied: 'Kopiert.',
    notCopied: 'Kopieren ist hier nicht erlaubt. Bitte markiere den Text.',
    copyCode: 'Diesen Code kopieren',
    table: 'Tabelle',
    code: 'Code',
    edit: 'Ändern und neu fragen',
    learned: 'Zeigen, was gelernt wurde',
    learnedTitle: 'Aus dieser Nachricht gelernt',
    learnedNothing: (name: string) =>
      `${name} hat daraus bisher nichts gelernt. Das geschieht oft nachts, wenn der Tag zusammengefasst wird.`,
    learnedForgotten: 'inzwischen vergessen',
    toMemory: 'Im Gedächtnis ansehen',
    aloud: 'Vorlesen',
    readingAloud: 'Wird vorgelesen …',
    quiet: 'Still sein',
    saveTalk: 'Das Gespräch als Markdown sichern',
    saving: 'Das Gespräch wird geladen …',
    saved: (count: number) =>
      count === 1 ? 'Eine Nachricht wurde gesichert.' : `${count} Nachrichten wurden gesichert.`,
    savedAs: (name: string) => `Gespräch mit ${name}`,
    attached: (name: string) => `Datei: ${name}`,
    seeking: 'Diese Nachricht wird gesucht …',
    notFound: 'Diese Nachricht steht nicht in diesem Gespräch.',
    notify: {
      ask: (name: string) =>
        `${name} hat geschrieben, während du woanders warst. Soll dieser Browser es dir beim nächsten Mal melden?`,
      yes: 'Ja, melden',
      no: 'Jetzt nicht',
      picture: 'Ein Bild',
      clip: 'Eine Tonaufnahme',
      file: 'Eine Datei',
    },
  },

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

  files: {
    choose: 'Dateien wählen',
    chosen: 'Dateien zum Senden',
    remove: (name: string) => `${name} entfernen`,
    drop: 'Dateien hier loslassen, um sie zu senden',
    folder: 'Ein Ordner lässt sich nicht senden. Bitte wähle die Dateien darin.',
  },

  media: {
    open: 'Groß öffnen',
    picture: 'Bild',
    save: 'Sichern',
    file: 'Datei',
    noPicture: 'lässt sich hier nicht zeigen',
    noSound: 'lässt sich hier nicht abspielen',
    clip: 'Ton',
    play: 'Abspielen',
    pause: 'Pause',
    place: 'Stelle',
    at: (place: string, length: string) => `${place} von ${length}`,
  },

  voice: {
    start: 'Sprache aufnehmen',
    recording: 'Aufnahme',
    cancel: 'Abbrechen (Escape)',
    send: 'Aufnahme senden',
    silent: 'Das Mikrofon nimmt keinen Ton auf.',
    handsFree: 'Freihändig sprechen',
    hands: {
      asking: 'Wartet auf das Mikrofon…',
      listening: 'Hört zu. Sprich einfach.',
      hearing: 'Hört dich…',
      waiting: (name) => `${name} denkt nach…`,
      speaking: (name) => `${name} spricht. Tippen unterbricht.`,
      interrupt: 'Unterbrechen',
      end: 'Beenden',
    },
    nothing: 'Es wurde nichts aufgenommen.',
    trouble: {
      denied: 'Der Browser erlaubt das Mikrofon hier nicht. Neben der Adresse lässt es sich erlauben.',
      absent: 'An diesem Gerät wurde kein Mikrofon gefunden.',
      busy: 'Das Mikrofon ließ sich nicht öffnen. Vielleicht benutzt es ein anderes Programm.',
    },
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

  words: {
    bar: (name: string) =>
      `Bitte sichere die Wiederherstellungswörter von ${name}. Ohne sie lässt sich keine Sicherung öffnen.`,
    barOpen: 'Die Wiederherstellungswörter holen',
    title: (name: string) => `Die 24 Wiederherstellungswörter von ${name}`,
    body: (name: string) =>
      `Jede Nacht wird eine Sicherung von ${name} geschrieben, das Tagebuch. Nur diese Wörter öffnen es. Sie sind sonst nirgends gespeichert: Schreib sie auf und bewahre sie so sicher auf wie einen Schlüssel.`,
    list: 'Die 24 Wiederherstellungswörter in ihrer Reihenfolge',
    copy: 'Kopieren',
    copied:
      'Kopiert. Die Zwischenablage lesen viele: Füge die Wörter bald ein und kopiere dann etwas anderes.',
    notCopied: 'Kopieren ist hier nicht erlaubt. Bitte markiere den Text.',
    save: 'Als Datei sichern',
    saved: 'Gesichert. Leg die Datei dorthin, wo andere sie nicht lesen können.',
    print: 'Drucken',
    fileName: (name: string) => `${name} Wiederherstellungswörter.txt`,
    kept: 'Ich habe sie',
    later: 'Später',
    askTitle: 'Hast du sie alle?',
    askBody: 'Bitte gib drei der Wörter ein, um zu prüfen, ob du sie gesichert hast.',
    word: (place: number) => `Wort ${place}`,
    check: 'Weiter',
    look: 'Die Wörter noch einmal zeigen',
    wrong: (places: string, one: boolean) =>
      one ? `Wort ${places} stand dort anders.` : `Die Wörter ${places} standen dort anders.`,
    and: ' und ',
    done: (name: string) => `Gut. Mit diesen Wörtern lässt sich ${name} immer zurückholen.`,
    paper: (name: string, date: string) =>
      `Wiederherstellungswörter von ${name}, ${date}. Zusammen mit einer .diary-Datei bringen sie ${name} zurück. Wer beides hat, kann alles lesen.`,
  },

  restore: {
    title: 'Jemanden zurückholen',
    body: 'Ein Tagebuch und seine 24 Wörter bringen alles zurück, was je gemerkt wurde.',
    file: 'Das Tagebuch',
    choose: 'Eine .diary-Datei wählen',
    another: 'Eine andere Datei wählen',
    drop: 'oder hierher ziehen',
    dropNow: 'Das Tagebuch hier loslassen',
    fileMissing: 'Bitte wähle das Tagebuch, eine Datei, die auf .diary endet.',
    oneFile: 'Bitte nur ein Tagebuch auf einmal.',
    empty: 'Diese Datei ist leer.',
    odd: 'Diese Datei endet nicht auf .diary. Ist sie trotzdem ein Tagebuch, mach weiter.',
    size: (megabytes: string) => `${megabytes} MB`,
    words: 'Die 24 Wiederherstellungswörter',
    wordsHint:
      'Tipp oder füg sie in ihrer Reihenfolge ein. Großschreibung, Kommas, Nummern und Zeilen sind egal.',
    wordsMissing: 'Bitte gib die 24 Wörter ein.',
    checkWords: 'Bitte prüfe die 24 Wörter: Der Fehler steht darunter.',
    count: (count: number) => `${count} von 24 Wörtern`,
    tooMany: (count: number) => `${count} Wörter: ${count - 24} zu viel. Steht eines doppelt da?`,
    unknown: (place: number, word: string) => `Wort ${place}, „${word}“, ist keines der 2048 Wörter.`,
    perhaps: 'Vielleicht',
    replace: (place: number, word: string) => `Wort ${place} durch „${word}“ ersetzen`,
    checksum:
      'Alle 24 Wörter stehen in der Liste, aber sie gehören nicht zusammen. Vielleicht wurde eines verwechselt, oder zwei haben die Plätze getauscht.',
    whole: 'Alle 24 Wörter stimmen.',
    mind: 'Wähle ihn neu: In einem Tagebuch stehen keine Schlüssel.',
    back: 'Zurückholen',
    sending: (percent: number) => `Das Tagebuch wird übertragen, ${percent} %`,
    opening: 'Das Tagebuch wird geöffnet, jede Seite wird geprüft…',
    doing: 'Wird zurückgeholt…',
    done: (name: string) => `${name} ist zurück.`,
    cancel: 'Anhalten',
    stopped: 'Angehalten. Nichts wurde geändert.',
    broke: 'Das Tagebuch kam nicht an. Vielleicht wurde die Datei seit der Auswahl geändert oder verschoben.',
    orNew: 'Oder jemand Neues wecken',
  },

  phrase: {
    title: (name: string) => `Neue Wörter für ${name}`,
    body: (name: string) =>
      `Die ersten 24 Wörter von ${name} wurden nie bestätigt, und diese Seite bewahrt sie nicht auf. Du kannst jederzeit neue machen: Sofort wird ein neues Tagebuch geschrieben, und nur sie öffnen es.`,
    older:
      'Falls du die ersten Wörter doch aufgeschrieben hast: Die bisherigen Tagebücher öffnen sie weiterhin, künftige nicht mehr.',
    make: 'Neue Wörter machen',
    making: 'Ein neues Tagebuch wird geschrieben…',
    haveThem: 'Ich habe die ersten',
    failed: 'Die neuen Wörter konnten nicht gemacht werden.',
    olderLeft: (count: number) =>
      count === 1
        ? 'Ein älteres Tagebuch ist noch da, das nur die früheren Wörter öffnen.'
        : `${count} ältere Tagebücher sind noch da, die nur die früheren Wörter öffnen.`,
  },

  turn: {
    title: 'Einzelheiten',
    still: 'Dieser Zug ist noch nicht zu Ende.',
    heard: (count: number) => (count === 1 ? 'Nahm eine Nachricht auf' : `Nahm ${count} Nachrichten auf`),
    due: 'Fällig geworden',
    perceived: 'Wahrgenommen',
    outcome: {
      perceived: 'wahrgenommen',
      shown: 'dem Geist gezeigt, wie es ist',
      refused: 'nicht wahrgenommen',
    },
    called: 'Benutzt',
    failed: 'gescheitert',
    open: 'ohne Antwort',
    learned: 'Gelernt und geplant',
    fact: {
      MemoryKept: 'Gemerkt',
      MemoryRevised: 'Berichtigt',
      MemoryForgotten: 'Einen Satz vergessen',
      MemoryRestored: 'Wieder gemerkt',
      InstructionLearned: 'Eine Anweisung gelernt',
      InstructionRevised: 'Eine Anweisung geändert',
      InstructionRemoved: 'Eine Anweisung entfernt',
      EntryPlanned: 'Geplant',
      EntryMoved: 'Verschoben',
      EntryCancelled: 'Einen Plan gestrichen',
      EntryDone: 'Fälliges erledigt',
    },
    nothing: 'Es wurde kein Werkzeug benutzt und nichts gelernt.',
    missed: 'Ohne Antwort',
    model: 'Modell',
    tokens: 'Token',
    untold: 'vom Modell nicht genannt',
    inOut: (input: string, output: string) => `${input} hinein, ${output} heraus`,
    cached: (count: string) => `${count} davon aus einem Zwischenspeicher`,
    time: 'Zeit',
    money: 'Geld',
    noPrice: 'kein Preis bekannt',
    free: 'nichts: Es läuft auf diesem Gerät',
    calls: (count: number) => (count === 1 ? 'ein Aufruf' : `${count} Aufrufe`),
    long: 'Dieser Zug ist zu lang, um ganz gezeigt zu werden.',
    whole: 'Jeder Modellaufruf im Wortlaut',
  },

  memory: {
    lead: (name: string) =>
      `Alles, was ${name} weiß, in einzelnen Sätzen. Jeden kannst du berichtigen oder vergessen lassen, und du siehst, woher er kommt.`,
    documents: {
      person: { title: 'Über dich', hint: 'Wer du bist und was zu deinem Leben gehört.' },
      traits: { title: 'Wie du bist', hint: 'Was für dich typisch ist.' },
      'persona-trait': { title: 'Das eigene Wesen', hint: 'Wie der Umgang mit dir sein soll.' },
      wishes: { title: 'Wünsche', hint: 'Was du erhoffst und worauf du dich freust.' },
      struggles: { title: 'Sorgen', hint: 'Was dir schwerfällt oder dich belastet.' },
      permissions: { title: 'Erlaubnisse', hint: 'Was du erlaubst und was nicht.' },
    } satisfies Record<Document, { readonly title: string; readonly hint: string }>,
    empty: (name: string) =>
      `${name} weiß noch nichts über dich. Erzähl etwas, das bleiben soll, oder schreib es hier auf.`,
    emptyThen: (name: string) => `${name} wusste noch nichts.`,
    toTalk: (name: string) => `Mit ${name} sprechen`,
    none: 'Hier steht noch nichts.',
    origin: {
      person: 'von dir aufgeschrieben',
      persona: (name: string) => `von ${name} im Gespräch gemerkt`,
      consolidation: (name: string) => `von ${name} im Rückblick gemerkt`,
      history: 'aus einem importierten Chat',
    },
    via: {
      program: (by) => `in den Worten von ${by ?? 'einem Programm'}`,
      forwarded: (by) => `in den Worten ${by ? `von ${by}` : 'einer weitergeleiteten Nachricht'}`,
      quoted: (by) => `in den Worten ${by ? `von ${by}` : 'eines Zitats'}`,
      replied: (by) => `in den Worten ${by ? `von ${by}` : 'einer beantworteten Nachricht'}`,
      embedded: (by) => `in den Worten ${by ? `von ${by}` : 'einer Linkvorschau'}`,
      shared: (by) => `aus ${by ?? 'einer geteilten Karte'}`,
      pasted: (by) => `aus ${by ?? 'eingefügtem Text'}`,
      file: (by) => `aus ${by ?? 'einer Datei'}`,
      page: (by) => `von ${by ?? 'einer Webseite'}`,
      tool: (by) => `vom Werkzeug ${by ?? ''}`.trim(),
      skill: (by) => `aus dem Skill ${by ?? ''}`.trim(),
      teacher: () => 'in den Worten des Lehrers',
      history: () => 'aus einem importierten Chat',
      talk: () => 'enthält Text anderer aus dem Gespräch',
    },
    sources: (count: number) => (count === 1 ? 'Quelle' : `Quellen (${count})`),
    sourcesOf: (words: string) => `Quellen von: ${words}`,
    moreSources: (count: number) => `${count} weitere zeigen`,
    source: {
      person: 'Du',
      empty: 'Der Text wurde gelöscht.',
      file: 'Eine Datei',
      history: (title: string, source: string) => `Importierter Chat „${title}“ (${source})`,
      other: 'Ein anderer Eintrag im Journal',
      failed: 'Der Text konnte nicht geladen werden.',
      open: 'Im Gespräch öffnen',
    },
    write: 'Aufschreiben',
    writeIn: (title: string) => `Etwas unter „${title}“ aufschreiben`,
    words: 'Text des Satzes',
    wordsHint: 'Ein Satz, höchstens 300 Zeichen.',
    save: 'Speichern',
    correct: 'Berichtigen',
    correctOne: (words: string) => `Berichtigen: ${words}`,
    forget: 'Vergessen',
    forgetOne: (words: string) => `Vergessen: ${words}`,
    restore: 'Zurückholen',
    restoreOne: (words: string) => `Zurückholen: ${words}`,
    undo: 'Rückgängig',
    written: 'Aufgeschrieben.',
    known: 'Das war schon bekannt.',
    corrected: 'Berichtigt.',
    forgotten: 'Vergessen.',
    restored: 'Zurückgeholt.',
    proposedTitle: (count: number) => `Vorgeschlagen (${count})`,
    proposedHint: (name: string) =>
      `Programme schlagen vor, dass ${name} sich das merkt. Nichts davon ist bekannt, bevor du es annimmst.`,
    proposed: 'von einem Programm',
    proposedBy: (program: string) => `von einem Programm, das sich „${program}“ nennt`,
    accept: 'Annehmen',
    acceptOne: (words: string) => `Annehmen: ${words}`,
    decline: 'Ablehnen',
    declineOne: (words: string) => `Ablehnen: ${words}`,
    accepted: 'Angenommen.',
    declined: 'Abgelehnt.',
    gone: 'Es wurde inzwischen anderswo geändert.',
    forgottenTitle: (count: number) => `Vergessen (${count})`,
    forgottenHint:
      'Vergessenes wird aus früheren Nachrichten nicht wieder gelernt. Zurückgeholt gilt es wie zuvor.',
    noWords: 'Bitte schreib etwas.',
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
    learned: (when: string) => `gelernt ${when}`,
    revised: (when: string) => `geändert ${when}`,
    removed: (when: string) => `entfernt ${when}`,
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

  calendar: {
    views: { agenda: 'Liste', week: 'Woche', month: 'Monat' },
    viewLabel: 'Ansicht',
    today: 'Heute',
    earlier: { agenda: 'Vier Wochen früher', week: 'Vorige Woche', month: 'Voriger Monat' },
    later: { week: 'Nächste Woche', month: 'Nächster Monat' },
    add: 'Etwas planen',
    change: 'Ändern',
    changeOne: (words: string) => `Ändern: ${words}`,
    cancelEntry: 'Eintrag absagen',
    cancelOne: (words: string) => `Absagen: ${words}`,
    kind: { reminder: 'Erinnerung', schedule: 'Termin' },
    kindHint: {
      reminder: (name: string) => `${name} erinnert dich zu dieser Zeit.`,
      schedule: (name: string) => `${name} weiß davon.`,
    },
    kindLabel: 'Art',
    what: 'Was',
    date: 'Tag',
    time: 'Uhrzeit',
    repeat: 'Wiederholung',
    recurrence: {
      once: 'nur einmal',
      hourly: 'jede Stunde',
      daily: 'jeden Tag',
      weekly: 'jede Woche',
      monthly: 'jeden Monat',
      yearly: 'jedes Jahr',
    },
    save: 'Speichern',
    plan: 'Planen',
    whatMissing: 'Bitte schreib etwas.',
    whenMissing: 'Bitte wähle einen Tag und eine Uhrzeit.',
    elsewhere: (zone: string) => `Der Daemon ist in der Zeitzone ${zone}. Alle Zeiten hier sind in deiner.`,
    thereIt: (when: string, zone: string) => `In ${zone}, der Zeitzone des Daemons: ${when}`,
    planned: 'Geplant.',
    changed: 'Geändert.',
    moved: (when: string) => `Verschoben auf ${when}.`,
    cancelled: 'Abgesagt.',
    undo: 'Rückgängig',
    gone: 'Es ist nicht mehr geplant: es wurde abgesagt oder ist vorbei.',
    was: 'war fällig',
    empty: (name: string) =>
      `Nichts ist geplant. Bitte ${name}, dich an etwas zu erinnern, oder plane es selbst.`,
    emptyThen: 'Nichts war geplant.',
    waits: 'Fällig, noch nicht zugestellt',
    coming: 'Kommt noch',
    days: 'Die Tage davor',
    noDays: 'Es gibt noch keine vergangenen Tage.',
    grid: 'Kalender',
    more: (count: number) => `${count} weitere`,
    hint: 'Drück auf einen Tag, um etwas zu planen; zieh einen Eintrag, um ihn zu verschieben. In der Liste geht alles auch nur mit der Tastatur.',
    feed: {
      title: 'In deinem eigenen Kalender',
      body: 'Abonniere diese Adresse in einem anderen Kalender auf diesem Rechner: er bleibt von selbst aktuell.',
      label: 'Adresse des Kalenders',
      copy: 'Kopieren',
      copied: 'Kopiert.',
      notCopied: 'Kopieren ist hier nicht erlaubt. Bitte markiere die Adresse.',
    },
  },

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
    lastError: (when: string) => `Letzter Fehler, ${when}`,
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
    diariesBad: (count: number, of: number) => `${count} von ${of} Tagebüchern hier sind nicht lesbar.`,
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

  settings: {
    label: (name: string) => `Einstellungen von ${name}`,
    section: {
      life: 'Name und Leben',
      organs: 'Fähigkeiten',
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
          `Wie jede Nacht: ${name} fasst das Gespräch zusammen, schließt den Tag ab und schreibt eine Sicherung. Nachrichten in dieser Zeit werden danach beantwortet.`,
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
      DeedName,
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
    kind: { telegram: 'Telegram', discord: 'Discord' } satisfies Record<Kind, string>,
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
        page: 'https://t.me/BotFather',
        pageName: '@BotFather öffnen',
        steps: [
          'Schreib in Telegram /newbot an @BotFather und beantworte seine Fragen.',
          'Du bekommst ein Token wie 4242:AAH…: Füge es hier ein.',
          'Schreib dann deinem Bot irgendetwas: Er antwortet mit einem Code, den du hier eingibst.',
        ],
      },
      discord: {
        page: 'https://discord.com/developers/applications',
        pageName: 'Entwicklerseite von Discord öffnen',
        steps: [
          'Lege eine Anwendung an. Setze unter „Bot“ das Token zurück und schalte „Message Content Intent“ ein.',
          'Lade den Bot auf einen deiner Server ein, damit du ihm schreiben darfst.',
          'Füge das Token hier ein und schreib dem Bot dann direkt: Er antwortet mit einem Code, den du hier eingibst.',
        ],
      },
    } satisfies Record<
      Kind,
      { readonly page: string; readonly pageName: string; readonly steps: readonly string[] }
    >,
    pairHint:
      'Schreib dem Bot irgendetwas in einem eigenen Chat. Er antwortet mit einem Code, der zehn Minuten lang gilt.',
    pairStopped: (name: string) => `${name} muss wach sein, damit der Bot mit seinem Code antwortet.`,
    code: 'Code aus dem Chat',
    codeMissing: 'Der Code fehlt.',
    pair: 'Verbinden',
    pairing: { doing: 'Wird verbunden…', done: '' },
    paired: (name: string) => `Verbunden. ${name} bekommt deine Nachrichten jetzt dort.`,
  },

  import: {
    lead: (name: string) =>
      `${name} kann aus deinen Chats mit einer anderen KI lernen. Aussagen über dich werden zur Erinnerung, jede mit dem Chat, aus dem sie stammt; die Chats selbst werden nicht kopiert.`,
    asleep: (name: string) => `${name} muss dafür wach sein.`,
    toLife: 'Zur Einstellung',
    whence: 'Herkunft der Chats',
    from: {
      chatgpt: {
        name: 'ChatGPT',
        how: 'Dort: Einstellungen → Datenkontrollen → Daten exportieren. Ein Zip kommt per Mail.',
      },
      claude: {
        name: 'Claude',
        how: 'Dort: Einstellungen → Datenschutz → Daten exportieren. Ein Zip kommt per Mail.',
      },
      gemini: {
        name: 'Gemini',
        how: 'Auf takeout.google.com: Meine Aktivitäten → Gemini-Apps, als JSON, nicht als HTML. Nimm MyActivity.json.',
      },
      grok: {
        name: 'Grok',
        how: 'Dort: Einstellungen → Datenkontrollen → Kontodaten exportieren. Ein Link kommt per Mail; im Zip liegt prod-grok-backend.json.',
      },
      openwebui: {
        name: 'Open WebUI',
        how: 'Dort: Einstellungen → Datenkontrolle → Chats exportieren. Nimm das JSON.',
      },
      librechat: { name: 'LibreChat', how: 'Dort, in einem Chat: Exportieren, als JSON.' },
      sillytavern: {
        name: 'SillyTavern',
        how: 'Chats als JSONL, Figuren als PNG oder JSON, oder ein Zip des Ordners data/default-user. Eine Figur sagt höchstens, dass du sie hast.',
      },
      aistudio: {
        name: 'Google AI Studio',
        how: 'In Google Drive, im Ordner Google AI Studio: die Datei eines Prompts.',
      },
      claudecode: {
        name: 'Claude Code',
        how: 'Ein Zip des Ordners eines Projekts in ~/.claude/projects, oder die .jsonl einer Sitzung.',
      },
      codex: {
        name: 'Codex CLI',
        how: 'Ein Zip des Ordners ~/.codex/sessions, oder eine rollout-….jsonl.',
      },
      openclaw: {
        name: 'OpenClaw',
        how: 'Ein Zip des Arbeitsordners, oder MEMORY.md, USER.md, SOUL.md oder ein Tag aus memory/.',
      },
      hermes: {
        name: 'Hermes',
        how: 'Ein Zip von ~/.hermes, oder MEMORY.md, USER.md oder SOUL.md.',
      },
      eternego: {
        name: 'Eternego',
        how: 'Das Tagebuch unter seinem eigenen Namen, mit seinen Wiederherstellungswörtern, oder ein Zip des Ordners personas/…/home.',
      },
      characterai: {
        name: 'Character.AI',
        how: 'Eine Browser-Erweiterung, die Chats als JSON sichert. Nimm das JSON.',
      },
      letta: {
        name: 'Letta',
        how: 'Dort: Download agent file. Nimm die .af.',
      },
      locomo: {
        name: 'LoCoMo',
        how: 'Das JSON des Benchmarks.',
      },
      whatsapp: {
        name: 'WhatsApp',
        how: 'Im Chat: Chat exportieren, ohne Medien. Nimm die Datei unter ihrem Namen.',
      },
      telegram: {
        name: 'Telegram',
        how: 'In Telegram Desktop: bei einem Chat „Chatverlauf exportieren“, oder Einstellungen → Erweitert → Daten aus Telegram exportieren, als JSON. Nimm result.json.',
      },
      discord: {
        name: 'Discord',
        how: 'Einstellungen → Daten & Privatsphäre → Alle meine Daten anfordern, mit Nachrichten. Nimm die ZIP-Datei. Sie enthält nur, was du geschrieben hast.',
      },
      copilot: {
        name: 'Microsoft Copilot',
        how: 'account.microsoft.com/privacy → Copilot → Gesamten Aktivitätsverlauf exportieren. Nimm die CSV-Datei.',
      },
      other: {
        name: 'Eine andere KI',
        how: 'Nachrichten mit „role“ und „content“, als ein JSON oder eine in jeder Zeile, oder reiner Text mit „Name: Worte“ in jeder Zeile.',
      },
    },
    otherName: 'Ihr Name',
    phrase: 'Wiederherstellungswörter des Tagebuchs',
    phraseHint: 'Sie öffnen eine Datei, die auf .diary endet, und werden nicht gespeichert.',
    file: 'Die exportierte Datei',
    fileHint:
      'Das Zip, wie du es bekommen hast, oder die Datei darin. Zuerst siehst du den Inhalt; noch wird nichts importiert.',
    whoAreYou: 'Wer davon bist du',
    whoAreYouHint: 'Die Datei sagt es nicht. Nur was du selbst geschrieben hast, kann Erinnerung werden.',
    noneOfThem: 'Keine Angabe',
    sending: 'Die Datei wird hochgeladen…',
    reading: 'Die Datei wird gelesen…',
    found: (count: number, open: number) =>
      open === count ? (count === 1 ? 'Ein Chat' : `${count} Chats`) : `${count} Chats, davon ${open} neu`,
    nothing: 'In dieser Datei sind keine Chats mit Nachrichten.',
    seek: 'Titel durchsuchen',
    all: 'Alle wählen',
    none: 'Keinen wählen',
    conversations: 'Chats in der Datei',
    untitled: 'Ohne Titel',
    known: 'schon bekannt',
    messages: (count: number) => (count === 1 ? '1 Nachricht' : `${count} Nachrichten`),
    noneFits: 'Kein Titel hat diese Wörter.',
    more: (count: number) => `${count} weitere zeigen`,
    cost: (name: string) =>
      `Der Geist von ${name} wird für jeden Chat einmal gefragt, für lange öfter. Bei einem Anbieter kostet das.`,
    feed: (count: number) => (count === 1 ? 'Einen Chat importieren' : `${count} Chats importieren`),
    feeding: 'Importierte Chats',
    far: (done: number, total: number) => `${done} von ${total} importiert…`,
    mayLeave: (name: string) =>
      `Du kannst inzwischen mit ${name} sprechen. Lass diese Seite offen: Wenn du sie schließt, bleibt der fertige Teil, und du kannst mit derselben Datei weitermachen.`,
    stop: 'Hier aufhören',
    gained: (name, { conversations, statements }) => {
      const chats = conversations === 1 ? 'Ein Chat war neu' : `${conversations} Chats waren neu`
      const learned = statements === 1 ? 'eine Aussage' : `${statements} Aussagen`
      if (conversations === 0) return `Nichts davon war neu für ${name}.`
      return statements === 0
        ? `${chats}. ${name} hat daraus nichts gelernt.`
        : `${chats}. ${name} hat daraus ${learned} gelernt.`
    },
    ended: 'Der Import ist zu Ende. Wie viel davon neu war, ist nicht bekannt.',
    goOn: 'Weitermachen',
    toMemory: 'Erinnerungen ansehen',
    another: 'Andere Datei',
  },

  backup: {
    lead: (name: string) =>
      `Ein Tagebuch ist eine Datei mit allem, was ${name} ausmacht: das ganze Gespräch, Erinnerungen, Kalender und Dateien. Nur die 24 Wörter öffnen es, hier oder auf einem anderen Rechner.`,
    export: 'Jetzt exportieren',
    exporting: { doing: 'Wird vorbereitet…', done: 'Dein Browser speichert die Datei.' },
    last: (when: string, size: string) => `Letztes Tagebuch hier: ${when} (${size}).`,
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
}
