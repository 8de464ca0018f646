/** A client of the sockets that waits for frames. */
import { setImmediate as nextTick } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** A frame as a client receives it. */
export type ReceivedFrame = {
  readonly type: string
  readonly time: string
  readonly seq: number | null
} & Readonly<Record<string, unknown>>

export interface Guest {
  readonly ws: WebSocket
  readonly frames: readonly ReceivedFrame[]
  readonly whenOpened: Promise<void>
  /** Resolves with the close code and reason. Rejects after five seconds. */
  waitForClose(): Promise<{ readonly code: number; readonly reason: string }>
  /** Resolves with all frames as soon as there are `count`. Rejects after five seconds. */
  receive(count: number): Promise<readonly ReceivedFrame[]>
}

export const createGuest = (url: string): Guest => {
  const ws = new WebSocket(url)
  const frames: ReceivedFrame[] = []
  ws.on('message', (data) => frames.push(JSON.parse(String(data))))
  let goodbye: { code: number; reason: string } | undefined
  ws.on('close', (code, reason) => {
    goodbye = { code, reason: String(reason) }
  })
  ws.on('error', () => {})
  return {
    ws,
    frames,
    whenOpened: new Promise((resolve, reject) =>
      ws.once('open', resolve).once('unexpected-response', reject).once('error', reject),
    ),
    waitForClose: async () => {
      await waitUntil(
        () => goodbye !== undefined,
        () => 'it was never closed',
      )
      return goodbye ?? { code: 0, reason: '' }
    },
    receive: async (count) => {
      await waitUntil(
        () => frames.length >= count,
        () => `${frames.length} of ${count} frames`,
      )
      return frames
    },
  }
}

export const waitUntil = async (
  holds: () => boolean,
  describe: () => string = () => 'it never happened',
): Promise<void> => {
  const patience = Date.now() + 30_000
  while (!holds()) {
    if (Date.now() > patience) throw new Error(describe())
    await nextTick()
  }
}

/** Waits long enough for pending frames to arrive. */
export const calm = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 30))
}
