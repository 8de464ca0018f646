/**
 * Shows a progress bar for long work at a terminal: first for the upload, then for the progress that the
 * daemon reports.
 */
import { type DaemonClient, socketAddress } from './daemon-client.ts'
import { createProgress } from './printing.ts'

type Frame =
  | { readonly type: 'feed_progress'; readonly done: number; readonly total: number }
  | {
      readonly type: 'model_progress'
      readonly model: string
      readonly status: string
      readonly completed: number | null
      readonly total: number | null
    }
  | { readonly type: 'other' }

/** Runs `act` with a function that reports the uploaded share, from 0 to 1. Errors of `act` are thrown. */
export const withProgress = async <T>(
  client: DaemonClient,
  sendingText: string,
  act: (onProgress: (ratio: number) => void) => Promise<T>,
): Promise<T> => {
  if (!process.stderr.isTTY) return act(() => {})
  const progress = createProgress()
  const socket = await openSystemSocket(client, (frame) => {
    const progressStep = toProgressStep(frame)
    if (progressStep) progress.at(progressStep.share, progressStep.what)
  })
  try {
    return await act((ratio) => progress.at(ratio, sendingText))
  } finally {
    progress.end()
    socket?.close()
  }
}

const toProgressStep = (frame: Frame): { readonly what: string; readonly share: number } | null => {
  if (frame.type === 'feed_progress') return { what: 'read', share: frame.done / Math.max(1, frame.total) }
  if (frame.type !== 'model_progress') return null
  const ratio = frame.completed === null || !frame.total ? 0 : frame.completed / frame.total
  return { what: `${frame.model}: ${frame.status}`, share: ratio }
}

/** Returns null if the socket cannot be opened. The work continues without a bar. */
const openSystemSocket = async (client: DaemonClient, onFrame: (frame: Frame) => void) => {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(socketAddress(client, '/ws/system'))
  socket.on('message', (data) => onFrame(JSON.parse(String(data)) as Frame))
  return new Promise<InstanceType<typeof WebSocket> | null>((resolve) => {
    socket.once('open', () => resolve(socket))
    socket.on('error', () => resolve(null))
  })
}
