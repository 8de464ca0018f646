/** A client of the daemon's sockets that stores every frame. */
import { WebSocket } from 'ws'

export interface Listener {
  /** As they came, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: frames are looked into by tests, which say what they expect there
  readonly frames: readonly any[]
  /** The frames as text. */
  readonly texts: readonly string[]
  /** Close code. */
  readonly whenClosed: Promise<number>
  leave(): void
}

/** Resolves when the socket is open. */
export const listenTo = async (base: string, path: string): Promise<Listener> => {
  const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`)
  const texts: string[] = []
  const frames: unknown[] = []
  socket.on('message', (bytes) => {
    texts.push(bytes.toString())
    frames.push(JSON.parse(bytes.toString()))
  })
  const whenClosed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return { frames, texts, whenClosed, leave: () => socket.terminate() }
}
