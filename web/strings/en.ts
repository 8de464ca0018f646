/** All texts of the page in English, except the ones that are loaded on demand. */

import type { Signal } from '../health/minute-runs.ts'
import type { Document, Via } from '../memory/documents.ts'
import type { Kind } from '../settings/channel-kinds.ts'
import type { DeedName } from '../settings/deeds.ts'
import type { Section } from '../settings/sections.ts'
import type { Room } from '../shared/address.ts'
import type { Condition, Provider, Slot, Way } from '../shared/shapes.ts'
import type { Theme } from '../shared/theme.ts'
import type { MicTrouble } from '../talk/recorder.ts'

/** A sentence with a link or code in the middle. */
type Three = readonly [string, string, string]

interface ImportCounts {
  readonly conversations: number
  readonly statements: number
}

export type Strings = typeof text

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
  unreachable: 'The daemon does not answer. Is it still running?',
  oddAnswer: (status: number) => `The daemon answered ${status} without saying why.`,
  unreadable: 'This page does not understand the answer of the daemon. Try to reload the page.',
  gone: (name: string) => `${name} is no longer here.`,
  nobodyThere: 'Nobody lives at that address.',

  list: {
    you: (words: string) => `You: ${words}`,
    fresh: 'new message',
    asks: 'waits for your decision',
  },

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
    body: 'Daimon keeps someone on this machine who remembers your conversations, keeps your reminders, and is still the same tomorrow.',
    name: 'Mira',
    tryTitle: 'Try it now',
    tryIt: 'Try it now',
    what: 'Talk to Mira within a second, on the practice model: a small stand-in that follows rules and runs inside the daemon. No download, no key, and nothing leaves this machine.',
    waking: 'Waking Mira…',
    newTitle: 'Wake someone new',
    newBody: 'Choose a name and a model, and if you like, their character and what they know about you.',
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
    nameHint: 'You can change it later.',
    nameMissing: 'They need a name.',
    mindMissing: 'They need a Mind to think with.',
    about: 'Who they are, and who you are',
    aboutHint: 'Optional: they also learn this when you talk to them.',
    traits: 'How should they be?',
    traitsHint: 'Warm, blunt, curious, brief. Each line is remembered as one statement.',
    person: 'What should they know about you?',
    personHint: 'Your name, your work, who matters to you. Each line is remembered as one statement.',
    channels: 'Channels',
    channelsHint: 'Other ways to reach them, besides this page. Optional.',
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
      `${name} is awake, but not everything you wrote down could be saved: ${why}`,
    keepAgain: 'Try to save it again',
    goOn: 'Continue without it',
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
    keyHint: 'Stored on this machine, and never shown again.',
    keyStays: 'Leave this empty to keep the key that is there.',
    keyBorrowed: 'Leave this empty to use the key of the Mind.',
    model: 'Model',
    voiceHint: 'You can add a voice to the name: ',
    voiceExample: 'tts-1#nova',
    modelMissing: (organ: string) => `${organ}: please choose a model, or “None”.`,
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
      local: 'The address of Ollama, if it is not the usual one.',
      beside: 'The address of a server for this, if it is not Ollama.',
      openai: 'Any server that speaks OpenAI’s protocol: LM Studio, llama.cpp, vLLM and others.',
      other: 'Only for a server that replaces theirs.',
    },
    others: 'Other abilities',
    othersHint: 'All of them are optional. The Mind tells you when it needs one.',
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
    takeAway: 'Remove',
  },

  talk: {
    log: (name: string) => `Talk with ${name}`,
    empty: (name: string) => `Say hello to ${name}.`,
    earlier: 'Earlier',
    loadingEarlier: 'Looking further back…',
    newWords: 'New messages below',
    you: 'You',
    whose: {
      person: '',
      persona: (by: string) => `In answer to ${by || 'a message'}`,
      daemon: '',
      program: 'From a program',
      forwarded: (by: string) => (by ? `Forwarded from ${by}` : 'Forwarded'),
      quoted: 'Quoted',
      replied: (by: string) => `In answer to ${by || 'a message'}`,
      embedded: (by: string) => (by ? `Shown by ${by}` : 'Preview of a link'),
      shared: 'Shared',
      pasted: 'Pasted',
    } satisfies Record<Way, string | ((by: string) => string)>,
    thinking: (name: string) => `${name} is thinking`,
    write: (name: string) => `Write to ${name}`,
    send: 'Send',
    stop: 'Stop',
    stopHint: 'Stop (Escape)',
    sending: 'sending…',
    waitsItsTurn: 'waits its turn',
    waitsForLine: 'waits for the connection',
    waitsForHer: (name: string) => `waits until ${name} is awake`,
    takeBack: 'Cancel',
    remove: 'Remove',
    uploading: (name: string) => `Sending ${name}`,
    uploadingSome: (count: number) => `Sending ${count} files`,
    brokeOff:
      'The file did not get through. It may be too large, or it was changed or moved since it was chosen.',
    asleep: {
      stopped: (name: string) => `${name} is stopped, and gets your messages once started.`,
      hibernating: (name: string) => `${name} is hibernating, and gets your messages once woken.`,
      sick: (name: string) => `${name} is sick, and gets your messages once woken.`,
    } satisfies Record<Exclude<Condition, 'awake' | 'ailing'>, (name: string) => string>,
    rouse: {
      stopped: (name: string) => `Start ${name}`,
      hibernating: (name: string) => `Wake ${name}`,
      sick: (name: string) => `Wake ${name}`,
    } satisfies Record<Exclude<Condition, 'awake' | 'ailing'>, (name: string) => string>,
    rousing: (name: string) => `Waking ${name}…`,
    today: 'Today',
    yesterday: 'Yesterday',
    away: 'away',
    awayBar: (name: string) =>
      `${name}’s Mind does not answer at the moment. Your messages are kept, and answered later.`,
    waitsForMind: (name: string) => `waiting for ${name}`,
    noAnswer: 'This was not answered.',
    askAgain: 'Ask once more',
    showAll: 'Show all',
    via: (channel: string) => `by ${channel}`,
    channel: { web: 'this page', telegram: 'Telegram', discord: 'Discord' } as Readonly<
      Record<string, string>
    >,
    more: 'More on this message',
    copy: 'Copy',
    copied: 'Copied.',
    notCopied: 'Copying is not allowed here. Please select the text.',
    copyCode: 'Copy this code',
    table: 'Table',
    code: 'Code',
    edit: 'Edit and ask again',
    learned: 'Show what was learned',
    learnedTitle: 'Learned from this message',
    learnedNothing: (name: string) =>
      `${name} has learned nothing from it so far. This often happens at night, when the day is summed up.`,
    learnedForgotten: 'forgotten since',
    toMemory: 'See it in the memory',
    aloud: 'Read aloud',
    readingAloud: 'Reading aloud…',
    quiet: 'Be quiet',
    saveTalk: 'Save the talk as Markdown',
    saving: 'Loading the talk…',
    saved: (count: number) => (count === 1 ? 'One message was saved.' : `${count} messages were saved.`),
    savedAs: (name: string) => `Talk with ${name}`,
    attached: (name: string) => `File: ${name}`,
    seeking: 'Looking for that message…',
    notFound: 'That message is not in this talk.',
    notify: {
      ask: (name: string) =>
        `${name} wrote while you were elsewhere. Should this browser notify you next time?`,
      yes: 'Yes, notify me',
      no: 'Not now',
      picture: 'A picture',
      clip: 'A clip of sound',
      file: 'A file',
    },
  },

  offRecord: {
    title: 'Off the record',
    promise: (name: string) =>
      `Nothing you say here is saved, and ${name} will not remember it. It is gone when you leave, close or reload this page. Only the cost is counted.`,
    through: (provider: string) => `Your messages still go to ${provider}, which answers them.`,
    back: 'Back to the talk',
    log: (name: string) => `Talk with ${name}, off the record`,
    empty: (name: string) => `Here you can think aloud with ${name}.`,
    write: (name: string) => `Write to ${name}, off the record`,
    notRunning: (name: string) => `${name} is not running, and cannot answer.`,
    cut: 'The answer ends here: the model has reached its limit.',
    choose: 'Choose pictures',
    picturesAlone: 'Off the record only pictures can be shown: PNG, JPEG, GIF or WebP.',
    tooMuch: 'That is too much: 14 MB of pictures fit into one talk off the record.',
    unreadable: 'This picture cannot be read any more.',
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
    cancel: 'Cancel (Escape)',
    send: 'Send the recording',
    silent: 'The microphone picks up no sound.',
    handsFree: 'Talk hands-free',
    hands: {
      asking: 'Waiting for the microphone…',
      listening: 'Listening. Just speak.',
      hearing: 'Hearing you…',
      waiting: (name: string) => `${name} is thinking…`,
      speaking: (name: string) => `${name} is speaking. Tap to interrupt.`,
      interrupt: 'Interrupt',
      end: 'End',
    },
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
      change: 'Testing…',
      clear: 'Removing…',
      delete: 'Deleting…',
    },
    done: {
      start: 'Started.',
      stop: 'Stopped.',
      restart: 'Restarted.',
      rename: 'Renamed.',
      change: 'Changed.',
      clear: 'Removed.',
    },
    delete: 'Delete…',
    deleteWarning: (name: string) =>
      `${name}, everything they remember and everything you said to each other will be removed from this machine.`,
    deleteAsk: (name: string) => `Type “${name}” to continue`,
    deleteNow: 'Delete permanently',
  },

  words: {
    bar: (name: string) =>
      `Please save the recovery words of ${name}. Without them, no backup can be opened.`,
    barOpen: 'Get the recovery words',
    title: (name: string) => `The 24 recovery words of ${name}`,
    body: (name: string) =>
      `Every night a backup of ${name} is written, the diary. Only these words open it. They are stored nowhere else: write them down, and keep them as safe as a key.`,
    list: 'The 24 recovery words in order',
    copy: 'Copy',
    copied: 'Copied. Clipboards are read by many: paste the words soon, and copy something else.',
    notCopied: 'Copying is not allowed here. Please select the text.',
    save: 'Save as a file',
    saved: 'Saved. Move the file where others cannot read it.',
    print: 'Print',
    fileName: (name: string) => `${name} recovery words.txt`,
    kept: 'I have them',
    later: 'Later',
    askTitle: 'Do you have them all?',
    askBody: 'Please type three of the words, to check that you have saved them.',
    word: (place: number) => `Word ${place}`,
    check: 'Continue',
    look: 'Show the words again',
    wrong: (places: string, one: boolean) =>
      one
        ? `Word ${places} is not the one that was shown.`
        : `Words ${places} are not the ones that were shown.`,
    and: ' and ',
    done: (name: string) => `Good. With these words, ${name} can always be restored.`,
    paper: (name: string, date: string) =>
      `Recovery words of ${name}, ${date}. Together with a .diary file they restore ${name}. Anyone who has both can read everything.`,
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
    odd: 'This file does not end in .diary. If it is a diary anyway, continue.',
    size: (megabytes: string) => `${megabytes} MB`,
    words: 'The 24 recovery words',
    wordsHint: 'Type or paste them in their order. Capitals, commas, numbers and line breaks do not matter.',
    wordsMissing: 'Please type the 24 words.',
    checkWords: 'Please check the 24 words: the problem is shown below them.',
    count: (count: number) => (count === 1 ? '1 of 24 words' : `${count} of 24 words`),
    tooMany: (count: number) => `${count} words: ${count - 24} too many. Is one there twice?`,
    unknown: (place: number, word: string) => `Word ${place}, “${word}”, is not one of the 2048 words.`,
    perhaps: 'Perhaps',
    replace: (place: number, word: string) => `Make word ${place} “${word}”`,
    checksum:
      'All 24 words are in the list, but they do not belong together. One may be mistaken for another, or two may be swapped.',
    whole: 'All 24 words are right.',
    mind: 'Choose it again: a diary contains no keys.',
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
      `The first 24 words of ${name} were never confirmed, and this page does not keep them. You can make new ones at any time: a new diary is written immediately, and only they open it.`,
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

  turn: {
    title: 'Details',
    still: 'This turn is not finished yet.',
    heard: (count: number) => (count === 1 ? 'Took one message' : `Took ${count} messages`),
    due: 'Fell due',
    perceived: 'Perceived',
    outcome: { perceived: 'perceived', shown: 'shown to the Mind as it is', refused: 'not perceived' },
    called: 'Used',
    failed: 'failed',
    open: 'not answered',
    learned: 'Learned and planned',
    fact: {
      MemoryKept: 'Remembered',
      MemoryRevised: 'Corrected',
      MemoryForgotten: 'Forgot a statement',
      MemoryRestored: 'Remembered again',
      InstructionLearned: 'Learned an instruction',
      InstructionRevised: 'Revised an instruction',
      InstructionRemoved: 'Removed an instruction',
      EntryPlanned: 'Planned',
      EntryMoved: 'Moved',
      EntryCancelled: 'Cancelled a plan',
      EntryDone: 'Finished a due entry',
    } as Readonly<Record<string, string>>,
    nothing: 'No tool was used and nothing was learned.',
    missed: 'Without an answer',
    model: 'Model',
    tokens: 'Tokens',
    untold: 'not reported by the model',
    inOut: (input: string, output: string) => `${input} in, ${output} out`,
    cached: (count: string) => `${count} of them from a cache`,
    time: 'Time',
    money: 'Money',
    noPrice: 'no price is known',
    free: 'nothing: it runs on this machine',
    calls: (count: number) => (count === 1 ? 'one call' : `${count} calls`),
    long: 'This turn is too long to be shown whole.',
    whole: 'Every model call in full',
  },

  memory: {
    lead: (name: string) =>
      `Everything ${name} knows, as single statements. You can correct or forget each one, and see where it comes from.`,
    documents: {
      person: { title: 'About you', hint: 'Who you are, and how you live.' },
      traits: { title: 'How you are', hint: 'Your typical traits.' },
      'persona-trait': { title: 'How they are', hint: 'How they should be with you.' },
      wishes: { title: 'Wishes', hint: 'Your hopes and plans.' },
      struggles: { title: 'Struggles', hint: 'Your worries and problems.' },
      permissions: { title: 'Permissions', hint: 'The things that you allow or forbid.' },
    } satisfies Record<Document, { readonly title: string; readonly hint: string }>,
    empty: (name: string) =>
      `${name} knows nothing about you yet. Tell them something lasting, or write it down here.`,
    emptyThen: (name: string) => `${name} knew nothing yet.`,
    toTalk: (name: string) => `Talk to ${name}`,
    none: 'Nothing here yet.',
    origin: {
      person: 'written by you',
      persona: (name: string) => `noted by ${name} in the talk`,
      consolidation: (name: string) => `noted by ${name} when looking back`,
      history: 'from an imported chat',
    },
    /** The source of third-party text in a statement. */
    via: {
      program: (by) => `in the words of ${by ?? 'a program'}`,
      forwarded: (by) => `in the words of ${by ?? 'a forwarded message'}`,
      quoted: (by) => `in the words of ${by ?? 'a quotation'}`,
      replied: (by) => `in the words of ${by ?? 'a message that you answered'}`,
      embedded: (by) => `in the words of ${by ?? 'a link preview'}`,
      shared: (by) => `from ${by ?? 'a shared card'}`,
      pasted: (by) => `from ${by ?? 'pasted text'}`,
      file: (by) => `from ${by ?? 'a file'}`,
      page: (by) => `from ${by ?? 'a web page'}`,
      tool: (by) => `from the tool ${by ?? ''}`.trim(),
      skill: (by) => `from the skill ${by ?? ''}`.trim(),
      teacher: () => 'in the words of the Teacher',
      history: () => 'from an imported chat',
      talk: () => 'contains text of others from the talk',
    } satisfies Record<Via, (by: string | null) => string>,
    sources: (count: number) => (count === 1 ? 'Source' : `Sources (${count})`),
    sourcesOf: (words: string) => `Sources of: ${words}`,
    moreSources: (count: number) => `Show ${count} more`,
    source: {
      person: 'You',
      empty: 'The text was erased.',
      file: 'A file',
      history: (title: string, source: string) => `Imported chat “${title}” (${source})`,
      other: 'Another record of the journal',
      failed: 'The text could not be loaded.',
      open: 'Open in the talk',
    },
    write: 'Write down',
    writeIn: (title: string) => `Write something down under “${title}”`,
    words: 'Text of the statement',
    wordsHint: 'One sentence, 300 characters at most.',
    save: 'Save',
    correct: 'Correct',
    correctOne: (words: string) => `Correct: ${words}`,
    forget: 'Forget',
    forgetOne: (words: string) => `Forget: ${words}`,
    restore: 'Restore',
    restoreOne: (words: string) => `Restore: ${words}`,
    undo: 'Undo',
    written: 'Written down.',
    known: 'This was already known.',
    corrected: 'Corrected.',
    forgotten: 'Forgotten.',
    restored: 'Restored.',
    proposedTitle: (count: number) => `Proposed (${count})`,
    proposedHint: (name: string) =>
      `Programs propose that ${name} remembers this. Nothing is remembered before you accept it.`,
    proposed: 'by a program',
    proposedBy: (program: string) => `by a program that calls itself “${program}”`,
    accept: 'Accept',
    acceptOne: (words: string) => `Accept: ${words}`,
    decline: 'Decline',
    declineOne: (words: string) => `Decline: ${words}`,
    accepted: 'Accepted.',
    declined: 'Declined.',
    gone: 'It was changed elsewhere meanwhile.',
    forgottenTitle: (count: number) => `Forgotten (${count})`,
    forgottenHint:
      'Forgotten statements are not learned again from earlier messages. Restore one, and it is known as before.',
    noWords: 'Please write something.',
  },

  instructions: {
    lead: (name: string) =>
      `How ${name} handles certain situations. They read the instruction that fits before they act.`,
    own: (name: string) => `Learned by ${name}`,
    ownHint: (name: string) =>
      `${name} writes these. To change one, say so in the talk. Here you can undo what was learned.`,
    ownEmpty: (name: string) =>
      `${name} has learned none yet. When something goes wrong, say how you would like it: it may become one.`,
    ownEmptyThen: (name: string) => `${name} had learned none yet.`,
    toTalk: (name: string) => `Talk to ${name}`,
    builtin: 'Built in',
    builtinHint: 'Every persona begins with these. They cannot be changed.',
    builtinThen: 'They are shown as they are now.',
    learned: (when: string) => `learned ${when}`,
    revised: (when: string) => `changed ${when}`,
    removed: (when: string) => `removed ${when}`,
    before: 'The previous text',
    unlearn: 'Unlearn',
    unlearnOne: (title: string) => `Unlearn: ${title}`,
    revert: 'Undo the change',
    revertOne: (title: string) => `Undo the change: ${title}`,
    restore: 'Restore',
    restoreOne: (title: string) => `Restore: ${title}`,
    undo: 'Undo',
    unlearned: 'Unlearned.',
    reverted: 'The change was undone.',
    restored: 'Restored.',
    droppedTitle: (count: number) => `Removed (${count})`,
  },

  calendar: {
    views: { agenda: 'Agenda', week: 'Week', month: 'Month' },
    viewLabel: 'View',
    today: 'Today',
    earlier: { agenda: 'Four weeks earlier', week: 'Week before', month: 'Month before' },
    later: { week: 'Week after', month: 'Month after' },
    add: 'Plan something',
    change: 'Change',
    changeOne: (words: string) => `Change: ${words}`,
    cancelEntry: 'Cancel the entry',
    cancelOne: (words: string) => `Cancel: ${words}`,
    kind: { reminder: 'Reminder', schedule: 'Appointment' },
    kindHint: {
      reminder: (name: string) => `${name} reminds you at this time.`,
      schedule: (name: string) => `${name} knows about it.`,
    },
    kindLabel: 'Kind',
    what: 'What',
    date: 'Date',
    time: 'Time',
    repeat: 'Repeats',
    recurrence: {
      once: 'only once',
      hourly: 'every hour',
      daily: 'every day',
      weekly: 'every week',
      monthly: 'every month',
      yearly: 'every year',
    },
    save: 'Save',
    plan: 'Plan it',
    whatMissing: 'Please write something.',
    whenMissing: 'Please choose a day and a time.',
    elsewhere: (zone: string) => `The daemon is in the time zone ${zone}. All times here are in yours.`,
    thereIt: (when: string, zone: string) => `In ${zone}, the time zone of the daemon: ${when}`,
    planned: 'Planned.',
    changed: 'Changed.',
    moved: (when: string) => `Moved to ${when}.`,
    cancelled: 'Cancelled.',
    undo: 'Undo',
    gone: 'It is no longer planned: it was cancelled or is over.',
    was: 'was due',
    empty: (name: string) =>
      `Nothing is planned. Ask ${name} to remind you of something, or plan it yourself.`,
    emptyThen: 'Nothing was planned.',
    waits: 'Due, not delivered yet',
    coming: 'To come',
    days: 'The days before',
    noDays: 'There are no past days yet.',
    grid: 'Calendar',
    more: (count: number) => `${count} more`,
    hint: 'Press a day to plan something; drag an entry to move it. In the agenda everything can be done with the keyboard alone.',
    feed: {
      title: 'In your own calendar',
      body: 'Subscribe to this address in another calendar on this machine: it stays up to date by itself.',
      label: 'Address of the feed',
      copy: 'Copy',
      copied: 'Copied.',
      notCopied: 'Copying is not allowed here. Please select the address.',
    },
  },

  health: {
    how: {
      awake: (name: string) => `${name} is awake and well.`,
      ailing: (name: string) => `${name} is awake, but its model does not answer at the moment.`,
      stopped: (name: string) => `${name} is stopped.`,
      hibernating: (name: string) => `${name} hibernates.`,
      sick: (name: string) => `${name} is sick and not awake.`,
    } satisfies Record<Condition, (name: string) => string>,
    organsFail: (names: string) => `Not working: ${names}.`,
    act: {
      start: 'Start',
      wake: 'Wake up',
      stop: 'Stop',
      restart: 'Restart',
      sleep: 'Let sleep',
      hibernate: 'Let hibernate',
    },
    doing: {
      start: 'Starting…',
      wake: 'Waking…',
      stop: 'Stopping…',
      restart: 'Restarting…',
      sleep: 'Sleeping…',
      hibernate: 'Going to rest…',
    },
    done: {
      start: 'Started.',
      wake: 'Awake.',
      stop: 'Stopped.',
      restart: 'Restarted.',
      sleep: 'Slept. The day is over, and its diary is written.',
      hibernate: 'Hibernating.',
    },
    day: 'The last 24 hours',
    grid: (served: string, failed: string) =>
      `24 hours of 60 minutes: served in ${served} of them, something failed in ${failed}.`,
    gridHint: 'Each row is an hour, the latest on top. Its latest minute is on the left.',
    legend: { served: 'awake', failed: 'something failed', quiet: 'not awake' },
    failures: 'What failed',
    noFailures: 'Nothing failed.',
    between: (from: string, to: string) => `${from} to ${to}`,
    signal: {
      woke: 'woke',
      stopped: 'stopped',
      'waking failed': 'could not wake',
      turn: 'thought',
      perception: 'perceived',
      program: 'asked by a program',
      reminder: 'a reminder was due',
      consolidation: 'summed up the talk',
      sleep: 'slept',
      'organ failed': 'an ability failed',
      recovered: 'an ability works again',
      sick: 'became sick',
      salvaged: 'journal salvaged',
    } satisfies Record<Signal, string>,
    organs: 'Abilities',
    well: 'well',
    failing: 'failing',
    lastError: (when: string) => `Last error, ${when}`,
    lastErrorUndated: 'Last error',
    noError: 'No recent error.',
    keyMissing: 'Its key has to be entered again.',
    serverRefuses: 'Its server refuses',
    channels: 'Channels',
    waiting: (count: number) =>
      count === 1
        ? 'One message waits to be delivered there.'
        : `${count} messages wait to be delivered there.`,
    journal: 'Journal',
    events: 'Events',
    size: 'On the disk',
    head: 'Head',
    copyHead: 'Copy the head',
    copied: 'Copied.',
    notCopied: 'Copying is not allowed here.',
    verifiedAt: 'Last verified as undamaged',
    never: 'not known',
    growth: 'Per 1000 messages',
    verify: 'Verify now',
    verifying: 'Verifying…',
    whole: (events: string) => `The journal is undamaged: all ${events} events are as they were written.`,
    broken: (events: string, first: string) =>
      `The journal is damaged from event ${first} on; the ${events} before it are as they were written.`,
    media: (checked: number) =>
      checked === 0
        ? 'There are no files.'
        : checked === 1
          ? 'The one file is unchanged.'
          : `All ${checked} files are unchanged.`,
    mediaBad: (missing: number, damaged: number) =>
      `Of the files, ${missing} are gone and ${damaged} were changed.`,
    mediaUnhashed: (count: number) => `${count} files have no checksum to compare.`,
    diaries: (count: number) =>
      count === 0
        ? 'There is no diary here.'
        : count === 1
          ? 'The one diary here is readable.'
          : `All ${count} diaries here are readable.`,
    diariesBad: (count: number, of: number) => `${count} of ${of} diaries here are not readable.`,
    diariesOld: (count: number) =>
      count === 1
        ? 'One of them opens only with an older recovery phrase.'
        : `${count} of them open only with an older recovery phrase.`,
    damaged: 'The journal is damaged.',
    salvage: 'Salvage…',
    salvageTitle: 'Salvage the journal',
    salvageBody: (name: string) =>
      `First the damaged journal is copied, and the copy stays. Then ${name} continues with every event that is undamaged; the others are lost here, and marked so. Messages, memories or plans in them are gone.`,
    salvageGo: 'Salvage and start',
    salvaging: 'Salvaging…',
    salvaged: (kept: string, lost: string) => `Salvaged: ${kept} events kept, ${lost} lost.`,
    salvagedCopy: (folder: string) => `The copy of the damaged journal is in ${folder}.`,
    usage: 'Tokens and money',
    range: 'Show',
    ranges: { 7: '7 days', 30: '30 days', 90: '90 days', 0: 'everything' },
    noUsage: (name: string) => `${name} has used no tokens in this time.`,
    tokens: 'Tokens',
    money: 'Money',
    chart: (from: string, to: string) => `Tokens and money per day, ${from} to ${to}`,
    today: (tokens: string) => `${tokens} tokens today`,
    ceiling: (tokens: string, ceiling: string) => `${tokens} of ${ceiling} tokens today`,
    asTable: 'As a table',
    table: {
      day: 'Day',
      organ: 'Ability',
      model: 'Model',
      calls: 'Calls',
      failed: 'Failed',
      input: 'In',
      output: 'Out',
      time: 'Time',
      money: 'Money',
    },
    byOrgan: 'By ability',
    byModel: 'By model',
    byDay: 'By day',
    noPrice: 'no price',
    prices: (dated: string) => `Prices of ${dated}.`,
  },

  settings: {
    label: (name: string) => `Settings of ${name}`,
    section: {
      life: 'Name and life',
      organs: 'Abilities',
      channels: 'Channels',
      tools: 'Tools',
      skills: 'Skills',
      import: 'Old chats',
      backup: 'Backup',
      appearance: 'Appearance',
      delete: 'Delete',
    } satisfies Record<Section, string>,
    how: {
      awake: (name: string) => `${name} is awake and listens.`,
      ailing: (name: string) =>
        `${name} is awake, but its model does not answer at the moment. Your messages are kept and answered later.`,
      stopped: (name: string) => `${name} is stopped, and gets no messages until started.`,
      hibernating: (name: string) => `${name} hibernates, and gets no messages until woken.`,
      sick: (name: string) => `${name} is sick, and could not be woken.`,
    } satisfies Record<Condition, (name: string) => string>,
    deed: {
      start: {
        name: 'Start',
        what: (name: string) => `${name} wakes, and answers waiting messages.`,
        doing: 'Starting…',
        done: 'Started.',
      },
      wake: {
        name: 'Wake',
        what: (name: string) => `${name} is active again, and answers waiting messages.`,
        doing: 'Waking…',
        done: 'Awake.',
      },
      sleep: {
        name: 'Let sleep',
        what: (name: string) =>
          `As every night: ${name} sums up the talk, closes the day and writes a backup. Messages sent meanwhile are answered afterwards.`,
        doing: 'Asleep… This can take some minutes.',
        done: 'Slept, and awake again.',
      },
      restart: {
        name: 'Restart',
        what: () =>
          'Starts again from the data on the disk. An answer in progress is cut off; nothing else is lost.',
        doing: 'Restarting…',
        done: 'Restarted.',
      },
      stop: {
        name: 'Stop',
        what: (name: string) =>
          `${name} gets no messages until started again, also after a restart of this machine. Nothing is lost.`,
        doing: 'Stopping…',
        done: 'Stopped.',
      },
      hibernate: {
        name: 'Hibernate',
        what: (name: string) =>
          `For a longer while: ${name} rests, and everyone can see that it is meant so.`,
        doing: 'Going to rest…',
        done: 'Hibernating.',
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
    rename: { doing: 'Renaming…', done: 'Renamed.' },
    nameMissing: 'A name is needed.',
    idle: 'Minutes of silence before looking back',
    idleHint: (name: string) =>
      `After this time without a message, ${name} sums up the talk and remembers what matters.`,
    idleMissing: 'At least one second: a number above 0.',
    idleSet: { doing: 'Changing…', done: 'Changed.' },
    organsLead: (name: string) =>
      `The models that ${name} uses. Only the Mind is required. The other abilities are optional, and can be changed or removed at any time.`,
    organ: {
      change: { doing: 'Testing…', done: 'Changed.' },
      clear: { doing: 'Removing…', done: 'Removed.' },
    },
    failing: 'Does not work:',
    appearanceLead: 'How this page looks and speaks, in this browser.',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>,
    language: 'Language',
    languageOfBrowser: 'As the browser',
    languageHint: 'The language of the page: personas answer in the language you use. The page is reloaded.',
    push: {
      title: 'While the page is closed',
      hint: 'This browser can notify you about messages, also while the page is closed. Name and first words go through the push service of the browser’s maker, encrypted so that only this browser can read them.',
      turnOn: 'Turn on',
      turnOff: 'Turn off',
      tryIt: 'Try it',
      on: { doing: 'Asking the browser…', done: 'Notifications are on.' },
      off: { doing: 'One moment…', done: 'Notifications are off.' },
      try: { doing: 'On its way…', done: 'Sent. It should be here within seconds.' },
      arrived: 'It works: notifications will look like this.',
      blocked: 'This browser does not allow notifications of this page. Only its own settings change that.',
      unanswered: 'Notifications stay off: the browser’s question was closed without an answer.',
      insecure: 'The browser allows this only over https, or on the machine itself at localhost.',
      unable:
        'This browser cannot notify you while the page is closed. On an iPhone or iPad, put the page on the home screen first.',
      noService: 'The push service of this browser could not be reached. Try it again later.',
      lost: 'This browser has forgotten it. Turn it on again.',
    },
    delete: {
      lead: (name: string) => `Removes ${name} from this machine. You are asked for the name first.`,
      title: (name: string) => `Delete ${name}?`,
      deed: { doing: 'Deleting…', done: '' },
      stays: 'What stays',
      diary:
        'The last diary, for 30 days, in the folder of the daemon. Only the 24 words open it; with both, everything can be brought back.',
      elsewhere: [
        'Backups that you saved or copied elsewhere.',
        'Everything that was sent to Telegram, Discord or the provider of a model.',
      ],
      purge: 'Remove the diaries here as well. Then nothing here can bring anyone back.',
      force: 'Delete anyway. A model that was registered at a runtime may stay there.',
    },
  },

  channels: {
    lead: (name: string) =>
      `${name} can be written to on Telegram and Discord, too, through a bot of your own.`,
    kind: { telegram: 'Telegram', discord: 'Discord' } satisfies Record<Kind, string>,
    empty: (name: string) => `So far ${name} can be reached on this page alone.`,
    state: {
      open: (name: string) => `${name} listens there.`,
      silent: (name: string) => `Silent while ${name} is not running. Messages there are delivered later.`,
      unpaired: () => 'Not paired with a chat yet.',
      failing: () => 'Does not work at the moment.',
    },
    waiting: (count: number) =>
      count === 1 ? 'One message waits to be delivered.' : `${count} messages wait to be delivered.`,
    remove: 'Remove',
    removeOne: (platform: string, name: string) => `Remove ${platform} ${name}`,
    removeWarning: (name: string) =>
      `${name} gets no more messages from there. Earlier messages stay in the talk; the bot itself stays on its platform.`,
    removing: { doing: 'Removing…', done: 'Removed.' },
    add: 'Add a channel',
    addNow: 'Add',
    adding: { doing: 'Asking the platform…', done: 'Added. Now write to the bot, and type its code here.' },
    platform: 'Platform',
    token: 'Token of the bot',
    tokenHint:
      'Kept on this machine, and never shown again. A new token of a bot that is here takes the place of the old one.',
    tokenMissing: 'The token is missing.',
    help: {
      telegram: {
        page: 'https://t.me/BotFather',
        pageName: 'Open @BotFather',
        steps: [
          'In Telegram, write /newbot to @BotFather and answer its questions.',
          'It gives you a token, such as 4242:AAH…: paste it here.',
          'Then write anything to your bot: it answers with a code to type here.',
        ],
      },
      discord: {
        page: 'https://discord.com/developers/applications',
        pageName: 'Open the Discord developer page',
        steps: [
          'Make an application. Under “Bot”, reset the token and switch on “Message Content Intent”.',
          'Invite the bot to a server of yours, so that you may write to it.',
          'Paste the token here, then write to the bot directly: it answers with a code to type here.',
        ],
      },
    } satisfies Record<
      Kind,
      { readonly page: string; readonly pageName: string; readonly steps: readonly string[] }
    >,
    pairHint:
      'Write anything to the bot in a chat of your own. It answers with a code, which is good for ten minutes.',
    pairStopped: (name: string) => `${name} has to be awake for the bot to answer with its code.`,
    code: 'Code from the chat',
    codeMissing: 'The code is missing.',
    pair: 'Pair',
    pairing: { doing: 'Pairing…', done: '' },
    paired: (name: string) => `Paired. ${name} gets your messages there now.`,
  },

  import: {
    lead: (name: string) =>
      `${name} can learn from your chats with another AI. Statements about you become memory, each with the chat it comes from; the chats themselves are not copied.`,
    asleep: (name: string) => `${name} has to be awake for this.`,
    toLife: 'Go to the setting',
    whence: 'Source of the chats',
    from: {
      chatgpt: {
        name: 'ChatGPT',
        how: 'There: Settings → Data controls → Export data. A zip comes by mail.',
      },
      claude: { name: 'Claude', how: 'There: Settings → Privacy → Export data. A zip comes by mail.' },
      gemini: {
        name: 'Gemini',
        how: 'At takeout.google.com: My Activity → Gemini Apps, as JSON, not HTML. Take MyActivity.json.',
      },
      grok: {
        name: 'Grok',
        how: 'There: Settings → Data controls → Export account data. A link comes by mail; the zip holds prod-grok-backend.json.',
      },
      openwebui: {
        name: 'Open WebUI',
        how: 'There: Settings → Data controls → Export chats. Take the JSON.',
      },
      librechat: { name: 'LibreChat', how: 'There, in a chat: Export, as JSON.' },
      sillytavern: {
        name: 'SillyTavern',
        how: 'Chats as JSONL, characters as PNG or JSON, or a zip of the folder data/default-user. A character says at most that you keep it.',
      },
      aistudio: {
        name: 'Google AI Studio',
        how: 'In Google Drive, in the folder Google AI Studio: the file of a prompt.',
      },
      claudecode: {
        name: 'Claude Code',
        how: 'A zip of a project’s folder in ~/.claude/projects, or the .jsonl of a session.',
      },
      codex: {
        name: 'Codex CLI',
        how: 'A zip of the folder ~/.codex/sessions, or a rollout-….jsonl.',
      },
      openclaw: {
        name: 'OpenClaw',
        how: 'A zip of the workspace, or MEMORY.md, USER.md, SOUL.md or a day of memory/.',
      },
      hermes: {
        name: 'Hermes',
        how: 'A zip of ~/.hermes, or MEMORY.md, USER.md or SOUL.md.',
      },
      eternego: {
        name: 'Eternego',
        how: 'The diary under the name it has, with its recovery words, or a zip of the folder personas/…/home.',
      },
      characterai: {
        name: 'Character.AI',
        how: 'A browser extension that saves chats as JSON. Take the JSON.',
      },
      letta: {
        name: 'Letta',
        how: 'There: Download agent file. Take the .af.',
      },
      locomo: {
        name: 'LoCoMo',
        how: 'The JSON of the benchmark.',
      },
      whatsapp: {
        name: 'WhatsApp',
        how: 'In the chat: Export chat, without media. Take the file under its own name.',
      },
      telegram: {
        name: 'Telegram',
        how: 'In Telegram Desktop: Export chat history of a chat, or Settings → Advanced → Export Telegram data, as JSON. Take result.json.',
      },
      discord: {
        name: 'Discord',
        how: 'Settings → Data & Privacy → Request all of my data, with Messages. Take the zip. It holds only what you wrote.',
      },
      copilot: {
        name: 'Microsoft Copilot',
        how: 'account.microsoft.com/privacy → Copilot → Export all activity history. Take the CSV.',
      },
      other: {
        name: 'Another AI',
        how: 'Messages of “role” and “content”, as one JSON or one in each line, or plain text with “Name: words” in each line.',
      },
    },
    otherName: 'Its name',
    phrase: 'Recovery words of the diary',
    phraseHint: 'They open a file that ends in .diary, and are not stored.',
    file: 'The exported file',
    fileHint:
      'The zip as you received it, or the file in it. First you see its content; nothing is imported yet.',
    whoAreYou: 'Which of them is you',
    whoAreYouHint: 'The file does not say it. Only your own messages can become memory.',
    noneOfThem: 'Not said',
    sending: 'Uploading the file…',
    reading: 'Reading the file…',
    found: (count: number, open: number) =>
      open === count ? (count === 1 ? 'One chat' : `${count} chats`) : `${count} chats, ${open} of them new`,
    nothing: 'There are no chats with messages in this file.',
    seek: 'Search the titles',
    all: 'Choose all',
    none: 'Choose none',
    conversations: 'Chats in the file',
    untitled: 'Without a title',
    known: 'known already',
    messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
    noneFits: 'No title has these words.',
    more: (count: number) => `Show ${count} more`,
    cost: (name: string) =>
      `The Mind of ${name} is asked once for each chat, for long ones more often. With a provider this costs.`,
    feed: (count: number) => (count === 1 ? 'Import one chat' : `Import ${count} chats`),
    feeding: 'Imported chats',
    far: (done: number, total: number) => `${done} of ${total} imported…`,
    mayLeave: (name: string) =>
      `You can talk to ${name} meanwhile. Keep this page open: if you close it, the finished part stays, and you can continue with the same file.`,
    stop: 'Stop here',
    gained: (name: string, { conversations, statements }: ImportCounts) => {
      const chats = conversations === 1 ? 'One chat was new' : `${conversations} chats were new`
      const learned = statements === 1 ? 'one statement' : `${statements} statements`
      if (conversations === 0) return `Nothing in it was new to ${name}.`
      return statements === 0
        ? `${chats}. ${name} learned nothing from it.`
        : `${chats}. ${name} learned ${learned} from it.`
    },
    ended: 'The import has ended. It is not known how much was new.',
    goOn: 'Continue',
    toMemory: 'Look at the memory',
    another: 'Another file',
  },

  backup: {
    lead: (name: string) =>
      `A diary is one file of all that ${name} is: the whole talk, memory, calendar and files. Only the 24 recovery words open it, here or on another machine.`,
    export: 'Export now',
    exporting: { doing: 'Preparing…', done: 'Your browser saves the file.' },
    last: (when: string, size: string) => `Last diary here: ${when} (${size}).`,
    kept: (count: number) =>
      count === 1 ? 'It is the only one that is kept here.' : `${count} are kept here.`,
    older: (count: number) =>
      count === 1 ? 'One of them needs older recovery words.' : `${count} of them need older recovery words.`,
    none: 'There is no diary here yet.',
    unread: 'The diaries on the disk could not be listed.',
    promised: 'How backups work',
    promises: [
      'One is written at the end of every night after a day on which something happened, with new words, and before deletion. The last seven stay, up to 2 GB.',
      'They are in the daemon’s folder, under “diaries”. Copy that folder to a safe place: the daemon sends it nowhere.',
      'They are encrypted so that not even the daemon can open them. Without the words, no one can.',
      'Keys of providers and tokens of bots are not in them: you enter them again.',
      'With a diary and its words, “bring someone back” on the first page restores everything.',
    ],
    renew: 'New words…',
    renewWarning: (name: string) =>
      `You get 24 new words, shown this once. From then on they open the diaries of ${name}, and one is written for them right away. Diaries from before still need the old words.`,
    removeOlder: (count: number) =>
      count === 1
        ? 'Remove the diary here that only the old words open: for words that are lost, or that someone else has seen.'
        : `Remove the ${count} diaries here that only the old words open: for words that are lost, or that someone else has seen.`,
    renewNow: 'Make new words',
    renewing: { doing: 'Making words, and a diary for them…', done: '' },
  },

  palette: {
    open: 'Search and go to',
    label: 'Search and go to',
    placeholder: (name: string | null) =>
      name ? `Search all of ${name}, or go somewhere` : 'Search everything, or go somewhere',
    results: 'Results',
    goTo: 'Go to',
    actions: 'Actions',
    foundWith: (name: string) => `Found with ${name}`,
    room: (room: string, name: string) => `${room} of ${name}`,
    wakeNew: 'Wake someone new',
    bringBack: 'Bring someone back',
    offRecord: (name: string) => `Talk to ${name} off the record`,
    start: (name: string) => `Start ${name}`,
    stop: (name: string) => `Stop ${name}`,
    started: (name: string) => `${name} is started.`,
    stopped: (name: string) => `${name} is stopped.`,
    searching: 'Searching…',
    nothing: 'Nothing found.',
    more: 'There is more: add a word to narrow it down.',
    failed: 'The search failed.',
    you: 'You',
    kind: {
      said: 'message',
      file: 'file',
      memory: 'memory',
      plan: 'plan',
      instruction: 'instruction',
      day: 'a day',
      history: 'imported chat',
    },
    keys: '↑ ↓ to choose, Enter to go, Escape to close',
  },
}
