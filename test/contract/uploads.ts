/** Uploads files to a persona and lists the ones on disk. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Part, toForm } from '../forms.ts'
import type { Answer, Headers, Setup } from './setup.ts'

export type Way = 'attach' | 'hear'
export const ways = ['attach', 'hear'] as const

/** The form part that carries the file. */
export const partNames = { attach: 'file', hear: 'audio' } as const

export const createFilePart = (way: Way, content: string | Buffer, filename = 'a.png'): Part => ({
  name: partNames[way],
  filename,
  type: 'application/octet-stream',
  content,
})

export const getPersonaId = (at: string): string => at.split('/')[3] ?? ''

export const createUploads = (setup: Setup) => {
  const listNames = (...path: readonly string[]) => readdir(join(setup.daemon.home, ...path)).catch(() => [])
  const send = async (
    at: string,
    way: Way,
    parts: readonly Part[],
    query = '',
    moreHeaders: Headers = {},
  ): Promise<Answer> => {
    const { body, headers } = toForm(parts)
    const { status, text } = await setup.send({
      method: 'POST',
      path: `${at}/${way}${query}`,
      body,
      headers: { ...headers, ...moreHeaders },
    })
    return [status, JSON.parse(text)]
  }
  return {
    send,
    /** Sends a file. The wait opens the web channel. */
    sendFile: (at: string, way: Way, content: string | Buffer, filename?: string) =>
      send(at, way, [createFilePart(way, content, filename)], '?wait=0'),
    /** Returns the names of the stored media files. */
    listMedia: (at: string) => listNames('personas', getPersonaId(at), 'media'),
    listStaged: () => listNames('trash'),
    /** Returns the messages of the user, oldest first. */
    getUserMessages: async (at: string): Promise<Answer[1][]> =>
      (await setup.get(`${at}/conversation?limit=1000`))[1].messages.filter(
        ({ role }: { role: string }) => role === 'person',
      ),
  }
}
