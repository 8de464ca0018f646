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
      life: 'Name and status',
      character: 'Character',
      initiative: 'Writes by itself',
      organs: 'Abilities',
      models: 'Models',
      channels: 'Channels',
      mail: 'Mailboxes',
      care: 'Help in danger',
      tools: 'Tools',
      skills: 'Skills',
      import: 'Old chats',
      backup: 'Backup',
      appearance: 'Appearance',
      delete: 'Delete',
    } satisfies Record<Section, string>,
    how: {
      awake: (name: string) => `${name} is active.`,
      ailing: (name: string) =>
        `${name}’s model does not answer at the moment. Your messages are kept and answered later.`,
      stopped: (name: string) => `${name} is stopped and gets no messages until you start it.`,
      hibernating: (name: string) => `${name} is asleep and gets no messages until you start it.`,
      sick: (name: string) => `${name} has a problem and could not be started.`,
    } satisfies Record<Condition, (name: string) => string>,
    deed: {
      start: {
        name: 'Start',
        what: (name: string) => `${name} answers waiting messages.`,
        doing: 'Starting…',
        done: 'Started.',
      },
      wake: {
        name: 'Start',
        what: (name: string) => `${name} answers waiting messages.`,
        doing: 'Starting…',
        done: 'Started.',
      },
      sleep: {
        name: 'Go over the day',
        what: (name: string) =>
          `As every night: ${name} sums up the talk, remembers what matters and writes a backup file. A message sent meanwhile is answered first.`,
        doing: 'Going over the day… This can take some minutes.',
        done: 'Done: the day is summed up.',
      },
      restart: {
        name: 'Restart',
        what: () =>
          'Starts again with the data on the disk. An answer in progress stops; nothing else is lost.',
        doing: 'Restarting…',
        done: 'Restarted.',
      },
      stop: {
        name: 'Stop',
        what: (name: string) =>
          `${name} gets no messages until you start it, also after a restart of this machine. Nothing is lost.`,
        doing: 'Stopping…',
        done: 'Stopped.',
      },
      hibernate: {
        name: 'Put to sleep',
        what: (name: string) =>
          `For a longer pause: ${name} uses no memory of this machine until you start it.`,
        doing: 'Going to sleep…',
        done: 'Asleep.',
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
    nameMissing: 'Please enter a name.',
    idle: 'Minutes without a message until the talk is summed up',
    idleHint: (name: string) => `Then ${name} goes over the talk and remembers what matters.`,
    idleMissing: 'Please enter a number above 0.',
    idleSet: { doing: 'Changing…', done: 'Changed.' },
    organsLead: (name: string) =>
      `The models that ${name} uses. Only the language model is required. You can change or remove the other abilities at any time.`,
    audition: 'Try before you switch…',
    profile: {
      title: 'Tools and instructions',
      choice: { auto: 'Automatic', full: 'Full', compact: 'Compact' } satisfies Record<Profile, string>,
      hint: 'Small models mix up tools when there are many. “Compact” gives them six simple tools and short instructions. “Automatic” chooses this for small models.',
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
    appearanceLead: 'The look and the language of this page, in this browser.',
    theme: 'Theme',
    themes: { system: 'As the system', light: 'Light', dark: 'Dark' } satisfies Record<Theme, string>,
    language: 'Language',
    languageOfBrowser: 'As the browser',
    languageHint: 'The language of the page: personas answer in the language you use. The page is reloaded.',
    push: {
      title: 'While the page is closed',
      hint: 'This browser can notify you about messages while the page is closed. The name and the first words are sent through the push service of the browser’s maker, encrypted so that only this browser can read them.',
      turnOn: 'Turn on',
      turnOff: 'Turn off',
      tryIt: 'Try it',
      on: { doing: 'Asking the browser…', done: 'Notifications are on.' },
      off: { doing: 'One moment…', done: 'Notifications are off.' },
      try: { doing: 'On its way…', done: 'Sent. It should be here within seconds.' },
      arrived: 'It works: notifications look like this.',
      blocked: 'This browser does not allow notifications of this page. Only its own settings change that.',
      unanswered: 'Notifications stay off: the browser’s question was closed without an answer.',
      insecure: 'The browser allows this only over https, or on the machine itself at localhost.',
      unable:
        'This browser cannot notify you while the page is closed. On an iPhone or iPad, put the page on the home screen first.',
      noService: 'The push service of this browser could not be reached. Try it again later.',
      lost: 'Notifications were turned off in this browser. Turn them on again.',
    },
    delete: {
      lead: (name: string) => `Removes ${name} from this machine. You are asked for the name first.`,
      title: (name: string) => `Delete ${name}?`,
      deed: { doing: 'Deleting…', done: '' },
      stays: 'What stays',
      diary:
        'The last backup file, for 30 days, in Daimon’s folder. Only the 24 recovery words open it. With both you can restore everything.',
      elsewhere: [
        'Backups that you saved or copied elsewhere.',
        'Everything that was sent to Telegram, Discord, Matrix or the provider of a model.',
      ],
      purge: 'Remove the backup files here, too. Then nothing can be restored from here.',
      force: 'Delete anyway. A model that was added to Ollama for this persona may stay there.',
    },
  },

  channels: {
    lead: (name: string) =>
      `You can also talk to ${name} on Telegram, Discord and Matrix, through your own bot.`,
    empty: (name: string) => `So far you can reach ${name} only on this page.`,
    state: {
      open: (name: string) => `${name} gets messages from there.`,
      silent: (name: string) => `Paused while ${name} is not active. Messages from there arrive later.`,
      unpaired: () => 'Not connected with a chat yet.',
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
    adding: { doing: 'Checking the token…', done: 'Added. Now write to the bot and type its code here.' },
    platform: 'Platform',
    token: 'Token of the bot',
    tokenHint:
      'Stored on this machine and never shown again. A new token of a bot that is already here replaces the old one.',
    tokenMissing: 'Please enter the token.',
    matrix: {
      homeserver: 'Homeserver',
      homeserverHint: 'Its name or its address, such as example.org or https://matrix.example.org.',
      way: 'Sign in with',
      ways: { password: 'User name and password', token: 'Access token' },
      user: 'User name of the account',
      password: 'Password of the account',
      passwordHint:
        'Used once and not stored. Daimon keeps only the session that it gets, and ends it when you remove the channel.',
      token: 'Access token of the account',
      missing: 'Please fill in all fields.',
    },
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
      matrix: {
        pageName: 'Make an account with Element',
        steps: [
          'Make a second account for the persona, on any homeserver. Use it for nothing else.',
          'Sign in with it here.',
          'Then start a direct chat with it from your own account: it answers with a code to type here.',
        ],
      },
    } satisfies Record<Kind, { readonly pageName: string; readonly steps: readonly string[] }>,
    pairHint:
      'Write anything to the bot in your own chat. It answers with a code that is valid for ten minutes.',
    pairStopped: (name: string) =>
      `Start ${name} first: the bot answers with its code only while ${name} is active.`,
    code: 'Code from the chat',
    codeMissing: 'Please enter the code.',
    pair: 'Connect',
    pairing: { doing: 'Connecting…', done: '' },
    paired: (name: string) => `Connected. ${name} now gets your messages from there.`,
  },

  backup: {
    lead: (name: string) =>
      `A backup file contains everything of ${name}: the whole talk, memory, calendar and files. Only the 24 recovery words open it, here or on another machine.`,
    export: 'Save a backup file',
    exporting: { doing: 'Preparing…', done: 'Your browser saves the file.' },
    last: (time: string, size: string) => `Last backup file here: ${time} (${size}).`,
    kept: (count: number) =>
      count === 1 ? 'It is the only one that is kept here.' : `${count} are kept here.`,
    older: (count: number) =>
      count === 1 ? 'One of them needs older recovery words.' : `${count} of them need older recovery words.`,
    none: 'There is no backup file here yet.',
    unread: 'The backup files on the disk could not be listed.',
    promised: 'How backups work',
    promises: [
      'A backup file is written every night after a day on which something happened, when you make new recovery words, and before deletion. The last seven are kept, up to 2 GB.',
      'They are in Daimon’s folder, under “diaries”. Copy that folder to a safe place: Daimon does not send it anywhere.',
      'They are encrypted. Without the recovery words no one can open them, not even Daimon.',
      'They do not contain keys of providers and tokens of bots: you enter them again.',
      'With a backup file and its recovery words, “Restore from a backup file” on the first page restores everything.',
    ],
    renew: 'New recovery words…',
    renewWarning: (name: string) =>
      `You get 24 new recovery words, which are shown only once. They open the backup files of ${name} from then on, and a new one is written right away. Older backup files still need the old words.`,
    removeOlder: (count: number) =>
      count === 1
        ? 'Remove the backup file here that only the old words open, for example because someone else has seen them.'
        : `Remove the ${count} backup files here that only the old words open, for example because someone else has seen them.`,
    renewNow: 'Make new recovery words',
    renewing: { doing: 'Making new words and a backup file…', done: '' },
  },
}
