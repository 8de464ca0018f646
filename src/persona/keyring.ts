/**
 * The keys of all personas, and the tokens of their bots: facts hold references, the values lie in each
 * persona's secrets file and nowhere else.
 */
import { randomBytes } from 'node:crypto'
import type { Organ, PersonaId, Slot } from '../../journal/facts/fact-values.ts'
import type { SecretStore, Secrets } from '../../journal/files/secrets.ts'
import { orUnavailable, type Stopwatch } from '../../journal/log/timeout.ts'
import { secretsOf } from '../../projections/declared-servers.ts'
import type { Self } from '../../projections/self.ts'
import type { DiscreetLog } from '../log.ts'
import { systemClock } from '../time/clock.ts'
import { keysGone } from './keys-gone.ts'

export interface Keyring {
  /** Durable when it resolves; the reference is for the fact that follows. */
  keep(id: PersonaId, value: string): Promise<string>
  /** Another value under a reference that a fact holds; durable when it resolves. */
  replace(id: PersonaId, ref: string, value: string): Promise<void>
  /** Null when it is gone. */
  secret(id: PersonaId, ref: string): Promise<string | null>
  /**
   * Organs that refer to a key which is gone; where the file cannot be read now, nobody can tell. Never
   * rejects.
   */
  keyless(self: Self): Promise<readonly Slot[]>
  /** No fact will name it: it goes, with whatever else nothing of its own refers to. Never rejects. */
  drop(self: Self, ref: string): Promise<void>
  /** Removes what nothing of its own refers to any more. Never rejects. */
  settle(self: Self): Promise<void>
  /** Its files are about to go, or another daemon writes them. */
  forget(id: PersonaId): void
  /** Another daemon may have written its keys: they are read anew. */
  reread(id: PersonaId): void
  /** Its creation failed: what was kept for it goes. */
  discard(id: PersonaId): Promise<void>
  /** A creation that was cut off may have left a folder, and a key in it, without a persona. */
  sweepOrphans(living: ReadonlySet<PersonaId>): Promise<void>
}

export const createKeyring = (
  secrets: SecretStore,
  log: DiscreetLog,
  stopwatch: Stopwatch = systemClock(),
): Keyring => {
  const files = new Map<PersonaId, Promise<Secrets>>()
  /** References given out whose fact is not on disk yet. */
  const promised = new Map<PersonaId, Set<string>>()

  const fileOf = (id: PersonaId): Promise<Secrets> => {
    const file = files.get(id) ?? secrets.open(id)
    files.set(id, file)
    file.catch(() => files.delete(id))
    return file
  }

  /** What hangs goes on, and whoever asks next waits behind it. */
  const soon = <T>(asked: Promise<T>): Promise<T> => orUnavailable(stopwatch, asked)

  const forget = (id: PersonaId) => {
    files.delete(id)
    promised.delete(id)
    told.delete(id)
  }

  /** Those of whom it was said that keys of theirs are gone, and which. */
  const told = new Map<PersonaId, string>()
  /** Said once, in the log; diagnose and it itself say it to whoever asks. */
  const tellOf = (lost: readonly Slot[], self: Self) => {
    const [reason, before] = [lost.length > 0 ? keysGone(lost) : '', told.get(self.id) ?? '']
    if (reason !== '' && reason !== before) log.warn({ id: self.id, reason }, 'saved keys are gone')
    told.set(self.id, reason)
  }

  const settle = async (self: Self) => {
    const used = [
      ...Object.values(self.organs).flatMap(({ key }) => key ?? []),
      ...self.channels.map(({ token }) => token),
      ...secretsOf(self.servers),
    ]
    const waiting = promised.get(self.id)
    for (const ref of used) waiting?.delete(ref)
    try {
      await soon(
        fileOf(self.id).then((file) => {
          tellOf(lostIn(file, self), self)
          return file.sweep([...used, ...(waiting ?? [])])
        }),
      )
    } catch (err) {
      log.error({ id: self.id, err }, 'keys that are used no more could not be removed')
    }
  }

  return {
    keep: async (id, value) => {
      log.hide(value)
      const ref = randomBytes(9).toString('base64url')
      promised.set(id, (promised.get(id) ?? new Set()).add(ref))
      try {
        await soon(fileOf(id).then((file) => file.put(ref, value)))
      } catch (error) {
        // Where the disk still takes it, it goes with the next sweep.
        promised.get(id)?.delete(ref)
        throw error
      }
      return ref
    },
    replace: async (id, ref, value) => {
      log.hide(value)
      await soon(fileOf(id).then((file) => file.put(ref, value)))
    },
    secret: async (id, ref) => {
      const value = (await soon(fileOf(id))).get(ref)
      if (value !== undefined) log.hide(value)
      return value ?? null
    },
    keyless: async (self) => {
      try {
        return lostIn(await soon(fileOf(self.id)), self)
      } catch (err) {
        log.warn({ id: self.id, err }, 'its saved keys cannot be read now')
        return []
      }
    },
    drop: (self, ref) => {
      promised.get(self.id)?.delete(ref)
      return settle(self)
    },
    settle,
    forget,
    reread: (id) => void files.delete(id),
    discard: async (id) => {
      forget(id)
      await soon(secrets.discard(id))
    },
    sweepOrphans: secrets.sweepOrphans,
  }
}

const lostIn = (file: Secrets, { organs }: Self): readonly Slot[] =>
  (Object.entries(organs) as [Slot, Organ][]).flatMap(([slot, { key }]) =>
    key !== null && file.get(key) === undefined ? slot : [],
  )
