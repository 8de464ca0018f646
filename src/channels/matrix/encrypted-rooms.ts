/** The list of rooms that were encrypted once, in the folder of the channel. */
import { join } from 'node:path'
import * as z from 'zod'
import type { Log } from '../../../packages/kit/log.ts'
import { MatrixError, storageFailed } from '../../../packages/matrix/api.ts'
import { openJsonFile } from '../../../packages/matrix/json-file.ts'
import type { EncryptedRooms } from '../../../packages/matrix/send-event.ts'

/** Rooms until `note` adds no more. A server could invent any number. */
const maxNotedRooms = 5000

interface EncryptedRoomsDeps {
  /** This room is never left out. */
  readonly getMainRoom: () => string | null
  readonly log: Log
}

/** No room is ever dropped, so that invented rooms cannot push out others. */
export const openEncryptedRooms = (
  folder: string,
  { getMainRoom, log }: EncryptedRoomsDeps,
): EncryptedRooms => {
  const load = async () => {
    const onTooLarge = () => {
      throw new MatrixError(tooLarge, 'passing', { code: storageFailed })
    }
    const path = join(folder, 'encrypted.json')
    const file = await openJsonFile(path, z.array(z.string()), [], log, { onTooLarge })
    const rooms = new Set(file.value)
    return { file, rooms, storedCount: rooms.size }
  }
  let opening: ReturnType<typeof load> | null = null
  const open = () => {
    opening ??= load().catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }
  const save = async (): Promise<void> => {
    const list = await open()
    const count = list.rooms.size
    if (count === list.storedCount) return
    await list.file.save([...list.rooms])
    list.storedCount = Math.max(list.storedCount, count)
  }
  return {
    has: async (room) => (await open()).rooms.has(room),
    note: async (room) => {
      const { rooms } = await open()
      if (rooms.size < maxNotedRooms || room === getMainRoom()) rooms.add(room)
      return rooms.has(room)
    },
    add: async (room) => {
      const { rooms } = await open()
      rooms.add(room)
      await save()
    },
    save,
  }
}

const tooLarge =
  'The list of encrypted rooms of this Matrix account (encrypted.json) is too large. It prevents that a homeserver turns encryption off, so delete it only if you trust the homeserver.'
