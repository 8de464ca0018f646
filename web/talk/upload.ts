/** Uploads a form with XMLHttpRequest, because `fetch` does not report upload progress. */

import { problemHeader } from '../shared/answer.ts'

/** Files to look at or a clip to listen to. */
export interface Parcel {
  /** At least one. The first has the caption. */
  readonly files: readonly File[]
  readonly way: 'attach' | 'hear'
}

export interface UploadOptions {
  /** Upload progress from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
  /** Timeout in milliseconds without upload progress, or without a response after the upload. */
  readonly timeoutMs?: number
}

export interface Reply {
  /** Null if there was no response, or the upload was aborted. */
  readonly status: number | null
  readonly body: string
  /** The code of the problem, if the daemon reports one. */
  readonly problem: string | null
}

const defaultTimeoutMs = 60_000

export const upload = (
  path: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  { onProgress, signal, timeoutMs = defaultTimeoutMs }: UploadOptions,
): Promise<Reply> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = () => request.abort()
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(abort, timeoutMs)
    }
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      wait()
      if (lengthComputable && total > 0) onProgress(loaded / total)
    })
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      resolve({
        status: request.status || null,
        body: request.responseText,
        problem: request.getResponseHeader(problemHeader),
      })
    })
    signal.addEventListener('abort', abort)
    request.open('POST', path)
    for (const [name, value] of Object.entries({ accept: 'application/json', ...headers }))
      request.setRequestHeader(name, value)
    wait()
    request.send(form)
  })
