/** The texts about messages that a persona writes by itself, in English. */
import type { Shape } from '../shared/shapes.ts'

type Initiative = Shape<'Initiative'>
type Kind = Initiative['reasons'][number]['kind']

export type InitiativeStrings = typeof text

export const text = {
  lead: (name: string) =>
    `${name} can write to you without being asked: to hear how something went, for a birthday, or to keep a promise. You see in the calendar what it might write about, and why.`,
  how: 'How often',
  level: {
    off: 'Never',
    gentle: 'Gently',
    lively: 'Lively',
  } satisfies Record<Initiative['level'], string>,
  levelHint: {
    off: (name: string) => `${name} only answers, and reminds you of what you planned.`,
    gentle: () => 'At most one message a day, and never a second one before you answered.',
    lively: () => 'At most three messages a day, and never a second one before you answered.',
  } satisfies Record<Initiative['level'], (name: string) => string>,
  quietFrom: 'No messages from',
  quietUntil: 'until',
  zone: 'Your time zone',
  zoneOfDaemon: 'That of Daimon',
  save: 'Save',
  saved: { doing: 'Saving…', done: 'Saved.' },
  timeMissing: 'Please give both times.',
  calls: 'Each decision whether to write costs one small request to the model.',
  room: {
    title: (name: string) => `${name} might write`,
    off: (name: string) => `${name} does not write by itself.`,
    change: 'Change this',
    empty: (name: string) => `${name} has noted nothing yet. It finds reasons when it goes over the talk.`,
    waiting: (name: string) => `${name} wrote last, and waits for your answer before it writes again.`,
    rests: 'when it counts again',
    yearly: 'every year',
    kind: {
      'follow-up': 'asks how it went',
      date: 'a special day',
      promise: 'a promise',
      unfinished: 'something unfinished',
      wish: 'your wish',
    } satisfies Record<Kind, string>,
    why: 'Why?',
    whyOne: (reason: string) => `Why: ${reason}`,
    sources: (reason: string) => `Messages behind: ${reason}`,
    less: 'Less of this',
    lessOne: (reason: string) => `Less of this: ${reason}`,
    lessDone: (name: string) => `Noted: ${name} writes less about such things.`,
    edit: 'Change',
    editOne: (reason: string) => `Change: ${reason}`,
    remove: 'Remove',
    removeOne: (reason: string) => `Remove: ${reason}`,
    removed: 'Removed.',
    gone: 'It is no longer noted.',
    past: 'Written by itself',
    disliked: 'less of this',
    about: 'About what',
    aboutMissing: 'Please write something.',
    changed: 'Changed.',
  },
}
