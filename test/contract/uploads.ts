/** Uploads files to a persona and lists the ones on disk. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Part, toForm } from '../forms.ts'
import type { Answer, Headers, Setup } from './setup.ts'

export type UploadRoute = 'attach' | 'hear'
export const uploadRoutes = ['attach', 'hear'] as const

/** The form part that carries the file. */
export const partNames = { attach: 'file', hear: 'audio' } as const

export const createFilePart = (
  endpoint: UploadRoute,
  content: string | Buffer,
  filename = 'a.png',
): Part => ({
  name: partNames[endpoint],
  filename,
  type: 'application/octet-stream',
  content,
})

export const getPersonaId = (personaPath: string): string => personaPath.split('/')[3] ?? ''

export const createUploads = (setup: Setup) => {
  const listNames = (...path: readonly string[]) => readdir(join(setup.daemon.home, ...path)).catch(() => [])
  const send = async (
    personaPath: string,
    endpoint: UploadRoute,
    parts: readonly Part[],
    query = '',
    moreHeaders: Headers = {},
  ): Promise<Answer> => {
    const { body, headers } = toForm(parts)
    const { status, text } = await setup.send({
      method: 'POST',
      path: `${personaPath}/${endpoint}${query}`,
      body,
      headers: { ...headers, ...moreHeaders },
    })
    return [status, JSON.parse(text)]
  }
  return {
    send,
    /** Sends a file. The wait opens the web channel. */
    sendFile: (personaPath: string, endpoint: UploadRoute, content: string | Buffer, filename?: string) =>
      send(personaPath, endpoint, [createFilePart(endpoint, content, filename)], '?wait=0'),
    /** Returns the names of the stored media files. */
    listMedia: (personaPath: string) => listNames('personas', getPersonaId(personaPath), 'media'),
    listStaged: () => listNames('trash'),
    /** Returns the messages of the user, oldest first. */
    getUserMessages: async (personaPath: string): Promise<Answer[1][]> =>
      (await setup.get(`${personaPath}/conversation?limit=1000`))[1].messages.filter(
        ({ role }: { role: string }) => role === 'person',
      ),
  }
}
