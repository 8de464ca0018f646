/** All texts of the page in English, except the ones that are loaded on demand. */
import type { Room } from '../shared/address.ts'
import type { Condition } from '../shared/shapes.ts'
import { text as calendarText } from './calendar-en.ts'
import { text as characterText } from './character-en.ts'
import { text as healthText } from './health-en.ts'
import { text as importText } from './import-en.ts'
import { text as memoryText } from './memory-en.ts'
import { text as newText } from './new-en.ts'
import { text as restoreText } from './restore-en.ts'
import { text as settingsText } from './settings-en.ts'
import { text as talkText } from './talk-en.ts'

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
  notRunning: 'The daemon is not running',
  notRunningHint:
    'Start it on its machine, for example with “npm start”. This page continues as soon as it answers. What you have written is kept in this browser.',
  unreachable: 'The daemon does not answer. Is it still running?',
  /** Translations of the daemon's errors, by their code. The daemon itself speaks English. */
  problems: {} as Readonly<Record<string, string>>,
  /** Translations of the daemon's notices in a talk, by their code. */
  notices: {} as Readonly<Record<string, (values: Readonly<Record<string, string>>) => string>>,
  /** Translations of the daemon's errors at a field, by their type. */
  fieldErrors: {} as Readonly<Record<string, (limits: Readonly<Record<string, string>>) => string>>,
  oddAnswer: (status: number) => `The daemon answered ${status} without saying why.`,
  unreadable: 'This page does not understand the answer of the daemon. Try to reload the page.',
  gone: (name: string) => `${name} is no longer here.`,
  nobodyThere: 'Nobody lives at that address.',

  list: {
    you: (content: string) => `You: ${content}`,
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
    learned: (time: string) => `learned ${time}`,
    revised: (time: string) => `changed ${time}`,
    removed: (time: string) => `removed ${time}`,
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

  ...newText,
  ...characterText,
  ...talkText,
  ...restoreText,
  ...memoryText,
  ...calendarText,
  ...healthText,
  ...settingsText,
  ...importText,
}
