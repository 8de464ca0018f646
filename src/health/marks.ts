/**
 * What is noted of a minute, as bits: whether it was served in it, whether something failed and at whose
 * place, and what went on.
 */

import { Provider } from '../../journal/facts/fact-values.ts'
import type { PersonaEvent } from '../../journal/facts/facts.ts'
import type { Persona } from '../../projections/persona.ts'

/**
 * Whose models can fail: a provider's, or those of the runtime on this machine. New ones go to the end: their
 * place is their bit on disk.
 */
export const places = ['local', ...Provider.options] as const
export type Place = (typeof places)[number]

/** New ones go to the end, too; there is room for sixteen. */
export const signals = [
  ...([
    'woke',
    'stopped',
    'waking failed',
    'turn',
    'perception',
    'program',
    'reminder',
    'consolidation',
    'sleep',
  ] as const),
  ...(['organ failed', 'recovered', 'sick', 'salvaged'] as const),
] as const
export type Signal = (typeof signals)[number]

/** Bits, as an unsigned 32-bit number. */
export type Marks = number

const served: Marks = 1
const failed: Marks = 2
const firstPlace = 8
const firstSignal = 16

export const noMarks: Marks = 0
export const isServed: Marks = served
export const both = (one: Marks, other: Marks): Marks => (one | other) >>> 0

const at = (place: Place): Marks => 1 << (firstPlace + places.indexOf(place))
const sign = (...some: readonly Signal[]): Marks =>
  some.reduce((marks, one) => both(marks, 1 << (firstSignal + signals.indexOf(one))), noMarks)

/** A minute as it is shown. */
export interface Told {
  readonly tick: boolean
  readonly fault: boolean
  readonly providers: readonly Place[]
  readonly signals: readonly Signal[]
}

export const toldOf = (marks: Marks): Told => ({
  tick: (marks & served) !== 0,
  fault: (marks & failed) !== 0,
  providers: places.filter((_, n) => marks & (1 << (firstPlace + n))),
  signals: signals.filter((_, n) => marks & (1 << (firstSignal + n))),
})

type Called = { readonly provider: Provider | null; readonly model: string }

/** Embedded models are nobody's place. */
const placeOf = ({ provider, model }: Called): Marks =>
  provider === null && model.startsWith('embedded/') ? noMarks : at(provider ?? 'local')

const causes = {
  turn: 'turn',
  perception: 'perception',
  tool: 'turn',
  api: 'program',
  consolidation: 'consolidation',
  history: 'consolidation',
} as const

/** `self`: as it is after the fact. */
export const marksOf = (event: PersonaEvent, self: Pick<Persona['self'], 'organs'>): Marks => {
  switch (event.type) {
    case 'ModelAnswered':
      return sign(causes[event.cause])
    case 'ModelFailed':
      // What was refused for its words is no failing of the place.
      return both(sign(causes[event.cause]), failed | (event.kind === 'refused' ? noMarks : placeOf(event)))
    case 'OrganFailed': {
      const organ = self.organs[event.slot]
      return both(sign('organ failed'), failed | (organ ? placeOf(organ) : noMarks))
    }
    case 'WakingFailed': {
      const mind = self.organs.thinking
      return both(sign('waking failed'), failed | (mind ? placeOf(mind) : noMarks))
    }
    case 'TurnEnded':
      return both(sign('turn'), event.outcome === 'unreachable' ? failed : noMarks)
    case 'SleepEnded':
      return both(sign('sleep'), event.outcome === 'failed' ? failed : noMarks)
    case 'StatusSet':
      return event.status === 'sick' ? sign('sick') : noMarks
    default:
      return plainly[event.type] ?? noMarks
  }
}

/** Facts that are a sign by their name alone. */
const plainly: Readonly<Partial<Record<PersonaEvent['type'], Marks>>> = {
  Woke: both(sign('woke'), served),
  Stopped: sign('stopped'),
  TurnBegan: both(sign('turn'), served),
  MediaDescribed: sign('perception'),
  EntryDue: sign('reminder'),
  ContextCarried: sign('consolidation'),
  SleepBegan: sign('sleep'),
  DayClosed: sign('sleep'),
  OrganRecovered: sign('recovered'),
  Salvaged: sign('salvaged'),
}
