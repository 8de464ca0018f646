/** The texts about the settings in English. */

import type { Section } from '../settings/sections.ts'
import type { Kind } from '../shared/channel-kinds.ts'
import type { LifeAction } from '../shared/life-actions.ts'
import type { Condition, Profile } from '../shared/shapes.ts'
import type { Theme } from '../shared/theme.ts'

export type SettingsStrings = typeof text

export const text = {
  settings: {
    label: (name: string) => `Settings of ${name}`,
    section: {
      life: 'Name and life',
      character: 'Character',
      organs: 'Abilities',
      models: 'Models',
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
          `As every night: ${name} sums up the talk, closes the day and writes a backup. A message sent meanwhile is answered first.`,
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
      LifeAction,
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
    profile: {
      title: 'Tools and instructions',
      choice: { auto: 'Automatic', full: 'Full', compact: 'Compact' } satisfies Record<Profile, string>,
      hint: 'Small models confuse many tools. “Compact” gives six simple tools and short instructions. “Automatic” does so for small models.',
      used: {
        full: 'Last answer: full tools and instructions.',
        compact: 'Last answer: compact tools and instructions.',
      },
    },
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
        pageName: 'Open @BotFather',
        steps: [
          'In Telegram, write /newbot to @BotFather and answer its questions.',
          'It gives you a token, such as 4242:AAH…: paste it here.',
          'Then write anything to your bot: it answers with a code to type here.',
        ],
      },
      discord: {
        pageName: 'Open the Discord developer page',
        steps: [
          'Make an application. Under “Bot”, reset the token and switch on “Message Content Intent”.',
          'Invite the bot to a server of yours, so that you may write to it.',
          'Paste the token here, then write to the bot directly: it answers with a code to type here.',
        ],
      },
    } satisfies Record<Kind, { readonly pageName: string; readonly steps: readonly string[] }>,
    pairHint:
      'Write anything to the bot in a chat of your own. It answers with a code, which is good for ten minutes.',
    pairStopped: (name: string) => `${name} has to be awake for the bot to answer with its code.`,
    code: 'Code from the chat',
    codeMissing: 'The code is missing.',
    pair: 'Pair',
    pairing: { doing: 'Pairing…', done: '' },
    paired: (name: string) => `Paired. ${name} gets your messages there now.`,
  },

  backup: {
    lead: (name: string) =>
      `A diary is one file of all that ${name} is: the whole talk, memory, calendar and files. Only the 24 recovery words open it, here or on another machine.`,
    export: 'Export now',
    exporting: { doing: 'Preparing…', done: 'Your browser saves the file.' },
    last: (time: string, size: string) => `Last diary here: ${time} (${size}).`,
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
}
