/** The texts about a persona's health in English. */
import type { Signal } from '../health/minute-runs.ts'
import type { Condition } from '../shared/shapes.ts'

export type HealthStrings = typeof text

export const text = {
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
    lastError: (time: string) => `Last error, ${time}`,
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
    diariesBad: (count: number, total: number) => `${count} of ${total} diaries here are not readable.`,
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
      cached: 'From cache',
      written: 'To cache',
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
}
