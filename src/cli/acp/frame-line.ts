/** Receives the frames of a persona for `daimon acp`, and reconnects without gaps. */
import { WebSocket } from 'ws'
import type { PersonaFrame } from '../../socket/frames.ts'
import { type DaemonClient, socketAddress } from '../daemon-client.ts'
import { CommandFailed, exitCodes } from '../exit-codes.ts'
import { personaPath } from '../find-persona.ts'

export interface FrameLine {
  /** Resolves when frames arrive. Rejects with CommandFailed if one try to connect fails. */
  connect(): Promise<void>
  close(): void
}

interface FrameLineDeps {
  readonly client: DaemonClient
  readonly id: string
  readonly onFrame: (frame: PersonaFrame) => void
  /** The connection was lost. The line reconnects. */
  readonly onLost: () => void
  readonly onConnected: () => void
  readonly onUnreadable: () => void
  /** The persona does not exist any more. The line stays closed. */
  readonly onGone: () => void
}

const firstDelayMs = 100
const maxDelayMs = 1000
const personaGone = 4404

export const createFrameLine = (deps: FrameLineDeps): FrameLine => {
  const { client, id, onFrame, onLost, onConnected, onUnreadable, onGone } = deps
  /** Position of the last received fact. Null if it must be asked for. */
  let lastSeq: number | null = null
  let socket: WebSocket | null = null
  let connecting: Promise<void> | null = null
  let hasOpened = false
  let isClosed = false
  let delayMs = firstDelayMs
  let retry: NodeJS.Timeout | undefined

  const receive = (frame: PersonaFrame) => {
    if (frame.type === 'reset') {
      // The facts that follow are shown already, or belong to another history.
      const resetSocket = socket
      lastSeq = null
      onFrame(frame)
      if (resetSocket) onClosed(resetSocket)
      return resetSocket?.terminate()
    }
    if (frame.seq !== null) lastSeq = frame.seq
    onFrame(frame)
  }

  const open = async (): Promise<void> => {
    lastSeq ??= await readHead(client, id)
    const opening = new WebSocket(socketAddress(client, `/ws/${encodeURIComponent(id)}?after=${lastSeq}`))
    await new Promise<void>((resolve, reject) => {
      opening.once('open', resolve)
      opening.once('error', () => reject(createUnreachable(client)))
    })
    opening.on('error', () => undefined)
    if (isClosed) return opening.terminate()
    socket = opening
    hasOpened = true
    delayMs = firstDelayMs
    opening.on('message', (data) => {
      if (socket !== opening) return
      try {
        receive(JSON.parse(String(data)) as PersonaFrame)
      } catch {
        // A frame of another version must not end the process.
        onUnreadable()
      }
    })
    opening.on('close', (code) => onClosed(opening, code))
    onConnected()
  }

  const onClosed = (closedSocket: WebSocket, code?: number) => {
    if (isClosed || socket !== closedSocket) return
    socket = null
    if (code === personaGone) {
      isClosed = true
      return onGone()
    }
    onLost()
    scheduleRetry()
  }

  const scheduleRetry = () => {
    clearTimeout(retry)
    retry = setTimeout(() => void connect().catch(() => undefined), delayMs)
    delayMs = Math.min(maxDelayMs, delayMs * 2)
  }

  const tryToOpen = async (): Promise<void> => {
    try {
      await open()
    } catch (error) {
      if (hasOpened && !isClosed) scheduleRetry()
      throw error
    } finally {
      connecting = null
    }
  }

  const connect = (): Promise<void> => {
    if (isClosed) return Promise.reject(new CommandFailed('the persona does not exist', exitCodes.unknown))
    if (socket) return Promise.resolve()
    clearTimeout(retry)
    connecting ??= tryToOpen()
    return connecting
  }

  return {
    connect,
    close: () => {
      isClosed = true
      clearTimeout(retry)
      socket?.terminate()
    },
  }
}

const createUnreachable = ({ url }: DaemonClient) =>
  new CommandFailed(
    `the daemon at ${url.origin} accepts no connection: start it with \`daimon serve\``,
    exitCodes.unreachable,
  )

/** Returns the position of the newest fact. */
const readHead = async (client: DaemonClient, id: string): Promise<number> => {
  let head = 0
  for await (const line of client.lines(personaPath({ id }, 'journal?last=1'))) {
    const { seq } = JSON.parse(line) as { readonly seq?: number }
    head = seq ?? head
  }
  return head
}
