/**
 * An editor that starts `daimon acp` as a process and speaks the client side of the Agent Client Protocol,
 * and a daemon with a persona whose model follows the words of the user.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type ClientContext,
  type ContentBlock,
  client,
  methods,
  ndJsonStream,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { MindError, type Part, type Prompt } from '../../packages/models/mind.ts'
import type { Models } from '../../packages/models/models.ts'
import { call, waitFor } from '../calls.ts'
import { type Overrides, startDaemon, type TestDaemon, tempHome } from '../daemon.ts'
import { mainFile } from '../process/daemon.ts'
import { createTalker } from '../web/talker.ts'

const children = new Set<ChildProcess>()
/** Ends the processes that a failed test left. */
export const killEditors = (): void => {
  for (const child of children) child.kill('SIGKILL')
}
process.on('exit', killEditors)

export interface AcpProcess {
  readonly child: ChildProcess
  readonly stderr: () => string
  readonly whenEnded: Promise<number | null>
}

/** Starts the command. The caller speaks to its standard input and output. */
export const startAcp = (url: string, ref: string, args: readonly string[] = []): AcpProcess => {
  const child = spawn(process.execPath, [mainFile, '--url', url, 'acp', ref, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  children.add(child)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  // A process that has ended takes no more input.
  child.stdin?.on('error', () => undefined)
  const whenEnded = new Promise<number | null>((resolve) => child.once('close', resolve))
  void whenEnded.then(() => children.delete(child))
  return { child, stderr: () => stderr, whenEnded }
}

interface ShownQuestion {
  readonly request: RequestPermissionRequest
  /** True if the agent does not wait for the answer any more. */
  readonly isWithdrawn: () => boolean
  /** Chooses an option; null cancels the question. */
  readonly answer: (optionId: string | null) => void
}

export interface Editor extends AcpProcess {
  readonly agent: ClientContext
  readonly updates: readonly SessionUpdate[]
  readonly questions: readonly ShownQuestion[]
  /** The text of the persona so far. */
  readonly text: () => string
  readonly list: <K extends SessionUpdate['sessionUpdate']>(
    kind: K,
  ) => readonly Extract<SessionUpdate, { sessionUpdate: K }>[]
  readonly clear: () => void
  readonly newSession: () => Promise<string>
  readonly prompt: (sessionId: string, prompt: string | ContentBlock[]) => Promise<string>
  readonly cancel: (sessionId: string) => Promise<void>
  /** Closes standard input as an editor does. Returns the exit code. */
  readonly close: () => Promise<number | null>
}

/** Starts the command and initializes the connection. */
export const openEditor = async (url: string, ref: string, args: readonly string[] = []): Promise<Editor> => {
  const acp = startAcp(url, ref, args)
  const { child } = acp
  const updates: SessionUpdate[] = []
  const questions: ShownQuestion[] = []
  const app = client({ name: 'test editor' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(
      methods.client.session.requestPermission,
      ({ params, signal }) =>
        new Promise<RequestPermissionResponse>((resolve) => {
          questions.push({
            request: params,
            isWithdrawn: () => signal.aborted,
            answer: (optionId) =>
              resolve({
                outcome: optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
              }),
          })
        }),
    )
  const { agent } = app.connect(
    ndJsonStream(toWritable(child), ReadableStream.from<Uint8Array>(child.stdout ?? [])),
  )
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
  const list: Editor['list'] = (kind) =>
    updates.filter(
      (update): update is Extract<SessionUpdate, { sessionUpdate: typeof kind }> =>
        update.sessionUpdate === kind,
    )
  return {
    ...acp,
    agent,
    updates,
    questions,
    list,
    text: () =>
      list('agent_message_chunk')
        .map(({ content }) => (content.type === 'text' ? content.text : ''))
        .join(''),
    clear: () => void updates.splice(0),
    newSession: async () =>
      (await agent.request(methods.agent.session.new, { cwd: '/', mcpServers: [] })).sessionId,
    prompt: (sessionId, prompt) => {
      const answer = agent
        .request(methods.agent.session.prompt, {
          sessionId,
          prompt: typeof prompt === 'string' ? [{ type: 'text', text: prompt }] : prompt,
        })
        .then(({ stopReason }) => stopReason)
      // Tests await it later.
      answer.catch(() => undefined)
      return answer
    },
    cancel: (sessionId) => agent.notify(methods.agent.session.cancel, { sessionId }),
    close: () => {
      child.stdin?.end()
      return acp.whenEnded
    },
  }
}

const toWritable = ({ stdin }: ChildProcess) =>
  new WritableStream<Uint8Array>({
    write: (bytes) => new Promise((resolve) => stdin?.write(bytes, () => resolve())),
  })

/** A picture of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

interface ScriptedModels {
  readonly models: Models
  /** The last messages of all prompts of turns, with their files. */
  readonly prompts: readonly Prompt['messages'][]
  /** Lets the answers to `wait` continue. */
  readonly release: () => void
}

/**
 * A model that follows the last line of the user: `send Ines` uses a tool, `wait` stops after its first
 * words, `restart` begins its answer again, `cut` reaches its limit, `refuse` and `away` fail.
 */
const createScriptedModels = (): ScriptedModels => {
  const prompts: Prompt['messages'][] = []
  let isReleased = false
  async function* think({ messages, form }: Prompt, signal: AbortSignal): AsyncIterable<Part> {
    const last = messages.at(-1)
    const text = last?.role === 'user' ? last.content : ''
    const is = (word: string) => new RegExp(`^${word}$`, 'm').test(text)
    if (!form) prompts.push(messages)
    if (is('refuse')) throw new MindError('refused', 'The request was filtered.')
    if (is('away')) throw new MindError('unreachable', 'No server answers.')
    const [, names] = /^send (.+)$/m.exec(text) ?? []
    const [, tool, wish] = /^(draw|speak) (.+)$/m.exec(text) ?? []
    if (tool && wish) {
      const input = tool === 'draw' ? { wish, caption: wish } : { text: wish }
      yield { type: 'call', call: { id: 'call-1', name: tool, input } }
      return yield { type: 'end', usage: { input: null, output: null } }
    }
    for (const [n, to] of (names?.split(', ') ?? []).entries())
      yield { type: 'call', call: { id: `call-${n}`, name: 'post__send', input: { to } } }
    if (is('wait')) {
      yield { type: 'words', text: 'One ' }
      while (!isReleased) await wait(5, undefined, { signal })
      yield { type: 'words', text: 'two.' }
    } else if (is('restart')) {
      yield { type: 'words', text: 'First words.' }
      yield { type: 'again' }
      yield { type: 'words', text: 'Other words.' }
    } else if (names === undefined)
      yield { type: 'words', text: last?.role === 'tool' ? 'It is done.' : 'I hear you.' }
    yield { type: 'end', usage: { input: null, output: null }, ...(is('cut') && { cut: true }) }
  }
  return {
    models: {
      ...createTalker({ picture: png, sound: Buffer.from('RIFF\0\0\0\0WAVEfmt ') }),
      getAcceptedFiles: async () => ({ images: true, documents: false }),
      mind: () => ({ think }),
    },
    prompts,
    release: () => {
      isReleased = true
    },
  }
}

export interface AcpSetup extends ScriptedModels {
  readonly daemon: TestDaemon
  /** Id of Ada. */
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into by tests
  readonly api: (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) => Promise<any>
  readonly openEditor: (args?: readonly string[]) => Promise<Editor>
  /** Adds a server with the tool `send`. */
  readonly addLetters: () => Promise<void>
  /** Restarts the daemon on the same home and port. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

const letterServer = fileURLToPath(new URL('../stand-ins/letter-server.mjs', import.meta.url))

/** Returns the code and message of the error that the request ends with. */
export const getError = async (request: Promise<unknown>): Promise<readonly [number, string]> => {
  try {
    await request
  } catch (error) {
    if (error instanceof RequestError) return [error.code, error.message]
    throw error
  }
  throw new Error('it was accepted')
}

/** Runs a daemon with the persona Ada during the test, and ends all editors after it. */
export const withAcp = async (
  look: (setup: AcpSetup) => Promise<void>,
  options: Overrides = {},
): Promise<void> => {
  const home = options.home ?? (await tempHome())
  const folder = await mkdtemp(join(tmpdir(), 'acp-letters-'))
  const letters = join(folder, 'letters.json')
  await writeFile(letters, '{}')
  const scripted = createScriptedModels()
  const start = (port = 0) => startDaemon({ models: scripted.models, ...options, home, port })
  let daemon: TestDaemon = await start()
  const { port, url } = daemon
  const editors: Editor[] = []
  const created = await call(url, 'POST', '/api/persona/create', {
    name: 'Ada',
    thinking_model: 'embedded/practice',
    imagination_model: 'embedded/practice',
    mouth_model: 'embedded/practice',
  })
  const { id } = created.body.persona
  const api: AcpSetup['api'] = async (method, path, body) =>
    (await call(url, method, `/api/persona/${id}/${path}`, body)).body
  try {
    await look({
      ...scripted,
      get daemon() {
        return daemon
      },
      id,
      api,
      openEditor: async (args) => {
        const editor = await openEditor(url, 'Ada', args)
        editors.push(editor)
        return editor
      },
      addLetters: async () => {
        await api('PUT', 'tools/post', { command: process.execPath, args: [letterServer, letters] })
        await api('POST', 'tools/post/probe')
      },
      stop: () => daemon.close(),
      restart: async () => {
        daemon = await start(port)
        await waitFor('a running persona', async () => {
          const { body } = await call(url, 'GET', '/api/personas')
          return body.personas[0].running
        })
      },
    })
  } finally {
    for (const { child } of editors) child.kill('SIGKILL')
    await daemon.close().catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}
