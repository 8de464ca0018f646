/**
 * The mailboxes that personas are connected to. While a persona runs, a connection to each of its mailboxes
 * waits for new mail. A stopped persona reads nothing.
 */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Documents } from '../../packages/documents/documents.ts'
import { type Backoff, pauseAfter } from '../../packages/kit/flow/backoff.ts'
import type { DiscreetLog } from '../../packages/kit/log.ts'
import type { Clock } from '../../packages/kit/time/clock.ts'
import { MailFailed } from '../../packages/mail/mail-failed.ts'
import { readHeader } from '../../packages/mail/mail-header.ts'
import type { MailboxAddress, MailboxSession } from '../../packages/mail/mailbox-session.ts'
import type { Mailbox } from '../../projections/mailboxes.ts'
import { type Bus, listen } from '../bus.ts'
import type { PersonaStore } from '../persona/persona-store.ts'
import { Refused } from '../persona/refusals.ts'
import { type ParsedMail, parseMail } from './mail-text.ts'
import { type ReadPassDeps, readNewMails } from './mailbox-reader.ts'
import type { ReadMail } from './read-mails.ts'

export interface MailboxState extends Mailbox {
  /** Epoch ms of the last successful look into the folder; null before the first one. */
  readonly checked: number | null
  /** Why the last look failed, as a sentence; null if it succeeded. */
  readonly error: string | null
  /** The class of the failure; `daemon` is an error of the daemon. */
  readonly errorKind: MailFailed['kind'] | 'daemon' | null
  /** New mails that are not read yet. */
  readonly waiting: number
}

/** The position in a folder after which mails are new. */
export interface FolderPosition {
  readonly uidValidity: number
  readonly after: number
}

export interface Mailboxes {
  /**
   * Opens the folder before it is connected. The newest `recent` mails count as new. Throws MailFailed, or
   * the signal's reason.
   */
  probe(address: MailboxAddress, recent: number, signal: AbortSignal): Promise<FolderPosition>
  /**
   * Reads the text of a mail from its server. Asks once for the pages of one mail. Throws MailFailed, or the
   * signal's reason.
   */
  open(id: PersonaId, mail: ReadMail, signal: AbortSignal): Promise<ParsedMail>
  states(id: PersonaId): readonly MailboxState[]
  /** Looks into the folder now, if the persona runs. Resolves after that, or after a while. */
  refresh(id: PersonaId, mailbox: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

interface Deps {
  readonly personas: Pick<PersonaStore, 'all' | 'getRow' | 'secret' | 'read' | 'execute'>
  readonly isRunning: (id: PersonaId) => boolean
  readonly home: string
  readonly documents: Pick<Documents, 'read'>
  readonly summarize: ReadPassDeps['summarize']
  readonly bus: Bus
  readonly clock: Clock
  readonly log: DiscreetLog
}

const minuteMs = 60_000
const tickMs = 30_000
const dayMs = 24 * 60 * minuteMs
const usualIntervalMs = 5 * minuteMs
const maxRefreshMs = 20_000
/** How long the text of an opened mail stays in memory, for its next page. */
const openedMs = 2 * minuteMs
const backoff: Backoff = { first: minuteMs, longest: 60 * minuteMs, factor: 3 }

interface Watcher {
  readonly controller: AbortController
  /** Ends the current pause. */
  wake: () => void
  /** Resolved after the next look into the folder. */
  waiters: (() => void)[]
  checked: number | null
  failure: Pick<MailboxState, 'error' | 'errorKind'>
  waiting: number
}

const noFailure = { error: null, errorKind: null }

export const createMailboxes = (deps: Deps): Mailboxes => {
  const { personas, isRunning, home, documents, bus, clock, log } = deps
  const watchers = new Map<string, Watcher>()
  /** The last opened mail of each persona. */
  const openedMails = new Map<
    PersonaId,
    { readonly key: string; readonly until: number; readonly mail: ParsedMail }
  >()
  const closing = new AbortController()
  const work = new Set<Promise<void>>()
  const passDeps: ReadPassDeps = {
    personas,
    now: clock.now,
    summarize: deps.summarize,
    parse: (id, mail, signal) => parseMail({ home, documents }, id, mail, signal),
  }
  const list = (id: PersonaId): readonly Mailbox[] => personas.getRow(id)?.self.mailboxes ?? []

  const openSession = async (address: MailboxAddress, signal: AbortSignal): Promise<MailboxSession> => {
    log.hide(address.password)
    const { openMailbox } = await import('../../packages/mail/mailbox-session.ts')
    return openMailbox(address, { signal })
  }
  const openStored = async (id: PersonaId, mailbox: Mailbox, signal: AbortSignal) => {
    const password = await personas.secret(id, mailbox.secret)
    if (password === null) throw new MailFailed('password_missing', missingPassword)
    return openSession({ ...mailbox, password }, signal)
  }

  /** Looks into the folder and reads, until the connection fails or the signal aborts. */
  const watchOnce = async (id: PersonaId, mailbox: Mailbox, watcher: Watcher, onLooked: () => void) => {
    const { signal } = watcher.controller
    const session = await openStored(id, mailbox, signal)
    const skippedUids = new Set<number>()
    try {
      for (;;) {
        const servedWaiters = watcher.waiters.splice(0)
        const waitMs = await readNewMails(passDeps, {
          ...{ id, mailbox, session, signal, skippedUids },
          onWaiting: (count) => {
            watcher.waiting = count
            watcher.checked = clock.now()
            watcher.failure = noFailure
          },
        })
        onLooked()
        for (const resolve of servedWaiters) resolve()
        if (watcher.waiters.length > 0) continue
        const pause = new AbortController()
        watcher.wake = () => pause.abort()
        const anySignal = AbortSignal.any([pause.signal, signal])
        await session.waitForNews(Math.min(waitMs ?? usualIntervalMs, usualIntervalMs), anySignal)
        signal.throwIfAborted()
      }
    } finally {
      await session.close()
    }
  }

  const watch = async (id: PersonaId, mailbox: Mailbox, watcher: Watcher) => {
    const { signal } = watcher.controller
    let failures = 0
    while (!signal.aborted) {
      try {
        await watchOnce(id, mailbox, watcher, () => {
          failures = 0
        })
      } catch (error) {
        // The persona stopped, or another life began.
        if (signal.aborted || (error instanceof Refused && error.refusal.code === 'life_over')) return
        failures++
        const errorKind = error instanceof MailFailed ? error.kind : 'daemon'
        watcher.failure = { error: toSentence(mailbox, error), errorKind }
        if (error instanceof MailFailed) log.info({ id }, `a mailbox was not read: ${error.kind}`)
        else log.warn({ id, err: error }, 'failed to read a mailbox')
        for (const resolve of watcher.waiters.splice(0)) resolve()
        const pause = new AbortController()
        watcher.wake = () => pause.abort()
        await clock.wait(pauseAfter(failures, backoff), AbortSignal.any([pause.signal, signal]))
      }
    }
  }

  const startWatcher = (id: PersonaId, mailbox: Mailbox) => {
    const key = toKey(id, mailbox.id)
    const state = { wake: () => {}, waiters: [], checked: null, failure: noFailure, waiting: 0 }
    const watcher: Watcher = { ...state, controller: new AbortController() }
    watchers.set(key, watcher)
    const task: Promise<void> = watch(id, mailbox, watcher)
      .catch((err: unknown) => log.warn({ id, err }, 'failed to watch a mailbox'))
      .finally(() => {
        for (const resolve of watcher.waiters.splice(0)) resolve()
        if (watchers.get(key) === watcher) watchers.delete(key)
        work.delete(task)
      })
    work.add(task)
  }

  /** Starts and ends connections to match the running persona. */
  const reconcile = (id: PersonaId) => {
    if (closing.signal.aborted) return
    const mailboxes = isRunning(id) ? list(id) : []
    const wantedKeys = new Set(mailboxes.map((mailbox) => toKey(id, mailbox.id)))
    for (const [key, { controller }] of watchers)
      if (key.startsWith(`${id} `) && !wantedKeys.has(key)) {
        watchers.delete(key)
        controller.abort(new Error('the mailbox is not read any more'))
      }
    for (const mailbox of mailboxes) if (!watchers.has(toKey(id, mailbox.id))) startWatcher(id, mailbox)
  }
  const stopTicking = clock.every(tickMs, () => {
    for (const [id, { until }] of openedMails) if (clock.now() >= until) openedMails.delete(id)
    const watchedIds = [...watchers.keys()].map((key) => key.slice(0, key.indexOf(' ')))
    const ids = personas.all().flatMap(({ self }) => (self.mailboxes.length > 0 ? [self.id] : []))
    for (const id of new Set([...watchedIds, ...ids])) reconcile(id)
  })
  const stopSigns = listen(bus.signs, log, (sign) => {
    if (sign.type === 'gone') openedMails.delete(sign.id)
    if (sign.type === 'presence' || sign.type === 'gone') reconcile(sign.id)
  })
  const stopCommits = listen(bus.commits, log, ({ id, entries }) => {
    if (entries.some(({ type }) => changesMailboxes.has(type))) reconcile(id)
  })

  return {
    probe: async (address, recent, signal) => {
      const session = await openSession(address, AbortSignal.any([signal, closing.signal]))
      try {
        const uids = await session.listNewest(recent + 1)
        const isShort = uids.length <= recent
        return { uidValidity: session.uidValidity, after: isShort ? 0 : (uids[0] ?? 0) }
      } finally {
        await session.close()
      }
    },
    open: async (id, mail, signal) => {
      const mailbox = list(id).find((candidate) => candidate.id === mail.mailbox)
      if (!mailbox) throw new MailFailed('folder', 'its mailbox is not connected any more')
      // Not the position in the journal: a restored backup gives it to another mail.
      const key = JSON.stringify([mailbox.id, mail.uidValidity, mail.uid, mail.key])
      const lastMail = openedMails.get(id)
      if (lastMail?.key === key && clock.now() < lastMail.until) return lastMail.mail
      const session = await openStored(id, mailbox, AbortSignal.any([signal, closing.signal]))
      try {
        const uid = await findUid(session, mail)
        const fetchedMail = uid === null ? null : await session.fetch(uid)
        if (!fetchedMail) throw new MailFailed('folder', 'the mail is not in its folder any more')
        const parsedMail = await passDeps.parse(id, fetchedMail, signal)
        openedMails.set(id, { key, until: clock.now() + openedMs, mail: parsedMail })
        return parsedMail
      } finally {
        await session.close()
      }
    },
    states: (id) =>
      list(id).map((mailbox) => {
        const watcher = watchers.get(toKey(id, mailbox.id))
        const { checked = null, failure = noFailure, waiting = 0 } = watcher ?? {}
        return { ...mailbox, checked, ...failure, waiting }
      }),
    refresh: async (id, mailbox, signal) => {
      reconcile(id)
      const watcher = watchers.get(toKey(id, mailbox))
      if (!watcher) return
      const looked = new Promise<void>((resolve) => watcher.waiters.push(resolve))
      watcher.wake()
      const waitEnd = new AbortController()
      const timeout = clock.wait(maxRefreshMs, AbortSignal.any([signal, waitEnd.signal, closing.signal]))
      await Promise.race([looked, timeout])
      waitEnd.abort()
      signal.throwIfAborted()
    },
    close: async () => {
      stopTicking()
      stopSigns()
      stopCommits()
      closing.abort(new Error('the daemon stops'))
      for (const { controller } of watchers.values()) controller.abort(new Error('the daemon stops'))
      await Promise.all(work)
    },
  }
}

const changesMailboxes: ReadonlySet<string> = new Set([
  'MailboxConnected',
  'MailboxDisconnected',
  'PersonaRestored',
  'PersonaForked',
])

const toKey = (id: PersonaId, mailbox: string): string => `${id} ${mailbox}`

/** Finds the mail again if the server numbered its mails again. */
const findUid = async (
  session: MailboxSession,
  { uid, uidValidity, key, at }: ReadMail,
): Promise<number | null> => {
  if (session.uidValidity === uidValidity) return uid
  const listedMails = await session.listSince(at - 7 * dayMs)
  return listedMails.find(({ header }) => readHeader(header).key === key)?.uid ?? null
}

const missingPassword = 'its stored password is gone; disconnect the mailbox and connect it again'

export const toSentence = ({ host }: Pick<Mailbox, 'host'>, error: unknown): string =>
  error instanceof MailFailed
    ? `${host}: ${error.message}.`
    : `${host}: it could not be read because of an error of the daemon.`
