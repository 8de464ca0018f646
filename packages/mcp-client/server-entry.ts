/** The state of one server of a persona: its tools, its failed starts, its authorization. */
import type { PersonaId } from '../../facts/fact-values.ts'
import { eitherAborts } from '../kit/flow/abort-signals.ts'
import { pauseAfter } from '../kit/flow/backoff.ts'
import type { Clock } from '../kit/time/clock.ts'
import type { Authorization } from './authorization.ts'
import { type Era, type Listing, type Place, readListing, writeListing } from './listing-file.ts'
import type { SecretMask } from './secret-mask.ts'
import type { ServerRef, ServerView } from './server-config.ts'
import type { Connection } from './server-connection.ts'
import type { Definitions } from './tool-definitions.ts'
import { closingTrouble, ServerTrouble } from './trouble.ts'

export interface ServerEntry {
  readonly id: PersonaId
  readonly ref: ServerRef
  readonly mask: SecretMask
  /** Aborts when the entry is removed. */
  readonly signal: AbortSignal
  /** Reads the cached listing once. */
  readListing(): Promise<Listing | undefined>
  view(): ServerView
  /** Returns the known protocol version, unless it is too old. */
  era(): Era | null
  starting(): void
  onStarted(connection: Connection): void
  /** Records an error, and counts it if it is a failed start. */
  onFailed(serverTrouble: ServerTrouble): void
  onListed(definitions: Definitions): void
  /** Waits for the pause after failed starts. Throws ServerTrouble if the pause is long. */
  pause(signal: AbortSignal): Promise<void>
  /** Clears failures and the protocol version. */
  forgive(): void
  readonly connection: () => Connection | undefined
  authorization: Authorization | undefined
  /** The reason of a failed authorization, or null. */
  refusal: string | null
  /** Stops waiting for the user. Resolves when the listing is on disk. */
  end(): Promise<void>
}

interface Deps {
  readonly home: string
  readonly id: PersonaId
  readonly ref: ServerRef
  readonly clock: Clock
  readonly mask: SecretMask
}

/** Consecutive failed starts before the state is `failing`. */
const maxFailures = 3
const backoff = { first: 1000, longest: 300_000, factor: 3 }
/** Ms for which a protocol version is cached. The server may be upgraded. */
const eraLifetimeMs = 7 * 24 * 60 * 60 * 1000

export const createServerEntry = ({ home, id, ref, clock, mask }: Deps): ServerEntry => {
  const place: Place = { home, id, name: ref.name }
  const ending = new AbortController()
  let listing: Listing | undefined
  let reading: Promise<void> | undefined
  let lastWrite = Promise.resolve()
  let connection: Connection | undefined
  let isStarting = false
  let failures = 0
  let pausedUntil = 0
  let lastError: ServerTrouble | undefined

  const read = async () => {
    const storedListing = await readListing(place, ref.key)
    listing ??= storedListing
  }
  const keepListing = (next: Listing) => {
    if (ending.signal.aborted) return
    const isSame = JSON.stringify(next) === JSON.stringify(listing)
    listing = next
    if (!isSame) lastWrite = lastWrite.then(() => writeListing(place, ref.key, next))
  }
  const isFailing = () => failures >= maxFailures

  const entry: ServerEntry = {
    id,
    ref,
    mask,
    signal: ending.signal,
    authorization: undefined,
    refusal: null,
    connection: () => connection,
    readListing: async () => {
      reading ??= read()
      await reading
      return listing
    },
    view: () => ({
      state: connection ? 'ready' : isStarting ? 'starting' : isFailing() ? 'failing' : 'off',
      reason: lastError?.message ?? entry.refusal ?? (listing?.left.join(' ') || null),
      authorize: entry.authorization?.wanted() ?? null,
      tools: listing?.tools ?? [],
    }),
    era: () => {
      const { era, asked } = listing ?? { era: null, asked: null }
      const age = asked === null ? 0 : clock.now() - asked
      return era !== null && age >= 0 && age < eraLifetimeMs ? era : null
    },
    starting: () => {
      isStarting = true
    },
    onStarted: (newConnection) => {
      isStarting = false
      failures = 0
      lastError = undefined
      entry.refusal = null
      connection = newConnection
      const isKnown =
        listing !== undefined && entry.era() !== null && listing.era?.kind === newConnection.era.kind
      const askedAt = isKnown ? (listing?.asked ?? null) : clock.now()
      keepListing({ ...newConnection.definitions(), asked: askedAt, era: newConnection.era } as Listing)
      void newConnection.ending.then(() => {
        if (connection === newConnection) connection = undefined
      })
    },
    onFailed: (failure) => {
      isStarting = false
      if (failure.kind === 'closing' || failure.kind === 'cut') return
      lastError = failure
      // Not a failed start: the server waits for the user.
      if (failure.kind === 'authorize' || failure.kind === 'config') return
      failures++
      pausedUntil = clock.now() + pauseAfter(failures, backoff)
    },
    onListed: (definitions) => {
      if (listing) keepListing({ ...listing, ...definitions } as Listing)
    },
    pause: async (signal) => {
      // Bounded by the pause itself, in case the clock was set back.
      const pauseMs = Math.min(pausedUntil - clock.now(), pauseAfter(failures, backoff))
      if (pauseMs > 0 && isFailing() && lastError)
        throw new ServerTrouble(
          `${lastError.message}\nIt is tried again in ${Math.ceil(pauseMs / 1000)} s.`,
          lastError.kind,
        )
      if (pauseMs > 0)
        await eitherAborts([signal, ending.signal], (combinedSignal) => clock.wait(pauseMs, combinedSignal))
      if (ending.signal.aborted) throw closingTrouble(false)
    },
    forgive: () => {
      failures = 0
      pausedUntil = 0
      lastError = undefined
      entry.refusal = null
      if (listing) listing = { ...listing, era: null, asked: null }
    },
    end: () => {
      ending.abort()
      entry.authorization?.close()
      return lastWrite
    },
  }
  return entry
}
