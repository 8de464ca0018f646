/** Decides what the events of the rooms mean for the persona. */
import { join } from 'node:path'
import * as z from 'zod'
import { MatrixError, misunderstood, roomPath } from '../../../packages/matrix/api.ts'
import type { IdentityTrouble } from '../../../packages/matrix/crypto/room-crypto.ts'
import { openJsonFile } from '../../../packages/matrix/json-file.ts'
import type { EncryptedRooms } from '../../../packages/matrix/send-event.ts'
import { parseEvent } from '../../../packages/matrix/sync-answer.ts'
import type { ClearEvent, SyncHandler } from '../../../packages/matrix/sync-handling.ts'
import type { MatrixContext } from './context.ts'
import { isDirectRoom } from './direct-rooms.ts'
import { createIncomingFile } from './files.ts'
import type { Health } from './health.ts'
import {
  type Answered,
  messageKey,
  messageTypes,
  parseNewContent,
  parseRelation,
  toIncomingMessage,
} from './message.ts'
import type { MatrixPresses } from './presses.ts'
import type { RoomPolicy } from './room-policy.ts'
import { goneReason, replacedReason } from './sending.ts'

interface HandlerDeps extends MatrixContext {
  readonly encryptedRooms: Pick<EncryptedRooms, 'add'>
  readonly policy: RoomPolicy
  readonly presses: MatrixPresses
  readonly health: Health
  /** Never rejects. */
  readonly notify: (room: string, words: string, key: string) => Promise<void>
}

/** https://spec.matrix.org/v1.16/client-server-api/#threaded-read-receipts */
interface Receipt {
  readonly room: string
  readonly event: string
  /** Root of the thread, or `main`. Null: for the whole room. */
  readonly thread: string | null
}

/** Ids of executed commands, because executing a `/restart` again after each start would never end. */
const CommandState = z.array(z.string())
const maxCommands = 50
/** Milliseconds between two notices in a room about messages that are not read. */
const noticeEvery = 60 * 60_000
const maxRequests = 3
/** Max receipts after a sync. */
const maxReceipts = 20

export const createEventHandler = async (folder: string, deps: HandlerDeps): Promise<SyncHandler> => {
  const { bot, connect, rooms, listener, policy, presses, health, notify, clock, signal } = deps
  const commands = await openJsonFile(join(folder, 'commands.json'), CommandState, [], deps.log)
  /** Commands that this process has begun. */
  const begunCommands = new Set<string>()
  /** The last message of each room and thread. */
  const receipts = new Map<string, Receipt>()
  const noticedAt = new Map<string, number>()
  let isReceived = false
  /** An encrypted message came, and encryption is not available. */
  let isCryptoMissed = false
  const getPaired = () => listener.pairedTarget?.() ?? null

  /** Returns an event with its author, or null if the server does not show it. */
  const requestEvent = async (room: string, id: string): Promise<Answered | null> => {
    for (let times = 1; ; times++)
      try {
        const { api, crypto } = await connect()
        const raw = await api.call({ method: 'GET', path: roomPath(room, 'event', id), signal })
        const event = parseEvent(room, raw)
        if (event?.id !== id) throw misunderstood()
        const senderName = (await rooms.get(room, signal)).members.get(event.sender)?.name ?? event.sender
        const base = { sender: event.sender, senderName }
        if (event.type !== 'm.room.encrypted') {
          // The server could write it in the name of anyone.
          const isForgeable = await deps.sender.isEncrypted(room, signal)
          return { ...base, type: event.type, content: isForgeable ? {} : event.content }
        }
        const decrypted = await crypto?.decrypt(room, raw)
        if (decrypted?.state !== 'clear') return { ...base, type: event.type, content: {} }
        return { ...base, type: decrypted.type, content: decrypted.content }
      } catch (error) {
        if (!(error instanceof MatrixError)) throw error
        if (error.kind === 'lasting') return null
        if (times >= maxRequests) throw error
        await clock.wait(error.wait ?? 1000, signal)
      }
  }

  /** Returns where a message belongs, or null if it is not for the persona. */
  const findPlace = async ({ room, sender }: ClearEvent, thread: string | null) => {
    const paired = getPaired()
    if (paired === null) {
      if (!(await isDirectRoom(room, deps))) return null
      return { target: room, topic: thread ?? undefined, mustMention: false }
    }
    if (room === paired) return { target: room, topic: thread ?? undefined, mustMention: false }
    if (sender !== (await policy.getPairedUser(paired))) return null
    // The server could invent an unencrypted room in which the user seems to write.
    const isEncrypted = (id: string) => deps.sender.isEncrypted(id, signal)
    if ((await isEncrypted(paired)) && !(await isEncrypted(room))) return null
    return { target: paired, topic: thread === null ? room : `${room} ${thread}`, mustMention: true }
  }

  /**
   * In an encrypted room, the server could write an unencrypted message in the name of the user. Returns true
   * for such a message.
   */
  const isUnprotected = async ({ id, room, isEncrypted }: ClearEvent): Promise<boolean> => {
    if (isEncrypted || !(await deps.sender.isEncrypted(room, signal))) return false
    if (room === getPaired() && isNoticeDue(room)) await notify(room, unprotectedWords, `unprotected ${id}`)
    return true
  }

  const isNoticeDue = (notice: string): boolean => {
    const last = noticedAt.get(notice)
    const isDue = last === undefined || clock.now() - last >= noticeEvery
    if (isDue) noticedAt.set(notice, clock.now())
    return isDue
  }

  const receiveMessage = async (event: ClearEvent): Promise<void> => {
    const relation = parseRelation(event.content)
    const place = await findPlace(event, relation.thread)
    if (!place || (await isUnprotected(event))) return
    if (event.isEncrypted) await deps.encryptedRooms.add(event.room)
    const newContent = relation.replaces === null ? null : parseNewContent(event.content)
    if (relation.replaces !== null) {
      const originalEvent = await requestEvent(event.room, relation.replaces)
      // Only the author can correct a message.
      if (!newContent || (originalEvent && originalEvent.sender !== event.sender)) return
    }
    const { members } = await rooms.get(event.room, signal)
    const incoming = toIncomingMessage(
      {
        id: event.id,
        type: event.type,
        content: newContent ?? event.content,
        isCorrection: newContent !== null,
        answered: relation.answers === null ? null : await requestEvent(event.room, relation.answers),
      },
      {
        ...place,
        bot,
        botName: members.get(bot.id)?.name ?? '',
        openFile: (file) => createIncomingFile(file, connect),
      },
    )
    if (!incoming) return
    if (getPaired() === null) await policy.noteWriter(event.room, event.sender)
    if (incoming.command !== null && !(await beginCommand(event.id))) return
    await listener.onMessage(incoming)
    if (getPaired() !== incoming.target) return
    // A correction names only the message that it replaces, and servers refuse a receipt for another thread.
    const thread = newContent === null ? (relation.thread ?? 'main') : null
    const receiptKey = `${event.room} ${thread}`
    receipts.delete(receiptKey) // so that it is the newest entry
    receipts.set(receiptKey, { room: event.room, event: event.id, thread })
  }

  /** Resolves to false if an earlier process has begun the command. */
  const beginCommand = async (id: string): Promise<boolean> => {
    if (begunCommands.has(id)) return true
    if (commands.value.includes(id)) return false
    await commands.save([...commands.value, id].slice(-maxCommands))
    begunCommands.add(id)
    return true
  }

  const checkPairedRoom = async (): Promise<void> => {
    const paired = getPaired()
    const { crypto, cryptoTrouble } = await connect()
    const missing = isCryptoMissed && !crypto ? cryptoTrouble : null
    if (paired === null) return health.setRoomTrouble(missing)
    try {
      const { isReplaced } = await rooms.get(paired, signal)
      const identityTrouble = crypto?.identityTrouble ?? null
      const unsigned =
        identityTrouble !== null && (await deps.sender.isEncrypted(paired, signal))
          ? unsignedReasons[identityTrouble]
          : null
      health.setRoomTrouble(isReplaced ? replacedReason : (missing ?? unsigned))
    } catch (error) {
      if (!(error instanceof MatrixError) || error.kind === 'token') throw error
      // Another failure passes, and must not hold up the messages.
      if (error.kind === 'lasting') health.setRoomTrouble(goneReason)
    }
  }

  const sendReceipts = async (): Promise<void> => {
    const entries = [...receipts.values()].slice(-maxReceipts)
    receipts.clear()
    const { api } = await connect()
    for (const { room, event, thread } of entries) {
      const path = roomPath(room, 'receipt', 'm.read', event)
      const body = thread === null ? {} : { thread_id: thread }
      // A receipt that is refused must not hold up the others.
      await api.call({ method: 'POST', path, body, signal }).catch(() => {})
    }
  }

  return {
    onEvent: async (event) => {
      if (event.sender === bot.id) return
      if (event.type === 'm.reaction') {
        if (event.room === getPaired()) await presses.onReaction(event)
        return
      }
      if (messageTypes.some((type) => type === event.type) && event.stateKey === undefined)
        await receiveMessage(event)
    },
    onInvite: policy.onInvite,
    onLeave: policy.onLeave,
    onUnreadable: async ({ id, room, sender }, reason) => {
      if (!(await connect()).crypto) isCryptoMissed = true
      if (isCryptoMissed || sender === bot.id || room !== getPaired()) return
      if (!isNoticeDue(room)) return
      deps.log.warn({ reason }, 'failed to decrypt a message from Matrix')
      await notify(room, unreadableWords, `unreadable ${id}`)
    },
    onDropped: async (room) => {
      if (room === getPaired() && isNoticeDue(`${room} dropped`))
        await notify(room, droppedWords, `dropped ${room} ${clock.now()}`)
    },
    onGap: async (room, gap) => {
      if (room !== getPaired() || !isNoticeDue(`${room} ${gap}`)) return
      await notify(room, gap === 'more' ? gapWords : resetWords, `gap ${room} ${clock.now()}`)
    },
    onSynced: async () => {
      await policy.settle()
      await checkPairedRoom()
      // The receipts say that messages are stored, not that the position is.
      if (receipts.size > 0) void sendReceipts().catch(() => {})
      isReceived = true
    },
    getMainRoom: getPaired,
    getKnownRooms: async () => {
      const knownChats = isReceived ? [] : ((await listener.known?.()) ?? [])
      const rest: Record<string, string> = {}
      for (const { target, key } of knownChats) {
        const prefix = messageKey(bot, '')
        const id = key.startsWith(prefix) ? key.slice(prefix.length) : ''
        // The last message may have been written in another room.
        if (id !== '' && (await requestEvent(target, id))) rest[target] = id
      }
      return rest
    },
  }
}

const unsignedWords =
  'The device of this account is not signed, so apps that send only to verified devices cannot write to it.'
/** Null: it is tried again. */
const unsignedReasons: Readonly<Record<IdentityTrouble, string | null>> = {
  password: `${unsignedWords} The homeserver asks for the password of the account: add the account again with its user name and password. The pairing stays.`,
  refused: `${unsignedWords} The homeserver does not accept keys from here: sign in to the account with another app, set up encryption there, and verify the session of the persona.`,
  passing: null,
}
const unreadableWords =
  'I cannot read an encrypted message that was written here: its key has not arrived. Send it again, and check that your app may send to unverified devices.'
const droppedWords =
  'Many encrypted messages were written here whose keys have not arrived. I can keep only the newest of them. Send the others again, and check that your app may send to unverified devices.'
const unprotectedWords =
  'This room is encrypted, so I read only encrypted messages here. One that was not encrypted came, and I have not read it.'
const resetWords =
  'The homeserver has lost its place in our conversation, so I cannot tell which messages are new. If I have not answered one, send it again.'
const gapWords =
  'More was written here while I was away than I can fetch. I have read only the newest 1000 messages.'
