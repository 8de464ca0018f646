/** Who she is: name, organs, status, and whether she was last asked to run. Small enough to lie in the catalog whole. */
import type { Organ, Seq, Slot, Status } from '../journal/events.ts'
import type { Fact } from './persona.ts'

export interface Self {
  readonly id: string
  readonly name: string
  /** Local date, YYYY-MM-DD. */
  readonly birthday: string
  /** Epoch milliseconds of her first fact: the order of the list. */
  readonly created: number
  readonly status: Status
  /** Why the daemon itself made her sick; null for a status that somebody asked for. */
  readonly reason: string | null
  readonly idleTimeout: number
  /** Whom her diaries are sealed for. */
  readonly recipient: string
  /** Where she was last brought back: what stood here before may have been another history. */
  readonly restored: Seq | 0
  readonly organs: Readonly<Partial<Record<Slot, Organ>>>
  /** What was asked last: to run or not. A daemon that starts wakes those who should run. */
  readonly wanted: boolean
  readonly deleted: boolean
  /** Her diaries go with her. */
  readonly purged: boolean
}

export const evolveSelf = (self: Self | undefined, { seq, at, event }: Fact): Self => {
  if (event.type === 'PersonaCreated') {
    const { id, name, birthday, idleTimeout, recipient } = event
    return {
      id,
      name,
      birthday,
      created: at,
      status: 'active',
      reason: null,
      idleTimeout,
      recipient,
      restored: 0,
      organs: {},
      wanted: false,
      deleted: false,
      purged: false,
    }
  }
  if (!self) throw new Error(`${event.type} stands before PersonaCreated`)
  switch (event.type) {
    case 'Renamed':
      return { ...self, name: event.name }
    case 'IdleTimeoutSet':
      return { ...self, idleTimeout: event.seconds }
    case 'OrganReplaced':
      return { ...self, organs: { ...self.organs, [event.slot]: event.organ } }
    case 'OrganRemoved':
      return { ...self, organs: without(self.organs, event.slot) }
    case 'StatusSet':
      // What the daemon sets, with its reason, leaves what was asked of her as it was: she should run, and cannot think.
      return {
        ...{ ...self, status: event.status, reason: event.status === 'sick' ? event.reason : null },
        wanted: event.reason === null ? event.status === 'active' : self.wanted,
      }
    case 'PhraseChanged':
      return { ...self, recipient: event.recipient }
    case 'PersonaRestored':
      return { ...self, recipient: event.recipient, restored: seq, organs: {}, status: 'active', reason: null }
    case 'StartAsked':
    case 'RestartAsked':
      return { ...self, wanted: true }
    case 'StopAsked':
      return { ...self, wanted: false }
    case 'PersonaDeleted':
      return { ...self, wanted: false, deleted: true, purged: event.purge }
    default:
      return self
  }
}

const without = (organs: Self['organs'], slot: Slot): Self['organs'] => {
  const { [slot]: _, ...rest } = organs
  return rest
}
