/** Every word the page says of its own. */

import type { Room } from '../shared/address.ts'
import type { Condition, Provider, Slot, Way } from '../shared/shapes.ts'
import type { MicTrouble } from '../talk/recorder.ts'

/** A sentence with something to press or to type in its middle. */
type Three = readonly [string, string, string]

export const text = {
  product: 'Daimon',
  skip: 'Skip to the talk',
  people: 'Personas',
  add: 'Wake someone new',
  back: 'Back to the list',
  loading: 'One moment…',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  lineLost: 'Connection lost, trying again…',
  unreachable: 'The service does not answer. Is it still running?',
  oddAnswer: (status: number) => `The service answered ${status} without saying why.`,
  unreadable: 'The service answered in words this page does not know. Reloading may help.',
  gone: (name: string) => `${name} is no longer here.`,
  nobodyThere: 'Nobody lives at that address.',
  rooms: {
    label: (name: string) => `Rooms of ${name}`,
    name: {
      talk: 'Talk',
      life: 'Life',
      memory: 'Memory',
      instructions: 'Instructions',
      calendar: 'Calendar',
      health: 'Health',
      settings: 'Settings',
    } satisfies Record<Room, string>,
  },

  condition: {
    awake: 'awake',
    ailing: 'sick, but listening',
    stopped: 'stopped',
    hibernating: 'hibernating',
    sick: 'sick',
  } satisfies Record<Condition, string>,

  first: {
    title: 'Hier lebt noch niemand.',
    body: 'Daimon lässt jemanden auf diesem Rechner leben: mit Gedächtnis für das, was du erzählst, mit Sinn für deine Termine, und morgen noch genauso vertraut.',
    name: 'Mira',
    tryTitle: 'Gleich ausprobieren',
    tryIt: 'Ausprobieren',
    what: 'Sprich in einer Sekunde mit Mira, mit dem Übungsgeist: einem kleinen Ersatz, der Regeln folgt und im Daemon selbst steckt. Nichts herunterladen, kein Schlüssel, und nichts verlässt diesen Rechner.',
    waking: 'Mira wird geweckt…',
    newTitle: 'Jemand Neues wecken',
    newBody:
      'Mit Namen und Geist nach deiner Wahl, und wenn du magst, mit Charakter und dem, was über dich bekannt sein soll.',
    newGo: 'Namen wählen',
    backTitle: 'Jemanden zurückholen',
    backBody: 'Aus einem Tagebuch, einer Datei, die auf .diary endet, und den 24 Wörtern, die es öffnen.',
    backGo: 'Tagebuch wählen',
    found: 'Modelle auf diesem Rechner',
    foundBody: 'Mira kann mit einem davon sofort denken.',
    withModel: (model: string) => `Mit ${model} ausprobieren`,
    without: 'Ein eigener Geist',
    withoutBody:
      'Der Übungsgeist folgt nur Regeln. Zum eigenen Denken braucht es ein Modell, und dahin führen zwei Wege:',
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
    nameHint: 'So wirst du rufen. Der Name lässt sich ändern.',
    nameMissing: 'Es fehlt noch ein Name.',
    mindMissing: 'Es fehlt noch ein Geist zum Denken.',
    about: 'Charakter, und wer du bist',
    aboutHint: 'All das hat Zeit: Im Gespräch ergibt es sich von selbst.',
    traits: 'Welcher Charakter soll es sein?',
    traitsHint: 'Herzlich, direkt, neugierig, knapp. Jede Zeile wird als eine Aussage gemerkt.',
    person: 'Was soll über dich bekannt sein?',
    personHint: 'Dein Name, deine Arbeit, wer dir wichtig ist. Jede Zeile wird als eine Aussage gemerkt.',
    channels: 'Kanäle',
    channelsHint: 'Wo ihr außer auf dieser Seite noch sprechen könnt. Auch das hat Zeit.',
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
      `${name} ist wach, aber nicht alles, was du aufgeschrieben hast, ließ sich merken: ${why}`,
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
    voiceHint: 'Hinter dem Namen kann eine Stimme stehen: ',
    voiceExample: 'tts-1#nova',
    modelMissing: (organ: string) => `${organ}: Bitte wähle ein Modell, oder gar keins.`,
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
      local: 'Wo Ollama läuft, falls nicht am üblichen Ort.',
      beside: 'Wo ein Server dafür läuft, falls es nicht Ollama ist.',
      openai: 'Jeder Server, der OpenAIs Protokoll spricht: LM Studio, llama.cpp, vLLM und andere.',
      other: 'Nur für einen Server, der an die Stelle des eigenen tritt.',
    },
    others: 'Weitere Organe',
    othersHint: 'Sie alle haben Zeit. Was der Geist ohne sie nicht kann, sagt er.',
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
      ': einem Übungsgeist, der schon da ist. Er lässt sich jederzeit ersetzen.',
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
    takeAway: 'Wegnehmen',
  },

  talk: {
    log: (name: string) => `Talk with ${name}`,
    empty: (name: string) => `Say hello to ${name}.`,
    earlier: 'Earlier',
    loadingEarlier: 'Looking further back…',
    newWords: 'New words below',
    you: 'You',
    whose: {
      person: '',
      persona: (by: string) => `In answer to ${by || 'what was said'}`,
      daemon: '',
      program: 'From a program',
      forwarded: (by: string) => (by ? `Forwarded from ${by}` : 'Forwarded'),
      quoted: 'Quoted',
      replied: (by: string) => `In answer to ${by || 'somebody'}`,
      embedded: (by: string) => (by ? `Shown by ${by}` : 'Preview of a link'),
      shared: 'Shared',
      pasted: 'Pasted',
    } satisfies Record<Way, string | ((by: string) => string)>,
    thinking: (name: string) => `${name} is thinking`,
    write: (name: string) => `Write to ${name}`,
    send: 'Send',
    stop: 'Stop',
    stopHint: 'Stop her (Escape)',
    sending: 'sending…',
    waitsItsTurn: 'waits its turn',
    waitsForLine: 'waits for the connection',
    waitsForHer: (name: string) => `waits until ${name} is awake`,
    takeBack: 'Take back',
    remove: 'Remove',
    uploading: (name: string) => `Sending ${name}`,
    brokeOff:
      'The file did not get through. It may be too large, or it was changed or moved since it was chosen.',
    asleep: {
      stopped: (name: string) => `${name} is stopped. She hears you once she is started.`,
      hibernating: (name: string) => `${name} is hibernating. She hears you once she is woken.`,
      sick: (name: string) => `${name} is sick. She hears you once she is woken.`,
    } satisfies Record<Exclude<Condition, 'awake' | 'ailing'>, (name: string) => string>,
    rouse: { stopped: 'Start her', hibernating: 'Wake her', sick: 'Wake her' } satisfies Record<
      Exclude<Condition, 'awake' | 'ailing'>,
      string
    >,
    rousing: 'Waking her…',
    today: 'Today',
    yesterday: 'Yesterday',
  },

  files: {
    choose: 'Choose files',
    chosen: 'Files to send',
    remove: (name: string) => `Remove ${name}`,
    drop: 'Drop files to send them',
    folder: 'A folder cannot be sent. Please choose the files in it.',
  },

  media: {
    open: 'Open large',
    picture: 'Picture',
    save: 'Save',
    file: 'File',
    noPicture: 'cannot be shown here',
    noSound: 'cannot be played here',
    clip: 'Sound',
    play: 'Play',
    pause: 'Pause',
    place: 'Position',
    at: (place: string, length: string) => `${place} of ${length}`,
  },

  voice: {
    start: 'Record your voice',
    recording: 'Recording',
    cancel: 'Throw away (Escape)',
    send: 'Send the recording',
    silent: 'The microphone hears nothing.',
    nothing: 'Nothing was recorded.',
    trouble: {
      denied: 'The browser does not allow the microphone here. It can be allowed beside the address.',
      absent: 'No microphone was found on this machine.',
      busy: 'The microphone could not be opened. Another program may be using it.',
    } satisfies Record<MicTrouble, string>,
  },

  about: {
    open: (name: string) => `About ${name}`,
    name: 'Name',
    rename: 'Rename',
    change: 'Change',
    birthday: 'Here since',
    start: 'Start',
    stop: 'Stop',
    restart: 'Restart',
    doing: {
      start: 'Starting…',
      stop: 'Stopping…',
      restart: 'Restarting…',
      rename: 'Renaming…',
      change: 'Looking whether it works…',
      clear: 'Taking it away…',
      delete: 'Deleting…',
    },
    done: {
      start: 'Started.',
      stop: 'Stopped.',
      restart: 'Restarted.',
      rename: 'Renamed.',
      change: 'Changed.',
      clear: 'Taken away.',
    },
    delete: 'Delete…',
    deleteWarning: (name: string) =>
      `${name}, everything she remembers and everything you said to each other will be removed from this machine.`,
    deleteAsk: (name: string) => `Type “${name}” to go on`,
    deleteNow: 'Delete for good',
  },

  words: {
    bar: (name: string) => `Noch kann niemand das Tagebuch von ${name} öffnen.`,
    barOpen: 'Die 24 Wörter holen',
    title: (name: string) => `Die 24 Wörter von ${name}`,
    body: (name: string) =>
      `Jede Nacht wird ${name} in ein Tagebuch geschrieben, eine Sicherung, die nur diese Wörter öffnen. Sie stehen sonst nirgends: Schreib sie auf und bewahre sie auf wie einen Schlüssel.`,
    list: 'Die 24 Wörter in ihrer Reihenfolge',
    copy: 'Kopieren',
    copied:
      'Kopiert. Die Zwischenablage lesen viele: Füge die Wörter bald ein und kopiere dann etwas anderes.',
    notCopied: 'Kopieren ist hier nicht erlaubt. Bitte markiere die Wörter.',
    save: 'Als Datei sichern',
    saved: 'Gesichert. Leg die Datei dorthin, wo andere sie nicht lesen können.',
    print: 'Drucken',
    fileName: (name: string) => `${name} 24 Wörter.txt`,
    kept: 'Ich habe sie',
    later: 'Später',
    askTitle: 'Hast du sie alle?',
    askBody: 'Bitte trag drei davon aus dem ein, was du aufgehoben hast.',
    word: (place: number) => `Wort ${place}`,
    check: 'Weiter',
    look: 'Die Wörter noch einmal zeigen',
    wrong: (places: string, one: boolean) =>
      one ? `Wort ${places} stand dort anders.` : `Die Wörter ${places} standen dort anders.`,
    and: ' und ',
    done: (name: string) => `Gut. Mit diesen Wörtern lässt sich ${name} immer zurückholen.`,
    paper: (name: string, date: string) =>
      `Die 24 Wörter von ${name}, ${date}. Zusammen mit einer .diary-Datei bringen sie ${name} zurück. Wer beides hat, kann alles lesen.`,
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
    odd: 'Diese Datei endet nicht auf .diary. Ist sie trotzdem eines, mach weiter.',
    size: (megabytes: string) => `${megabytes} MB`,
    words: 'Die 24 Wörter',
    wordsHint:
      'Tipp oder füg sie in ihrer Reihenfolge ein. Großschreibung, Kommas, Nummern und Zeilen sind egal.',
    wordsMissing: 'Bitte gib die 24 Wörter ein.',
    checkWords: 'Bitte sieh die 24 Wörter noch einmal durch: Was an ihnen nicht stimmt, steht unter ihnen.',
    count: (count: number) => `${count} von 24 Wörtern`,
    tooMany: (count: number) => `${count} Wörter: ${count - 24} zu viel. Steht eines doppelt da?`,
    unknown: (place: number, word: string) => `Wort ${place}, „${word}“, ist keines der 2048 Wörter.`,
    perhaps: 'Vielleicht',
    replace: (place: number, word: string) => `Wort ${place} durch „${word}“ ersetzen`,
    checksum:
      'Jedes der 24 steht in der Liste, aber sie gehören nicht zusammen. Vielleicht wurde eines verwechselt, oder zwei haben die Plätze getauscht.',
    whole: 'Alle 24 Wörter stimmen.',
    mind: 'Er wird neu gewählt: In einem Tagebuch stehen keine Schlüssel.',
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
      `Die ersten 24 Wörter von ${name} wurden nie bestätigt, und diese Seite bewahrt sie nicht auf. Neue lassen sich jederzeit machen: Sofort wird ein neues Tagebuch geschrieben, und nur sie öffnen es.`,
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

  turn: {},

  life: {},

  memory: {},

  instructions: {},

  calendar: {},

  health: {},

  settings: {},

  channels: {},

  import: {},

  backup: {},

  palette: {},
}
