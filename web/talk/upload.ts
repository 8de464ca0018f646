/** A form with a file on its way: `fetch` does not tell how much of it has arrived. */

/** A clip is sent to be listened to, everything else to be looked at. */
export interface Parcel {
  /** At least one; the first carries the words. */
  readonly files: readonly File[]
  readonly way: 'attach' | 'hear'
}

export interface Going {
  /** From 0 to 1, of what has left this browser. */
  readonly onProgress: (share: number) => void
  readonly signal: AbortSignal
  /** Milliseconds without a byte going out, or, once all are out, without an answer. */
  readonly patience?: number
}

export interface Reply {
  /** Null when nothing answered, or it was cut. */
  readonly status: number | null
  readonly body: string
}

const usualPatience = 60_000

export const upload = (
  path: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  { onProgress, signal, patience = usualPatience }: Going,
): Promise<Reply> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    const cut = () => request.abort()
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(cut, patience)
    }
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      wait()
      if (lengthComputable && total > 0) onProgress(loaded / total)
    })
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cut)
      resolve({ status: request.status || null, body: request.responseText })
    })
    signal.addEventListener('abort', cut)
    request.open('POST', path)
    for (const [name, value] of Object.entries({ accept: 'application/json', ...headers }))
      request.setRequestHeader(name, value)
    wait()
    request.send(form)
  })
