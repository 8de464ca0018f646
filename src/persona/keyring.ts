/**
 * The keys of all personas and the tokens of their bots. Facts hold references; the values are only in the
 * secrets file of each persona.
 */
import { randomBytes } from 'node:crypto'
import type { Organ, PersonaId, Slot } from '../../facts/fact-values.ts'
import type { SecretStore, Secrets } from '../../home/secrets.ts'
import { orUnavailable, type Stopwatch } from '../../journal/log/timeout.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import { systemClock } from '../../packages/kit/time/clock.ts'
import { listServerSecrets } from '../../projections/declared-servers.ts'
import type { Persona } from '../../projections/persona.ts'
import { listFormerKeys, type Self } from '../../projections/self.ts'
import { listOtherKeys } from '../../projections/talk.ts'
import { formatMissingKeys } from './refusals.ts'

type KeyOwner = Pick<Persona, 'self' | 'talk'>

export interface Keyring {
  /** Durable when it resolves. The reference is for the fact that follows. */
  keep(id: PersonaId, value: string): Promise<string>
  /** Replaces the value behind a reference. Durable when it resolves. */
  replace(id: PersonaId, ref: string, value: string): Promise<void>
  /** Null if it is lost. */
  secret(id: PersonaId, ref: string): Promise<string | null>
  /** Returns the organs that refer to a lost key; empty if the file cannot be read now. Never rejects. */
  keyless(self: Self): Promise<readonly Slot[]>
  /** Removes a reference that no fact will hold, and all unreferenced keys. Never rejects. */
  drop(persona: KeyOwner, ref: string): Promise<void>
  /** Removes all unreferenced keys. Never rejects. */
  settle(persona: KeyOwner): Promise<void>
  /** Call before the files are removed, or when another daemon takes over. */
  forget(id: PersonaId): void
  /** Reads the file again: another daemon may have written it. */
  reread(id: PersonaId): void
  /** Removes the secrets of a persona whose creation failed. */
  discard(id: PersonaId): Promise<void>
  /** Removes secrets without a persona, left by an interrupted creation. */
  sweepOrphans(livingIds: ReadonlySet<PersonaId>): Promise<void>
}

export const createKeyring = (
  secrets: SecretStore,
  log: DiscreetLog,
  stopwatch: Stopwatch = systemClock(),
): Keyring => {
  const files = new Map<PersonaId, Promise<Secrets>>()
  /** References whose fact is not on disk yet. */
  const promisedFiles = new Map<PersonaId, Set<string>>()

  const getFile = (id: PersonaId): Promise<Secrets> => {
    const file = files.get(id) ?? secrets.open(id)
    files.set(id, file)
    file.catch(() => files.delete(id))
    return file
  }

  /** Times out. The operation itself continues, and the next one waits for it. */
  const withTimeout = <T>(request: Promise<T>): Promise<T> => orUnavailable(stopwatch, request)

  const forget = (id: PersonaId) => {
    files.delete(id)
    promisedFiles.delete(id)
    warnings.delete(id)
  }

  /** Last warning per persona. */
  const warnings = new Map<PersonaId, string>()
  const warnOnce = (lostSlots: readonly Slot[], self: Self) => {
    const reason = lostSlots.length > 0 ? formatMissingKeys(lostSlots) : ''
    if (reason !== '' && reason !== warnings.get(self.id))
      log.warn({ id: self.id, reason }, 'saved keys are gone')
    warnings.set(self.id, reason)
  }

  const settleKeys = async ({ self, talk }: KeyOwner) => {
    const usedFiles = [
      ...Object.values(self.organs).flatMap(({ key }) => key ?? []),
      ...self.channels.map(({ token }) => token),
      ...listServerSecrets(self.servers),
      ...self.searches.providers.flatMap(({ key }) => key ?? []),
      ...self.calendars.map(({ secret }) => secret),
      ...self.mailboxes.map(({ secret }) => secret),
      ...listOtherKeys(talk),
      ...listFormerKeys(self),
    ]
    const promisedNames = promisedFiles.get(self.id)
    for (const ref of usedFiles) promisedNames?.delete(ref)
    try {
      await withTimeout(
        getFile(self.id).then((file) => {
          warnOnce(findLost(file, self), self)
          return file.sweep([...usedFiles, ...(promisedNames ?? [])])
        }),
      )
    } catch (err) {
      log.error({ id: self.id, err }, 'failed to remove unused keys')
    }
  }

  return {
    keep: async (id, value) => {
      log.hide(value)
      const ref = randomBytes(9).toString('base64url')
      promisedFiles.set(id, (promisedFiles.get(id) ?? new Set()).add(ref))
      try {
        await withTimeout(getFile(id).then((file) => file.put(ref, value)))
      } catch (error) {
        // If the slow disk still writes it, the next sweep removes it.
        promisedFiles.get(id)?.delete(ref)
        throw error
      }
      return ref
    },
    replace: async (id, ref, value) => {
      log.hide(value)
      await withTimeout(getFile(id).then((file) => file.put(ref, value)))
    },
    secret: async (id, ref) => {
      const value = (await withTimeout(getFile(id))).get(ref)
      if (value !== undefined) log.hide(value)
      return value ?? null
    },
    keyless: async (self) => {
      try {
        return findLost(await withTimeout(getFile(self.id)), self)
      } catch (err) {
        log.warn({ id: self.id, err }, 'failed to read saved keys')
        return []
      }
    },
    drop: (persona, ref) => {
      promisedFiles.get(persona.self.id)?.delete(ref)
      return settleKeys(persona)
    },
    settle: settleKeys,
    forget,
    reread: (id) => void files.delete(id),
    discard: async (id) => {
      forget(id)
      await withTimeout(secrets.discard(id))
    },
    sweepOrphans: secrets.sweepOrphans,
  }
}

const findLost = (file: Secrets, { organs }: Self): readonly Slot[] =>
  (Object.entries(organs) as [Slot, Organ][]).flatMap(([slot, { key }]) =>
    key !== null && file.get(key) === undefined ? slot : [],
  )
