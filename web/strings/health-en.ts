/** The texts about a persona's health in English. */
import type { Signal } from '../health/minute-runs.ts'
import type { Condition, Slot } from '../shared/shapes.ts'

export type HealthStrings = typeof text

export const text = {
  health: {
    how: {
      awake: () => 'Everything works.',
      ailing: (name: string) => `${name}’s model does not answer at the moment.`,
      stopped: (name: string) => `${name} is stopped.`,
      hibernating: (name: string) => `${name} is asleep.`,
      sick: (name: string) => `${name} has a problem and is not active.`,
    } satisfies Record<Condition, (name: string) => string>,
    several: (count: number) => `${count} things do not work.`,
    finding: {
      damage: (name: string) => `The data of ${name} is damaged.`,
      start: (name: string) => `${name} could not be started.`,
      fault: 'A part of Daimon does not work.',
      organ: (what: string, why: string) => `${what}: ${why}.`,
      cannot: {
        thinking: (name: string) => `${name} cannot answer`,
        eye: (name: string) => `${name} cannot look at pictures`,
        ear: (name: string) => `${name} cannot understand recordings`,
        mouth: (name: string) => `${name} cannot speak`,
        imagination: (name: string) => `${name} cannot draw`,
        teacher: (name: string) => `${name} cannot ask for advice`,
        researcher: (name: string) => `${name} cannot read documents`,
      } satisfies Record<Slot, (name: string) => string>,
      /** `house`: the provider; null for a model on this machine. */
      why: {
        key: (house: string | null) => `the key ${house ? `for ${house} ` : ''}is missing`,
        barred: (house: string | null) =>
          house
            ? `${house} does not accept the key, the account or the model`
            : 'the model does not exist here',
        unreachable: (house: string | null) => `${house ?? 'the model on this machine'} does not answer`,
        refused: (house: string | null) => `${house ?? 'the model on this machine'} refused the request`,
        unknown: () => 'the model does not work',
      },
      calendar: (name: string) => `The calendar ${name} could not be refreshed.`,
      mailbox: (name: string) => `The mailbox ${name} could not be read.`,
      subscription: (name: string | null) =>
        name === null
          ? 'Other programs do not get any events.'
          : `Another program does not get events (${name}).`,
      channel: (platform: string, bot: string) => `${platform} does not work at the moment (${bot}).`,
    },
    act: {
      enterKey: 'Enter the key',
      changeModel: 'Change the key or the model',
      channels: 'Open the channels',
      calendar: 'Open the calendar',
      mailboxes: 'Open the mailboxes',
      start: 'Start',
      wake: 'Start',
      stop: 'Stop',
      restart: 'Restart',
      sleep: 'Go over the day',
      hibernate: 'Put to sleep',
    },
    doing: {
      start: 'Starting…',
      wake: 'Starting…',
      stop: 'Stopping…',
      restart: 'Restarting…',
      sleep: 'Going over the day…',
      hibernate: 'Going to sleep…',
    },
    done: {
      start: 'Started.',
      wake: 'Started.',
      stop: 'Stopped.',
      restart: 'Restarted.',
      sleep: 'Done: the day is summed up.',
      hibernate: 'Asleep.',
    },
    details: 'Details',
    day: 'The last 24 hours',
    grid: (served: string, failed: string) =>
      `24 hours of 60 minutes: active in ${served} of them, something failed in ${failed}.`,
    gridHint: 'Each row is an hour, the latest on top. Its latest minute is on the left.',
    legend: { served: 'active', failed: 'something failed', quiet: 'not active' },
    failures: 'What failed',
    noFailures: 'Nothing failed.',
    between: (from: string, to: string) => `${from} to ${to}`,
    signal: {
      woke: 'started',
      stopped: 'stopped',
      'waking failed': 'could not start',
      turn: 'answered',
      perception: 'read a file',
      program: 'used by a program',
      reminder: 'a reminder was due',
      consolidation: 'summed up the talk',
      sleep: 'went over the day',
      'organ failed': 'an ability stopped working',
      recovered: 'an ability works again',
      sick: 'got a problem',
      salvaged: 'journal rescued',
    } satisfies Record<Signal, string>,
    organs: 'Abilities',
    well: 'works',
    failing: 'does not work',
    lastError: (time: string) => `Last error, ${time}`,
    lastErrorUndated: 'Last error',
    noError: 'No recent error.',
    keyMissing: 'Its key must be entered again.',
    serverRefuses: 'Its server does not accept',
    channels: 'Channels',
    waiting: (count: number) =>
      count === 1
        ? 'One message waits to be delivered there.'
        : `${count} messages wait to be delivered there.`,
    journal: 'Journal',
    events: 'Events',
    size: 'On the disk',
    head: 'Checksum',
    copyHead: 'Copy the checksum',
    copied: 'Copied.',
    notCopied: 'Copying is not allowed here.',
    verifiedAt: 'Last checked without damage',
    never: 'not known',
    growth: 'Growth per 1000 messages',
    verify: 'Check now',
    verifying: 'Checking…',
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
        ? 'There is no backup file here.'
        : count === 1
          ? 'The one backup file here is readable.'
          : `All ${count} backup files here are readable.`,
    diariesBad: (count: number, total: number) => `${count} of ${total} backup files here are not readable.`,
    diariesOld: (count: number) =>
      count === 1 ? 'One of them needs older recovery words.' : `${count} of them need older recovery words.`,
    damaged: 'The journal is damaged.',
    salvage: 'Rescue…',
    salvageTitle: 'Rescue the undamaged events',
    salvageBody: (name: string) =>
      `First the damaged journal is copied, and the copy is kept. Then ${name} continues with every undamaged event. The others are lost here and marked as lost, with the messages, statements or calendar entries in them.`,
    salvageGo: 'Rescue and start',
    salvaging: 'Rescuing…',
    salvaged: (kept: string, lost: string) => `Rescued: ${kept} events kept, ${lost} lost.`,
    salvagedCopy: (folder: string) => `The copy of the damaged journal is in ${folder}.`,
    derived: 'Derived from the journal',
    derivedHint:
      'These are calculated from the journal. If one seems wrong, build it again: nothing can be lost.',
    projectionNames: {
      state: 'Memory, calendar and settings',
      search: 'Search index',
      vectors: 'Search by meaning',
      links: 'Causes and effects',
    },
    upToDate: 'up to date',
    behind: (count: string) => `${count} events behind`,
    notBuilt: 'not built yet',
    builtAt: (time: string) => `built ${time}`,
    rebuild: 'Build again',
    rebuildNamed: (name: string) => `Build again: ${name}`,
    rebuilding: 'Building…',
    rebuilt: (name: string, isEqual: boolean | null, differing: readonly string[]) => {
      if (isEqual === null) return `${name}: is being built again.`
      return isEqual
        ? `${name}: built again. It was right before, too.`
        : `${name}: built again. This was wrong: ${differing.join(', ')}.`
    },
    usage: 'Tokens and cost',
    range: 'Show',
    ranges: { 7: '7 days', 30: '30 days', 90: '90 days', 0: 'everything' },
    noUsage: (name: string) => `${name} has used no tokens in this time.`,
    tokens: 'Tokens',
    money: 'Cost',
    chart: (from: string, to: string) => `Tokens and cost per day, ${from} to ${to}`,
    today: (tokens: string) => `${tokens} tokens today`,
    ceiling: (tokens: string, ceiling: string) => `${tokens} of ${ceiling} tokens today`,
    asTable: 'As a table',
    table: {
      day: 'Day',
      organ: 'Ability',
      model: 'Model',
      calls: 'Calls',
      failed: 'Failed',
      input: 'Input',
      cached: 'From cache',
      written: 'To cache',
      output: 'Output',
      time: 'Time',
      money: 'Cost',
    },
    byOrgan: 'By ability',
    byModel: 'By model',
    byDay: 'By day',
    noPrice: 'no price',
    prices: (dated: string) => `Prices of ${dated}.`,
  },
}
