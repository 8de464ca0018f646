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
      thinking: 'Mind',
      eye: 'Eye',
      ear: 'Ear',
      mouth: 'Mouth',
      imagination: 'Imagination',
      teacher: 'Teacher',
      researcher: 'Researcher',
    } satisfies Record<Slot, string>,
    does: {
      thinking: 'The model they think with.',
      eye: 'Looks at the pictures you send.',
      ear: 'Listens to your voice and to other sound.',
      mouth: 'Lets them speak aloud.',
      imagination: 'Draws pictures for you.',
      teacher: 'A stronger model to ask when they do not know.',
      researcher: 'Reads the documents you send.',
    } satisfies Record<Slot, string>,
    provider: {
      local: 'On this machine',
      anthropic: 'Anthropic (Claude)',
      openai: 'OpenAI (GPT)',
      gemini: 'Google (Gemini)',
      xai: 'xAI (Grok)',
    } satisfies Record<Provider, string>,
    house: { anthropic: 'Anthropic', openai: 'OpenAI', gemini: 'Google', xai: 'xAI' } satisfies Record<
      Exclude<Provider, 'local'>,
      string
    >,
    where: { thinking: 'Where it runs', other: 'Where it runs' },
    none: 'None',
    key: 'Key',
    keyHint: 'Kept on this machine, and never shown again.',
    keyStays: 'Leave this empty to keep the key that is there.',
    keyBorrowed: 'Leave this empty to use the key of the Mind.',
    model: 'Model',
    voiceHint: 'A voice can stand behind the name: ',
    voiceExample: 'tts-1#nova',
    modelMissing: (organ: string) => `${organ}: please choose a model, or none of it.`,
    mindMissing: 'Please choose a Mind: a model to think with.',
    offered: 'Show the models',
    fits: 'fits this machine',
    noTools: 'cannot use tools',
    tooLarge: 'large for this machine',
    practiceIs: 'practice, always here',
    size: (gigabytes: string) => `${gigabytes} GB`,
    notInstalled: (model: string) =>
      `${model} is not installed yet. It is fetched first, which can take a while.`,
    elsewhere: 'Another address',
    url: 'Address',
    urlHint: {
      local: 'Where Ollama runs, if not in its usual place.',
      beside: 'Where a server for this runs, if it is not Ollama.',
      openai: 'Any server that speaks OpenAI’s protocol: LM Studio, llama.cpp, vLLM and others.',
      other: 'Only for a server that stands in for theirs.',
    },
    others: 'Other organs',
    othersHint: 'All of them can wait. What the Mind cannot do without one, it says.',
    looking: 'Looking for models…',
    lookAgain: 'Look again',
    installed: (count: number) =>
      count === 1
        ? 'One model is installed on this machine.'
        : `${count} models are installed on this machine.`,
    offers: (count: number) => (count === 1 ? 'One model is offered.' : `${count} models are offered.`),
    offersNone: 'No model is offered there.',
    noneInstalled: 'A model runtime answers on this machine, but it has no model yet. In a terminal: ',
    noRuntime: 'No model runtime answers on this machine. Three ways on:',
    practice: [
      'Begin with ',
      'embedded/practice',
      ': a stand-in that is already here. It can be replaced whenever you like.',
    ] as Three,
    runtime: ['Install ', 'Ollama', ', then in a terminal: '] as Three,
    cloud: 'Or choose a provider above, with a key of yours.',
    runtimeAddress: 'https://ollama.com/download',
    runtimeCommand: 'ollama pull qwen3',
    keyFirst: (provider: string) => `With a key of ${provider} you can choose from their models. `,
    keyPage: 'Get a key',
    keyWhole: 'Is the key whole, and still valid? ',
    fixes: {
      cloud: [
        'Is this machine online? Behind a proxy, start the daemon with HTTPS_PROXY set.',
        'Is the address right, if you gave one of your own?',
      ],
      local: [
        'Does a runtime listen at that address?',
        'One on another machine must accept calls from outside: start it with OLLAMA_HOST=0.0.0.0.',
      ],
    },
    typeIt: 'You can also type the name of a model. ',
    fetching: 'Fetching the model',
    fetched: (model: string, percent: number) => `${model}: ${percent} % fetched`,
    give: 'Add',
    takeAway: 'Take away',
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
