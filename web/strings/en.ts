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
    body: 'Daimon keeps someone on this machine who remembers what you tell them, keeps your reminders, and is still the same tomorrow.',
    name: 'Mira',
    tryTitle: 'Try it now',
    tryIt: 'Try it now',
    what: 'Talk to Mira within a second, on the practice mind: a small stand-in that follows rules and lives inside the daemon. No download, no key, and nothing leaves this machine.',
    waking: 'Waking Mira…',
    newTitle: 'Wake someone new',
    newBody: 'A name and a mind of your choice, and if you like, who they are and what they know about you.',
    newGo: 'Choose a name',
    backTitle: 'Bring someone back',
    backBody: 'From a diary, a file that ends in .diary, and the 24 words that open it.',
    backGo: 'Choose a diary',
    found: 'Models on this machine',
    foundBody: 'Mira can think with one of them right away.',
    withModel: (model: string) => `Try it with ${model}`,
    without: 'A mind of their own',
    withoutBody:
      'Practice only follows rules. To think for themselves they need a model, and there are two ways to one:',
    keyTitle: 'With a key',
    keyBody:
      'A provider thinks for them and charges for it. Get a key from one of these, then wake someone new with it.',
    ollamaTitle: 'On this machine',
    ollamaBody: ['Free and private. Install ', 'Ollama', ', then type in a terminal: '] as Three,
    noModels: 'Ollama answers on this machine, but it has no model yet. Type in a terminal: ',
  },

  choose: {
    title: 'Whom would you like to talk to?',
    one: (name: string) => `${name} is here.`,
    talk: (name: string) => `Talk to ${name}`,
    fresh: 'Someone new',
    back: 'Bring someone back',
  },

  fresh: {
    title: 'Wake someone new',
    name: 'Name',
    nameHint: 'What you will call them. It can be changed.',
    nameMissing: 'They need a name.',
    mindMissing: 'They need a Mind to think with.',
    about: 'Who they are, and who you are',
    aboutHint: 'All of this can wait: talking makes it by itself.',
    traits: 'How should they be?',
    traitsHint: 'Warm, blunt, curious, brief. Each line is remembered as one statement.',
    person: 'What should they know about you?',
    personHint: 'Your name, your work, who matters to you. Each line is remembered as one statement.',
    channels: 'Channels',
    channelsHint: 'Where else they can be reached, beside this page. This can wait, too.',
    telegram: 'Telegram: the bot’s token',
    telegramHint: ['Write /newbot to ', '@BotFather', ' in Telegram. It answers with a token.'] as Three,
    telegramPage: 'https://t.me/BotFather',
    discord: 'Discord: the bot’s token',
    discordHint: [
      'Make an application on the ',
      'developer page',
      ', and under Bot press Reset Token.',
    ] as Three,
    discordPage: 'https://discord.com/developers/applications',
    wake: (name: string) => (name ? `Wake ${name}` : 'Wake them'),
    waking: (name: string) => `Waking ${name}…`,
    notKept: (name: string, why: string) =>
      `${name} is awake, but not everything you wrote down could be kept: ${why}`,
    keepAgain: 'Try to keep it again',
    goOn: 'Go on without it',
    orBack: 'Or bring someone back from a diary',
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
    bar: (name: string) => `Nobody can open ${name}’s diary yet.`,
    barOpen: 'Get the 24 words',
    title: (name: string) => `The 24 words of ${name}`,
    body: (name: string) =>
      `Every night ${name} is written into a diary, a backup that only these words open. They are kept nowhere else: write them down, and keep them where you would keep a key.`,
    list: 'The 24 words, in their order',
    copy: 'Copy',
    copied: 'Copied. Clipboards are read by many: paste the words soon, and copy something else.',
    notCopied: 'Copying is not allowed here. Please select the words.',
    save: 'Save as a file',
    saved: 'Saved. Move the file where others cannot read it.',
    print: 'Print',
    fileName: (name: string) => `${name} 24 words.txt`,
    kept: 'I have them',
    later: 'Later',
    askTitle: 'Do you have them all?',
    askBody: 'Please fill in three of them from what you kept.',
    word: (place: number) => `Word ${place}`,
    check: 'Go on',
    look: 'Show the words again',
    wrong: (places: string, one: boolean) =>
      one
        ? `Word ${places} is not the one that was shown.`
        : `Words ${places} are not the ones that were shown.`,
    and: ' and ',
    done: (name: string) => `Good. With these words ${name} can always be brought back.`,
    paper: (name: string, date: string) =>
      `Recovery words of ${name}, ${date}. Together with a .diary file they bring ${name} back. Whoever has both can read everything.`,
  },

  restore: {
    title: 'Bring someone back',
    body: 'From a diary and its 24 words they come back with everything they remember.',
    file: 'The diary',
    choose: 'Choose a .diary file',
    another: 'Choose another file',
    drop: 'or drop it here',
    dropNow: 'Drop the diary here',
    fileMissing: 'Please choose the diary, a file that ends in .diary.',
    oneFile: 'One diary at a time, please.',
    empty: 'This file is empty.',
    odd: 'This file does not end in .diary. If it is one all the same, go on.',
    size: (megabytes: string) => `${megabytes} MB`,
    words: 'The 24 words',
    wordsHint: 'Type or paste them in their order. Capitals, commas, numbers and line breaks do not matter.',
    wordsMissing: 'Please type the 24 words.',
    checkWords: 'Please look through the 24 words once more: what is wrong with them stands below them.',
    count: (count: number) => (count === 1 ? '1 of 24 words' : `${count} of 24 words`),
    tooMany: (count: number) => `${count} words: ${count - 24} too many. Is one there twice?`,
    unknown: (place: number, word: string) => `Word ${place}, “${word}”, is not one of the 2048 words.`,
    perhaps: 'Perhaps',
    replace: (place: number, word: string) => `Make word ${place} “${word}”`,
    checksum:
      'Each of the 24 is in the list, but they do not belong together. One may have been taken for another, or two have changed places.',
    whole: 'All 24 words are right.',
    mind: 'It is chosen anew: a diary holds no keys.',
    back: 'Bring them back',
    sending: (percent: number) => `Sending the diary, ${percent} %`,
    opening: 'Opening the diary, and looking through every page…',
    doing: 'Bringing them back…',
    done: (name: string) => `${name} is back.`,
    cancel: 'Stop',
    stopped: 'Stopped. Nothing was changed.',
    broke: 'The diary did not get through. It may have been changed or moved since it was chosen.',
    orNew: 'Or wake someone new',
  },

  phrase: {
    title: (name: string) => `New words for ${name}`,
    body: (name: string) =>
      `The first 24 words of ${name} were never confirmed, and this page does not keep them. New ones can be made at any time: a new diary is written at once, and only they open it.`,
    older:
      'If you did write the first words down, they still open the diaries made until now. They open none from now on.',
    make: 'Make new words',
    making: 'Writing a new diary…',
    haveThem: 'I have the first ones',
    failed: 'The new words could not be made.',
    olderLeft: (count: number) =>
      count === 1
        ? 'One older diary is still here, which only the earlier words open.'
        : `${count} older diaries are still here, which only the earlier words open.`,
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
