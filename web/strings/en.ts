/** All texts of the page in English, except the ones that are loaded on demand. */
import type { Room } from '../shared/address.ts'
import type { Condition } from '../shared/shapes.ts'
import { text as problemsText } from './problems-en.ts'
import { text as talkText } from './talk-en.ts'

export type Strings = typeof text

export const text = {
  product: 'Daimon',
  skip: 'Skip to the talk',
  people: 'Personas',
  add: 'New persona',
  back: 'Back to the list',
  loading: 'One moment…',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  /** `persona`: the one in view; null for a list of several. */
  copyBar: (path: string, persona: { readonly name: string; readonly until: string } | null) =>
    `Read-only copy of ${persona ? `${persona.name}, up to ${persona.until}, from ` : ''}${path}. Nothing can be changed here.`,
  lineLost: 'Connection lost, trying again…',
  notRunning: 'Daimon is not running',
  notRunningHint:
    'Start it again on its machine, for example with “npm start”. This page then continues by itself. What you have written stays in this browser.',
  wordsBar: {
    notBackedUp: 'Not backed up yet',
    open: 'Save the recovery words',
    hide: 'Remind me in a week',
  },
  unreachable: 'Daimon does not answer. Is it still running?',
  problems: problemsText,
  /** Notices of the daemon in a talk, by their code, that the page words differently. */
  notices: {
    unreadable_calls: () =>
      'The model called its tools in a form that cannot be read, so its request was not carried out. Say it in other words, or choose another model under Settings.',
    organ_missing: ({ organ }) =>
      organ === 'Ear'
        ? 'Hearing is missing, so the recording could not be listened to. Add it under Settings. The file is kept: ask about it then.'
        : 'Image reading is missing. Add it under Settings. The file is kept: ask about it then.',
    model_useless: ({ model, name, reason }) =>
      `${model} is downloaded, but it does not work here, so ${name} keeps the practice model. ${reason}`,
  } as Readonly<Record<string, (values: Readonly<Record<string, string>>) => string>>,
  /** Translations of the daemon's errors at a field, by their type. */
  fieldErrors: {} as Readonly<Record<string, (limits: Readonly<Record<string, string>>) => string>>,
  oddAnswer: (status: number) => `Daimon answered with error ${status} and gave no reason.`,
  unreadable: 'This page does not understand Daimon’s answer. Please reload the page.',
  gone: (name: string) => `${name} is no longer here.`,
  nobodyThere: 'There is no persona at this address.',

  list: {
    you: (content: string) => `You: ${content}`,
    fresh: 'new message',
    asks: 'waits for your decision',
  },

  preferences: { title: 'Settings of Daimon' },

  rooms: {
    label: (name: string) => `Pages of ${name}`,
    more: 'More',
    name: {
      talk: 'Talk',
      memory: 'Memory',
      calendar: 'Calendar',
      life: 'Life',
      instructions: 'Instructions',
      tools: 'Tools',
      skills: 'Skills',
      health: 'Health',
      settings: 'Settings',
    } satisfies Record<Room, string>,
  },

  condition: {
    awake: 'active',
    ailing: 'has a problem',
    stopped: 'stopped',
    hibernating: 'asleep',
    sick: 'has a problem',
  } satisfies Record<Condition, string>,

  offRecord: {
    title: 'Off the record',
    promise: (name: string) =>
      `Nothing you say here is saved, and ${name} will not remember it. It is gone when you leave, close or reload this page. Only the cost is counted.`,
    through: (provider: string) => `Your messages still go to ${provider}, which answers them.`,
    back: 'Back to the talk',
    log: (name: string) => `Talk with ${name}, off the record`,
    empty: (name: string) => `Talk with ${name} here without leaving a trace.`,
    write: (name: string) => `Write to ${name}, off the record`,
    notRunning: (name: string) => `${name} is not active and cannot answer.`,
    cut: 'The answer ends here: the model has reached its limit.',
    choose: 'Choose pictures',
    picturesAlone: 'Off the record you can send only pictures: PNG, JPEG, GIF or WebP.',
    tooMuch: 'That is too much: 14 MB of pictures fit into one talk off the record.',
    unreadable: 'This picture can no longer be read.',
  },

  about: {
    open: (name: string) => `About ${name}`,
    name: 'Name',
    rename: 'Rename',
    change: 'Change',
    birthday: 'Created on',
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
      `${name} will be removed from this machine, with the whole memory and all your messages.`,
    deleteAsk: (name: string) => `Type “${name}” to continue`,
    deleteNow: 'Delete permanently',
  },

  instructions: {
    lead: (name: string) =>
      `How ${name} handles certain situations. ${name} reads the instruction that fits before acting.`,
    own: (name: string) => `Learned by ${name}`,
    ownHint: (name: string) =>
      `${name} writes these. To change one, say so in the talk. Here you can undo what was learned.`,
    ownEmpty: (name: string) =>
      `${name} has not learned any yet. When something goes wrong, say how you would like it: it can become an instruction.`,
    ownEmptyThen: (name: string) => `${name} had not learned any yet.`,
    toTalk: (name: string) => `Talk to ${name}`,
    builtin: 'Built in',
    builtinHint: 'Every persona starts with these. They cannot be changed.',
    builtinThen: 'They are shown as they are now.',
    learned: (time: string) => `learned ${time}`,
    revised: (time: string) => `changed ${time}`,
    removed: (time: string) => `removed ${time}`,
    before: 'The previous text',
    unlearn: 'Remove',
    unlearnOne: (title: string) => `Remove: ${title}`,
    revert: 'Undo the change',
    revertOne: (title: string) => `Undo the change: ${title}`,
    restore: 'Restore',
    restoreOne: (title: string) => `Restore: ${title}`,
    undo: 'Undo',
    unlearned: 'Removed.',
    reverted: 'The change was undone.',
    restored: 'Restored.',
    droppedTitle: (count: number) => `Removed (${count})`,
  },

  palette: {
    open: 'Search and open',
    label: 'Search and open',
    placeholder: (name: string | null) =>
      name ? `Search everything of ${name}, or open a page` : 'Search everything, or open a page',
    results: 'Results',
    goTo: 'Open',
    actions: 'Actions',
    foundWith: (name: string) => `Found with ${name}`,
    room: (room: string, name: string) => `${room} of ${name}`,
    wakeNew: 'New persona',
    bringBack: 'Restore from a backup file',
    offRecord: (name: string) => `Talk to ${name} off the record`,
    start: (name: string) => `Start ${name}`,
    stop: (name: string) => `Stop ${name}`,
    started: (name: string) => `${name} is active.`,
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
      plan: 'calendar entry',
      instruction: 'instruction',
      day: 'summary of a day',
      history: 'imported chat',
    },
    keys: '↑ ↓ to choose, Enter to open, Escape to close',
  },

  ...talkText,
}
