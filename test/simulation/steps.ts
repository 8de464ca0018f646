/** Draws the next random step of a simulated daemon. */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Chance } from '../random.ts'
import {
  type AskDraft,
  allow,
  create,
  greet,
  hear,
  hush,
  remove,
  sleep,
  speakFromEarlierLife,
  start,
  stop,
  update,
} from './asks.ts'
import type { Trouble } from './disk.ts'

export type Step =
  | { readonly type: 'ask'; readonly requests: readonly AskDraft[] }
  | { readonly type: 'time'; readonly ms: number }
  | { readonly type: 'leap'; readonly ms: number }
  | { readonly type: 'trouble'; readonly trouble: Trouble | null }
  | { readonly type: 'mood'; readonly endpoint: boolean; readonly talk: boolean; readonly trouble: number }
  | { readonly type: 'die'; readonly power: boolean }
  | { readonly type: 'close' }
  | { readonly type: 'snapshot'; readonly id: PersonaId }

export interface Drawer {
  next(): Step
  /** All personas that were ever requested. */
  readonly ids: readonly PersonaId[]
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export const createDrawer = (chance: Chance): Drawer => {
  const ids: PersonaId[] = []
  const maxPersonas = chance.pickBetween(1, 4)
  let count = 0
  const earlierMessages: { readonly id: PersonaId; readonly content: string; readonly key: string }[] = []
  /** Some lives are long enough for a snapshot when their journal is closed. */
  let isLong = chance.next() < 0.01

  const pickPersona = (): PersonaId => ids[chance.pickBetween(0, ids.length - 1)] ?? 'nobody'
  const born = () => {
    const id = `p${ids.length + 1}`
    ids.push(id)
    // Number of pages that show the conversation.
    const pages = chance.pick([0, 0, 1, 1, 2])
    return [create(id), ...Array.from({ length: pages }, () => greet(id))]
  }
  const pickMessage = (id: PersonaId): AskDraft => {
    const earlier = earlierMessages[chance.pickBetween(0, earlierMessages.length * 3)]
    if (earlier) return hear(earlier.id, earlier.content, earlier.key)
    const content = `m${++count}`
    const key = chance.next() < 0.5 ? `k${count}` : null
    if (chance.next() < 0.15) return hear(id, content, key, { type: 'telegram', name: 't' })
    if (key !== null) earlierMessages.push({ id, content, key })
    return hear(id, content, key)
  }
  const createChange = (id: PersonaId): AskDraft => {
    const name = `n${++count}`
    const status = chance.pick([undefined, undefined, 'active', 'hibernate', 'sick', 'nonsense'])
    const version = chance.next() < 0.3 ? count : null
    return update(id, name, count, status === undefined ? {} : { status }, version)
  }
  const ask = (): AskDraft => {
    const id = pickPersona()
    const dice = chance.next()
    if (dice < 0.5) return pickMessage(id)
    if (dice < 0.54) return greet(id)
    if (dice < 0.68) return createChange(id)
    if (dice < 0.74) return start(id, 'AskStart')
    if (dice < 0.8) return start(id, 'AskRestart')
    if (dice < 0.86) return stop(id)
    if (dice < 0.91) return hush(id)
    if (dice < 0.95) return sleep(id)
    if (dice < 0.96) return speakFromEarlierLife(id)
    // The same number of draws as without it.
    if (dice < 0.97) return allow(id, dice < 0.968 ? 'lively' : 'off')
    return remove(id)
  }
  const askStep = (): Step => {
    if (ids.length < maxPersonas && (ids.length === 0 || chance.next() < 0.3))
      return { type: 'ask', requests: born() }
    if (isLong) {
      isLong = false
      const id = pickPersona()
      return {
        type: 'ask',
        requests: Array.from({ length: 120 }, () =>
          hear(id, `m${++count}`, null, { type: 'discord', name: 'd' }),
        ),
      }
    }
    return { type: 'ask', requests: Array.from({ length: chance.pick([1, 1, 1, 2, 3]) }, ask) }
  }
  const time = (): Step => {
    const dice = chance.next()
    if (dice < 0.5) return { type: 'time', ms: chance.pickBetween(1, 70 * second) }
    // Long enough for a consolidation, or for the end of a day.
    if (dice < 0.53) return { type: 'time', ms: hour + chance.pickBetween(0, 2 * minute) }
    if (dice < 0.58) return { type: 'leap', ms: chance.pickBetween(8, 30) * hour }
    // Long enough for idle journals to be closed.
    if (dice < 0.8) return { type: 'time', ms: chance.pickBetween(2 * minute, 5 * minute) }
    const maxMs = chance.pick([minute, hour, 3 * day])
    return { type: 'leap', ms: chance.pickBetween(-maxMs / 2, maxMs) }
  }
  const trouble = (): Step => {
    const times = chance.pickBetween(1, 5)
    return chance.pick<Step>([
      {
        type: 'trouble',
        trouble: { operation: 'batch', fault: chance.pick(['refused', 'lost', 'kept']), times },
      },
      {
        type: 'trouble',
        trouble: { operation: 'batch', fault: chance.pick(['refused', 'lost', 'kept']), times },
      },
      { type: 'trouble', trouble: { operation: 'batch', fault: 'hanging', times: 1 } },
      {
        type: 'trouble',
        trouble: { operation: 'reopen', fault: chance.pick(['refused', 'hanging']), times },
      },
      {
        type: 'trouble',
        trouble: { operation: 'open', fault: chance.pick(['refused', 'hanging']), times: 1 },
      },
      {
        type: 'trouble',
        trouble: {
          operation: 'create',
          fault: chance.pick(['refused', 'lost', 'kept', 'hanging']),
          times: 1,
        },
      },
      {
        type: 'trouble',
        trouble: {
          operation: 'remove',
          fault: chance.pick(['refused', 'lost', 'kept', 'hanging']),
          times: 1,
        },
      },
      {
        type: 'trouble',
        trouble: {
          operation: chance.pick(['get', 'read']),
          fault: chance.pick(['refused', 'hanging']),
          times,
        },
      },
      { type: 'trouble', trouble: null },
    ])
  }
  return {
    ids,
    next: () => {
      if (ids.length === 0) return askStep()
      const dice = chance.next()
      if (dice < 0.54) return askStep()
      if (dice < 0.74) return time()
      if (dice < 0.83) return trouble()
      if (dice < 0.88) {
        const endpoint = chance.next() < 0.7
        const talk = chance.next() < 0.7
        return { type: 'mood', endpoint, talk, trouble: chance.pick([0, 0.2, 0.6, 0.95]) }
      }
      if (dice < 0.95) return { type: 'die', power: chance.next() < 0.5 }
      if (dice < 0.98) return { type: 'close' }
      return { type: 'snapshot', id: pickPersona() }
    },
  }
}

export const describeStep = (step: Step): string => {
  switch (step.type) {
    case 'ask': {
      const [first] = step.requests
      return step.requests.length > 10
        ? `${first?.description} and ${step.requests.length - 1} more`
        : step.requests.map(({ description }) => description).join(' + ')
    }
    case 'time':
    case 'leap':
      return `${step.type} ${step.ms / 1000} s`
    case 'trouble':
      return step.trouble
        ? `disk: ${step.trouble.operation} ${step.trouble.fault} × ${step.trouble.times}`
        : 'disk: sound'
    case 'mood':
      return `minds: door ${step.endpoint ? 'open' : 'shut'}, ${step.talk ? '' : 'no '}talk, trouble ${step.trouble}`
    case 'die':
      return step.power ? 'power cut' : 'killed'
    case 'close':
      return 'closed and opened'
    case 'snapshot':
      return `snapshot ${step.id}`
  }
}
