/** A socket that reconnects with growing delays until it is closed or the persona does not exist. */
import { type Frame, toFrame } from './shapes.ts'

export interface Line {
  readonly open: () => boolean
  readonly close: () => void
}

export interface LineEvents {
  /**
   * Returns path and query. Called before every attempt, so that it can contain the last received sequence
   * number.
   */
  readonly path: () => string
  readonly onFrame: (frame: Frame) => void
  readonly onState: (open: boolean) => void
  /** The persona does not exist. The socket stays closed. */
  readonly onGone?: () => void
}

const firstPause = 400
const longestPause = 15_000
const unknownPersona = 4404

export const openLine = ({ path, onFrame, onState, onGone }: LineEvents): Line => {
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempts = 0
  let isClosed = false

  const connect = () => {
    clearTimeout(timer)
    const current = new WebSocket(toAddress(path()))
    socket = current
    current.addEventListener('open', () => {
      attempts = 0
      if (current === socket) onState(true)
    })
    current.addEventListener('message', ({ data }) => {
      const frame = current === socket ? toFrame(data) : null
      if (frame) onFrame(frame)
    })
    current.addEventListener('close', ({ code }) => {
      if (current === socket) onClosed(code)
    })
  }

  const onClosed = (code: number) => {
    socket = null
    onState(false)
    if (isClosed) return
    if (code === unknownPersona) {
      end()
      onGone?.()
      return
    }
    timer = setTimeout(connect, pause(attempts))
    attempts += 1
  }

  // The network is back or the page is visible again: reconnects immediately.
  const reconnectNow = () => {
    if (socket === null && !isClosed && document.visibilityState === 'visible') connect()
  }

  const end = () => {
    isClosed = true
    clearTimeout(timer)
    removeEventListener('online', reconnectNow)
    document.removeEventListener('visibilitychange', reconnectNow)
  }

  addEventListener('online', reconnectNow)
  document.addEventListener('visibilitychange', reconnectNow)
  connect()

  return {
    open: () => socket?.readyState === WebSocket.OPEN,
    close: () => {
      end()
      const current = socket
      socket = null
      current?.close()
    },
  }
}

/** Shortened by up to a third at random, so that many tabs do not reconnect at the same time. */
const pause = (attempts: number) =>
  Math.min(longestPause, firstPause * 2 ** attempts) * (1 - Math.random() / 3)

const toAddress = (path: string) =>
  `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`
