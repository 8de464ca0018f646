/**
 * The events of a minute as bits: whether the persona ran, whether a call failed and at which provider, and
 * which kinds of work happened.
 */

import { type Provider, providerBits } from '../../facts/fact-values.ts'
import type { PersonaEvent } from '../../facts/facts.ts'
import type { Persona } from '../../projections/persona.ts'

/** Bits of the places where models can fail: a provider, or the runtime on this machine. Stored on disk. */
const placeBits = { local: 8, ...providerBits } as const
export type Place = keyof typeof placeBits
export const places = Object.keys(placeBits) as readonly Place[]

/** Bits of the signals, from 16 to 31. Stored on disk, so a bit is never reused. */
const signalBits = {
  woke: 16,
  stopped: 17,
  'waking failed': 18,
  turn: 19,
  perception: 20,
  program: 21,
  reminder: 22,
  consolidation: 23,
  sleep: 24,
  'organ failed': 25,
  recovered: 26,
  sick: 27,
  salvaged: 28,
} as const
export type Signal = keyof typeof signalBits
export const signals = Object.keys(signalBits) as readonly Signal[]

/** Bits as an unsigned 32-bit number. */
export type Marks = number

const servedMark: Marks = 1
const failedMark: Marks = 2

export const noMarks: Marks = 0
export const isServed: Marks = servedMark
export const mergeMarks = (a: Marks, b: Marks): Marks => (a | b) >>> 0

const toPlaceMark = (place: Place): Marks => 1 << placeBits[place]
const toSignalMark = (signal: Signal): Marks => 1 << signalBits[signal]

/** The decoded marks of a minute. */
export interface CallMarks {
  readonly tick: boolean
  readonly fault: boolean
  readonly providers: readonly Place[]
  readonly signals: readonly Signal[]
}

export const formatMarks = (marks: Marks): CallMarks => ({
  tick: (marks & servedMark) !== 0,
  fault: (marks & failedMark) !== 0,
  providers: places.filter((place) => marks & toPlaceMark(place)),
  signals: signals.filter((signal) => marks & toSignalMark(signal)),
})

type CalledModel = { readonly provider: Provider | null; readonly model: string }

/** Returns null for embedded models: they belong to no provider. */
export const getPlaceName = ({ provider, model }: CalledModel): Place | null =>
  provider === null && model.startsWith('embedded/') ? null : (provider ?? 'local')

const getPlaceMarks = (call: CalledModel): Marks => {
  const place = getPlaceName(call)
  return place === null ? noMarks : toPlaceMark(place)
}

const causes = {
  turn: 'turn',
  perception: 'perception',
  tool: 'turn',
  api: 'program',
  consolidation: 'consolidation',
  history: 'consolidation',
  initiative: 'turn',
  mail: 'turn',
} as const

/** `self`: the state after the fact. */
export const getMarks = (event: PersonaEvent, self: Pick<Persona['self'], 'organs'>): Marks => {
  switch (event.type) {
    case 'ModelAnswered':
      return toSignalMark(causes[event.cause])
    case 'ModelFailed':
      // If the model refused the content of a prompt, the provider itself works.
      return mergeMarks(
        toSignalMark(causes[event.cause]),
        failedMark | (event.kind === 'refused' ? noMarks : getPlaceMarks(event)),
      )
    case 'OrganFailed': {
      const organ = self.organs[event.slot]
      return mergeMarks(toSignalMark('organ failed'), failedMark | (organ ? getPlaceMarks(organ) : noMarks))
    }
    case 'WakingFailed': {
      const mind = self.organs.thinking
      return mergeMarks(toSignalMark('waking failed'), failedMark | (mind ? getPlaceMarks(mind) : noMarks))
    }
    case 'TurnEnded':
      return mergeMarks(toSignalMark('turn'), event.outcome === 'unreachable' ? failedMark : noMarks)
    case 'SleepEnded':
      return mergeMarks(toSignalMark('sleep'), event.outcome === 'failed' ? failedMark : noMarks)
    case 'StatusSet':
      return event.status === 'sick' ? toSignalMark('sick') : noMarks
    default:
      return marksByType[event.type] ?? noMarks
  }
}

/** Marks of facts that depend on the type only. */
const marksByType: Readonly<Partial<Record<PersonaEvent['type'], Marks>>> = {
  Woke: mergeMarks(toSignalMark('woke'), servedMark),
  Stopped: toSignalMark('stopped'),
  TurnBegan: mergeMarks(toSignalMark('turn'), servedMark),
  MediaDescribed: toSignalMark('perception'),
  EntryDue: toSignalMark('reminder'),
  ContextCarried: toSignalMark('consolidation'),
  SleepBegan: toSignalMark('sleep'),
  DayClosed: toSignalMark('sleep'),
  OrganRecovered: toSignalMark('recovered'),
  Salvaged: toSignalMark('salvaged'),
}
