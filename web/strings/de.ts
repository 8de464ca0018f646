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
    title: 'Nobody lives here yet.',
    body: 'Daimon keeps someone on this machine: she remembers what you tell her, keeps your reminders, and is still herself tomorrow.',
    tryIt: 'Try it now',
    waking: 'Waking her…',
    what: 'This wakes Mira on the practice mind: a small stand-in that follows rules and lives inside the service. No download, no key, and nothing leaves this machine. You can give her a real mind later.',
    other: 'Or choose a name and a mind yourself',
    name: 'Mira',
  },

  choose: {
    title: 'Whom would you like to talk to?',
    body: 'Pick someone from the list, or wake someone new.',
  },

  fresh: {
    title: 'Wake someone new',
    name: 'Name',
    nameHint: 'What you will call her. It can be changed.',
    nameMissing: 'She needs a name.',
    mindMissing: 'She needs a mind to think with.',
    wake: 'Wake her',
    waking: 'Waking her…',
    slow: 'A model that is not here yet is fetched first. That can take a while.',
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
    bar: (name: string) => `${name}'s 24 recovery words are shown only now.`,
    open: 'Show them',
    later: 'Not now',
    title: 'Her 24 words',
    body: (name: string) =>
      `They are the only key to ${name}'s diary, the backup she can be brought back from. They are kept nowhere else, and are gone from here once this page is closed or reloaded.`,
    copy: 'Copy',
    copied: 'Copied.',
    notCopied: 'Copying is not allowed here. Please select the words.',
    save: 'Save as a file',
    kept: 'I have kept them',
  },

  restore: {},

  phrase: {},

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
