/** The gateway of one Matrix account: receives its messages and sends replies. */
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { unlessAborted } from '../../../packages/kit/flow/abort-signals.ts'
import type { Log } from '../../../packages/kit/log.ts'
import type { Network } from '../../../packages/kit/network/network.ts'
import type { Clock } from '../../../packages/kit/time/clock.ts'
import { type MatrixError, toStorageError } from '../../../packages/matrix/api.ts'
import { createRooms } from '../../../packages/matrix/rooms.ts'
import { createEventSender } from '../../../packages/matrix/send-event.ts'
import { runSync } from '../../../packages/matrix/sync-loop.ts'
import type { MatrixCredentials } from '../../../projections/channel-credentials.ts'
import type { Bot } from '../../commands/bots.ts'
import { type ChannelPlace, createNonce, type Gateway, type Listener, SendError } from '../platform.ts'
import { connectMatrix, createConnector } from './connect.ts'
import type { MatrixContext } from './context.ts'
import { openEncryptedRooms } from './encrypted-rooms.ts'
import { createEventHandler } from './event-handler.ts'
import { createHealth } from './health.ts'
import type { LoginPasswords } from './login-passwords.ts'
import { openPresses } from './presses.ts'
import { openRoomPolicy } from './room-policy.ts'
import { createSending } from './sending.ts'
import { maxText } from './text-content.ts'

export interface MatrixDeps {
  readonly network: Pick<Network, 'getNamedFetch'>
  readonly clock: Clock
  readonly log: Log
  readonly passwords: LoginPasswords
}

export const openGateway = (
  credentials: MatrixCredentials,
  bot: Bot,
  givenListener: Listener,
  { folder }: ChannelPlace,
  { network, clock, log, passwords }: MatrixDeps,
): Gateway => {
  const closing = new AbortController()
  const { signal } = closing
  const { listener, isBusy } = watchListener(givenListener)
  const health = createHealth({ clock, listener })
  const deviceFolder = join(folder, `device-${createNonce(credentials.device ?? '')}`)

  const connector = createConnector(
    () => connectMatrix(credentials, bot, { network, log, passwords, folder: deviceFolder, signal }),
    clock,
  )
  const { connect } = connector
  const rooms = createRooms(async () => (await connect()).api)
  const encryptedRooms = openEncryptedRooms(folder, {
    getMainRoom: () => listener.pairedTarget?.() ?? null,
    log,
  })
  const sender = createEventSender({ connect, rooms, encryptedRooms })
  const context: MatrixContext = { bot, connect, rooms, sender, listener, clock, log, signal }
  /** Calls again while the disk fails. */
  const insist = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await work()
      } catch (err) {
        const storageError = toStorageError(err)
        if (signal.aborted || !storageError) throw err
        log.warn({ err }, 'failed to open the state of a Matrix channel; it is tried again')
        await clock.wait(health.onFailure(storageError) ?? 0, signal)
      }
  }
  const parts = insist(() => createParts(folder, context, health.onFailure))
  parts.catch((err) => {
    if (!signal.aborted) log.error({ err }, 'failed to open the state of a Matrix channel')
  })

  const run = async () => {
    const { policy, presses, notify } = await parts
    await removeFormerDevices(folder, deviceFolder)
    await runSync({
      connect,
      userId: bot.id,
      folder: deviceFolder,
      rooms,
      encryptedRooms,
      handler: await createEventHandler(folder, {
        ...context,
        encryptedRooms,
        policy,
        presses,
        health,
        notify,
      }),
      clock,
      log,
      signal,
      ...health,
    })
  }
  const syncTask = insist(run).catch((err) => {
    if (!signal.aborted) log.error({ err }, 'failed to receive messages from Matrix')
  })
  const waitForSending = async (sendSignal: AbortSignal) => {
    if (signal.aborted) throw new SendError('The channel is closed.', { lasting: false })
    try {
      return (await unlessAborted(unlessAborted(parts, signal), sendSignal)).sending
    } catch (cause) {
      throw new SendError('The state of the channel is not open.', { lasting: false }, { cause })
    }
  }

  return {
    limits: { text: maxText, caption: maxText },
    send: async (...args) => (await waitForSending(args[3])).send(...args),
    sendFile: async (...args) => (await waitForSending(args[3])).sendFile(...args),
    unbutton: async (...args) => {
      const openParts = await parts.catch(() => undefined)
      if (!signal.aborted) await openParts?.presses.unbutton(...args)
    },
    typing: (target) => void parts.then(({ sending }) => sending.typing(target)).catch(() => {}),
    // If the listener is busy, it may itself wait for this close. The position of the sync is not stored, so
    // its events arrive again.
    close: async () => {
      closing.abort()
      if (!isBusy()) await syncTask
      await connector.close()
    },
  }
}

const createParts = async (
  folder: string,
  context: MatrixContext,
  onRefusal: (error: MatrixError) => unknown,
) => {
  const { sender, listener, log, signal } = context
  const policy = await openRoomPolicy(folder, context)
  const presses = await openPresses(folder, context)
  const beforeSend = () => {
    // The pairing is announced at once, so the rooms of others are left at once.
    policy.settle().catch((err) => log.info({ err }, 'failed to leave rooms on Matrix'))
  }
  let pairedBefore = listener.pairedTarget?.() ?? null
  const sending = createSending({
    ...context,
    presses,
    onRefusal,
    beforeSend: () => {
      const paired = listener.pairedTarget?.() ?? null
      if (paired !== pairedBefore) beforeSend()
      pairedBefore = paired
    },
  })
  /** Sends a text of the daemon to a room. Never rejects. */
  const notify = async (room: string, words: string, key: string): Promise<void> => {
    const content = { msgtype: 'm.text', body: `⚠ ${words}`, 'm.mentions': {} }
    const sendTask = sender.send({
      room,
      type: 'm.room.message',
      content,
      txn: `note${createNonce(key)}`,
      signal,
    })
    await unlessAborted(sendTask, signal).catch((err) => {
      if (!signal.aborted) log.info({ err }, 'failed to send a notice to a Matrix room')
    })
  }
  return { policy, presses, sending, notify }
}

/** Their keys are of no use after a login with another device. */
const removeFormerDevices = async (folder: string, deviceFolder: string): Promise<void> => {
  for (const name of await readdir(folder))
    if (name.startsWith('device-') && name !== basename(deviceFolder))
      await rm(join(folder, name), { recursive: true, force: true })
}

/** Wraps the listener and records whether it handles a message. */
const watchListener = (listener: Listener) => {
  let busyCount = 0
  const track = async <T>(work: Promise<T>): Promise<T> => {
    busyCount += 1
    try {
      return await work
    } finally {
      busyCount -= 1
    }
  }
  const watchingListener: Listener = {
    ...listener,
    onMessage: (message) => track(listener.onMessage(message)),
    onPress: (press) => track(listener.onPress(press)),
  }
  return { listener: watchingListener, isBusy: () => busyCount > 0 }
}
