/** The list of rooms that were encrypted once, in the folder of the channel. */
import { join } from 'node:path'
import * as z from 'zod'
import type { Log } from '../../../packages/kit/log.ts'
import { type JsonFile, openJsonFile } from '../../../packages/matrix/json-file.ts'
import type { EncryptedRooms } from '../../../packages/matrix/send-event.ts'

export const openEncryptedRooms = (folder: string, log: Log): EncryptedRooms => {
  let opening: Promise<JsonFile<string[]>> | null = null
  const open = (): Promise<JsonFile<string[]>> => {
    opening ??= openJsonFile(join(folder, 'encrypted.json'), z.array(z.string()), [], log).catch(
      (error: unknown) => {
        opening = null
        throw error
      },
    )
    return opening
  }
  return {
    has: async (room) => (await open()).value.includes(room),
    add: async (room) => {
      const file = await open()
      if (!file.value.includes(room)) await file.save([...file.value, room])
    },
  }
}
