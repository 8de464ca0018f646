/** A persona with a tool server that sends letters, and a model that uses it on request. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Overrides } from '../daemon.ts'
import { type WokenPersona, wake, withDaemon } from './setup.ts'
import { createTalker } from './talker.ts'

const script = fileURLToPath(new URL('../stand-ins/letter-server.mjs', import.meta.url))

export interface Letters {
  readonly url: string
  readonly persona: WokenPersona
  /** As in a configuration file. */
  readonly entry: { readonly command: string; readonly args: readonly string[] }
  /** Changes the server, from its next start or listing on. */
  readonly become: (kind: { readonly describes?: string; readonly breaks?: string }) => Promise<void>
  /** Adds the server to the persona. */
  readonly add: () => Promise<void>
  /** Returns the environment variable `KEY` of the server's last start. */
  readonly key: () => Promise<string>
  /** Sends a request about the persona to the daemon. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Response>
}

export const withLetters = async (
  look: (letters: Letters) => Promise<void>,
  name = 'Mira',
  overrides: Overrides = {},
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'letters-'))
  const file = join(folder, 'is.json')
  const become: Letters['become'] = (kind) => writeFile(file, JSON.stringify(kind))
  await become({})
  const entry = { command: process.execPath, args: [script, file] }
  const models = createTalker({
    // `send Ines, Otto` calls the tool for each name. `look up tea at host` reads a page that the user did
    // not name.
    calls: (text) => {
      const [, topic, host] = /^look up (.+) at (\S+)$/m.exec(text) ?? []
      if (host) return [{ name: 'read_page', input: { url: `http://${host}/?about=${topic}` } }]
      return (/^send (.+)$/m.exec(text)?.[1] ?? '')
        .split(', ')
        .filter((recipient) => recipient !== '')
        .map((recipient) => ({
          name: 'post__send',
          input: { to: recipient, lines: ['Dear friend,', 'how are you?'] },
        }))
    },
  })
  try {
    await withDaemon(
      async ({ url }) => {
        const persona = await wake(url, name)
        const ask: Letters['ask'] = (method, path, body) =>
          fetch(`${url}/api/persona/${persona.id}/${path}`, {
            method,
            headers: { 'content-type': 'application/json' },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
        const key = () => readFile(`${file}.key`, 'utf8')
        const add = async () => {
          await ask('PUT', 'tools/post', entry)
          await ask('POST', 'tools/post/probe')
        }
        await look({ url, persona: persona, entry, become, key, add, ask })
      },
      { models, ...overrides },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
