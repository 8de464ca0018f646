/** Every word the page says of its own. */

import type { Gained } from '../import/feeding.svelte.ts'
import type { Kind } from '../settings/channels.ts'
import type { DeedName } from '../settings/deeds.ts'
import type { Section } from '../settings/sections.ts'
import type { Document } from '../memory/documents.ts'
import type { Room } from '../shared/address.ts'
import type { Condition, Provider, Slot, Way } from '../shared/shapes.ts'
import type { Theme } from '../shared/theme.ts'
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
  unreachable: 'The daemon does not answer. Is it still running?',
  oddAnswer: (status: number) => `The daemon answered ${status} without saying why.`,
  unreadable: 'The daemon answered in words this page does not know. Reloading may help.',
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
    body: 'Pick someone from the list.',
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
      `${name}, everything they remember and everything you said to each other will be removed from this machine.`,
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
      one ? `Word ${places} is another one.` : `Words ${places} are others.`,
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
    mind: 'A Mind, as after every journey: keys are never in a diary.',
    back: 'Bring them back',
    sending: (percent: number) => `Sending the diary, ${percent} %`,
    opening: 'Opening the diary, and looking through every page…',
    doing: 'Bringing them back…',
    done: (name: string) => `${name} is back.`,
    notStarted: 'They are back, but not awake yet.',
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

  memory: {
    lead: (name: string) =>
      `What ${name} knows, one statement at a time. You can put each right, have it forgotten, and see where it comes from.`,
    documents: {
      person: { title: 'About you', hint: 'Who you are, and what your life is made of.' },
      traits: { title: 'How you are', hint: 'What is typical of you.' },
      'persona-trait': { title: 'How they are', hint: 'How they should be with you.' },
      wishes: { title: 'Wishes', hint: 'What you hope for and look forward to.' },
      struggles: { title: 'Struggles', hint: 'What weighs on you.' },
      permissions: { title: 'Permissions', hint: 'What you allow, and what you do not.' },
    } satisfies Record<Document, { readonly title: string; readonly hint: string }>,
    empty: (name: string) =>
      `${name} knows nothing of you yet. Tell them something lasting, or write it down here.`,
    emptyThen: (name: string) => `${name} knew nothing yet.`,
    toTalk: (name: string) => `Talk to ${name}`,
    none: 'Nothing here yet.',
    origin: {
      person: 'written by you',
      persona: (name: string) => `noted by ${name} in the talk`,
      consolidation: (name: string) => `noted by ${name} when looking back`,
      history: 'from an imported chat',
    },
    sources: (count: number) => (count === 1 ? 'Where from' : `Where from (${count})`),
    sourcesOf: (words: string) => `Where this comes from: ${words}`,
    moreSources: (count: number) => `Show ${count} more`,
    source: {
      person: 'You',
      empty: 'The words were erased.',
      file: 'A file',
      history: (title: string, source: string) => `Imported chat “${title}” (${source})`,
      other: 'Another record of the journal',
      failed: 'Its words could not be fetched.',
      open: 'Open in the talk',
    },
    write: 'Write down',
    writeIn: (title: string) => `Write something down under “${title}”`,
    words: 'Words of the statement',
    wordsHint: 'One sentence, 300 characters at most.',
    save: 'Save',
    correct: 'Correct',
    correctOne: (words: string) => `Correct: ${words}`,
    forget: 'Forget',
    forgetOne: (words: string) => `Forget: ${words}`,
    restore: 'Bring back',
    restoreOne: (words: string) => `Bring back: ${words}`,
    undo: 'Undo',
    written: 'Written down.',
    known: 'That was known already.',
    corrected: 'Corrected.',
    forgotten: 'Forgotten.',
    restored: 'Brought back.',
    gone: 'It was changed elsewhere meanwhile.',
    forgottenTitle: (count: number) => `Forgotten (${count})`,
    forgottenHint:
      'It is not learned again from what was said before. Bring it back, and it is known as it was.',
    noWords: 'It needs words.',
  },

  instructions: {
    lead: (name: string) =>
      `How ${name} handles kinds of moments. They read the one that fits before they act.`,
    own: (name: string) => `Learned by ${name}`,
    ownHint: (name: string) =>
      `${name} writes these down alone. To have one changed, say so in the talk; what was learned can be taken back here.`,
    ownEmpty: (name: string) =>
      `${name} has learned none yet. When something goes wrong, say how you would like it: it may become one.`,
    ownEmptyThen: (name: string) => `${name} had learned none yet.`,
    toTalk: (name: string) => `Talk to ${name}`,
    builtin: 'Built in',
    builtinHint: 'Every persona begins with these. They cannot be changed.',
    builtinThen: 'They are shown as they are now.',
    learned: (when: string) => `learned ${when}`,
    revised: (when: string) => `changed ${when}`,
    removed: (when: string) => `dropped ${when}`,
    before: 'How it read before',
    unlearn: 'Unlearn',
    unlearnOne: (title: string) => `Unlearn: ${title}`,
    revert: 'As it was before',
    revertOne: (title: string) => `Back to how it was before: ${title}`,
    restore: 'Bring back',
    restoreOne: (title: string) => `Bring back: ${title}`,
    undo: 'Undo',
    unlearned: 'Unlearned.',
    reverted: 'It reads as before.',
    restored: 'Brought back.',
    droppedTitle: (count: number) => `Dropped (${count})`,
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
    cancelEntry: 'Call off',
    cancelOne: (words: string) => `Call off: ${words}`,
    kind: { reminder: 'Reminder', schedule: 'Appointment' },
    kindHint: {
      reminder: (name: string) => `${name} tells you when it is time.`,
      schedule: (name: string) => `${name} knows of it.`,
    },
    kindLabel: 'Kind',
    what: 'What',
    date: 'Date',
    time: 'Time',
    repeat: 'Again',
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
    whatMissing: 'It needs words.',
    whenMissing: 'It needs a day and a time.',
    elsewhere: (zone: string) => `The daemon lives in ${zone}. All times here are yours.`,
    thereIt: (when: string, zone: string) => `In ${zone}, where the daemon lives: ${when}`,
    planned: 'Planned.',
    changed: 'Changed.',
    moved: (when: string) => `Moved to ${when}.`,
    cancelled: 'Called off.',
    undo: 'Undo',
    gone: 'It is no longer planned: it was called off or fell due.',
    was: 'was due',
    empty: (name: string) =>
      `Nothing stands here. Ask ${name} to remind you of something, or plan it yourself.`,
    emptyThen: 'Nothing was planned.',
    waits: 'Fell due, not told yet',
    coming: 'To come',
    days: 'The days before',
    noDays: 'No day was over yet.',
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

  health: {},

  settings: {
    label: (name: string) => `Settings of ${name}`,
    section: {
      life: 'Name and life',
      organs: 'Organs',
      channels: 'Channels',
      import: 'Old chats',
      backup: 'Backup',
      appearance: 'Appearance',
      delete: 'Delete',
    } satisfies Record<Section, string>,
    how: {
      awake: (name: string) => `${name} is awake and listens.`,
      ailing: (name: string) =>
        `${name} listens, but cannot think at the moment. What you write is kept and answered later.`,
      stopped: (name: string) => `${name} is stopped, and hears nothing until started.`,
      hibernating: (name: string) => `${name} hibernates, and hears nothing until woken.`,
      sick: (name: string) => `${name} is sick, and could not be woken.`,
    } satisfies Record<Condition, (name: string) => string>,
    deed: {
      start: {
        name: 'Start',
        what: (name: string) => `${name} wakes, and answers what waits.`,
        doing: 'Starting…',
        done: 'Started.',
      },
      wake: {
        name: 'Wake',
        what: (name: string) => `${name} is active again, and answers what waits.`,
        doing: 'Waking…',
        done: 'Awake.',
      },
      sleep: {
        name: 'Let sleep',
        what: (name: string) =>
          `As every night: ${name} goes over what was said, closes the day and writes a backup. What you write meanwhile is answered after.`,
        doing: 'Asleep… This can take some minutes.',
        done: 'Slept, and awake again.',
      },
      restart: {
        name: 'Restart',
        what: () =>
          'Begins anew from what is on the disk. An answer under way is cut off; nothing else is lost.',
        doing: 'Restarting…',
        done: 'Restarted.',
      },
      stop: {
        name: 'Stop',
        what: (name: string) =>
          `${name} hears nothing until started again, also after a restart of this machine. Nothing is lost.`,
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
      `When nobody has spoken for so long, ${name} goes over what was said and keeps what matters.`,
    idleMissing: 'At least one second: a number above 0.',
    idleSet: { doing: 'Changing…', done: 'Changed.' },
    organsLead: (name: string) =>
      `The models ${name} lives with. Only the Mind is needed; each other organ adds a sense or a skill, and can be changed or taken away at any time.`,
    organ: {
      change: { doing: 'Looking whether it works…', done: 'Changed.' },
      clear: { doing: 'Taking it away…', done: 'Taken away.' },
    },
    failing: 'Does not work:',
    appearanceLead: 'How this page looks and speaks, in this browser.',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>,
    language: 'Language',
    languageOfBrowser: 'As the browser',
    languageHint:
      'Of the page itself: personas speak the language they are spoken to in. The page is loaded anew.',
    delete: {
      lead: (name: string) => `Removes ${name} from this machine. You are asked for the name first.`,
      title: (name: string) => `Delete ${name}?`,
      deed: { doing: 'Deleting…', done: '' },
      stays: 'What stays',
      diary:
        'The last diary, for 30 days, in the folder of the daemon. Only the 24 words open it; with both, everything can be brought back.',
      elsewhere: [
        'Backups that you saved or copied elsewhere.',
        'What was sent to Telegram, Discord or the provider of a model.',
      ],
      purge: 'Remove the diaries here as well. Then nothing here can bring anyone back.',
      force: 'Delete all the same. A model that was registered at a runtime may stay there.',
    },
  },

  channels: {
    lead: (name: string) =>
      `${name} can be written to on Telegram and Discord, too, through a bot of your own.`,
    kind: { telegram: 'Telegram', discord: 'Discord' } satisfies Record<Kind, string>,
    empty: (name: string) => `So far ${name} can be reached on this page alone.`,
    state: {
      open: (name: string) => `${name} listens there.`,
      silent: (name: string) => `Silent while ${name} does not run. What is written there is heard later.`,
      unpaired: () => 'Not paired with a chat yet.',
      failing: () => 'Does not work at the moment.',
    },
    waiting: (count: number) =>
      count === 1 ? 'One message waits to be delivered.' : `${count} messages wait to be delivered.`,
    remove: 'Remove',
    removeOne: (platform: string, name: string) => `Remove ${platform} ${name}`,
    removeWarning: (name: string) =>
      `${name} hears nothing more from there. What was said stays in the talk; the bot itself stays at its platform.`,
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
          'In Telegram, write /newbot to @BotFather and answer what it asks.',
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
    paired: (name: string) => `Paired. ${name} hears you there now.`,
  },

  import: {
    lead: (name: string) =>
      `${name} can go over what you told another AI. What you said of yourself becomes memory, each statement with the chat it comes from; the chats themselves are not copied.`,
    asleep: (name: string) => `${name} has to be awake for this.`,
    toLife: 'To the way there',
    whence: 'Where you talked',
    from: {
      chatgpt: {
        name: 'ChatGPT',
        how: 'There: Settings → Data controls → Export data. A zip comes by mail.',
      },
      claude: { name: 'Claude', how: 'There: Settings → Privacy → Export data. A zip comes by mail.' },
      gemini: {
        name: 'Gemini',
        how: 'At takeout.google.com: My Activity → Gemini Apps, as JSON. Take MyActivity.json.',
      },
      other: {
        name: 'Another AI',
        how: 'Messages of “role” and “content”, as one JSON or one in each line.',
      },
    },
    otherName: 'What it is called',
    file: 'The exported file',
    fileHint: 'The zip as it came, or the JSON in it. First you see what is in it; nothing is taken yet.',
    sending: 'Handing over the file…',
    reading: 'Looking what is in it…',
    found: (count: number, open: number) =>
      open === count ? (count === 1 ? 'One chat' : `${count} chats`) : `${count} chats, ${open} of them new`,
    nothing: 'There is no chat in this file in which anything was said.',
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
    feed: (count: number) => (count === 1 ? 'Go over one chat' : `Go over ${count} chats`),
    feeding: 'Chats gone over',
    far: (done: number, total: number) => `${done} of ${total} gone over…`,
    mayLeave: (name: string) =>
      `You can talk to ${name} meanwhile. Keep this page open: if it is closed, what is done stays, and the same file goes on from there.`,
    stop: 'Stop here',
    gained: (name: string, { conversations, statements }: Gained) => {
      const chats = conversations === 1 ? 'One chat was new' : `${conversations} chats were new`
      const learned = statements === 1 ? 'one statement' : `${statements} statements`
      if (conversations === 0) return `Nothing in it was new to ${name}.`
      return statements === 0
        ? `${chats}. ${name} found nothing in it to keep.`
        : `${chats}. ${name} keeps ${learned} from it.`
    },
    ended: 'It has ended. How much of it was new could not be told.',
    goOn: 'Go on',
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
      count === 1
        ? 'One of them is opened by older words alone.'
        : `${count} of them are opened by older words alone.`,
    none: 'There is no diary here yet.',
    unread: 'The disk does not tell which diaries are here.',
    promised: 'What is promised',
    promises: [
      'One is written at the end of every night after a day on which something happened, with new words, and before deletion. The last seven stay, up to 2 GB.',
      'They lie in the daemon’s folder, under “diaries”. Copy that folder to wherever you keep what must not be lost: the daemon sends it nowhere.',
      'They are sealed so that not even the daemon can open them. Without the words nobody can.',
      'Keys of providers and tokens of bots are not in them; they are entered anew.',
      'With a diary and its words, “bring someone back” on the first page restores everything.',
    ],
    renew: 'New words…',
    renewWarning: (name: string) =>
      `You get 24 new words, shown this once. From then on they open the diaries of ${name}, and one is written for them right away. Diaries from before are still opened by the old words alone, wherever they lie.`,
    removeOlder: (count: number) =>
      count === 1
        ? 'Remove the diary here that only the old words open: for words that are lost, or that somebody else has seen.'
        : `Remove the ${count} diaries here that only the old words open: for words that are lost, or that somebody else has seen.`,
    renewNow: 'Make new words',
    renewing: { doing: 'Making words, and a diary for them…', done: '' },
  },

  palette: {
    open: 'Search and go to',
    label: 'Search and go to',
    placeholder: (name: string | null) =>
      name ? `Search all of ${name}, or go somewhere` : 'Search everything, or go somewhere',
    results: 'What was found',
    goTo: 'Go to',
    actions: 'Act',
    foundWith: (name: string) => `Found with ${name}`,
    room: (room: string, name: string) => `${room} of ${name}`,
    wakeNew: 'Wake someone new',
    bringBack: 'Bring someone back',
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
      said: 'said',
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
