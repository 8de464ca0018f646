/** Tracks which sockets of the page are disconnected. */

/** Milliseconds before a lost connection is reported. */
const reportAfterMs = 900

const disconnected = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined
let lost = $state(false)

const settle = () => {
  if (disconnected.size === 0) {
    clearTimeout(timer)
    timer = undefined
    lost = false
    return
  }
  timer ??= setTimeout(() => {
    lost = true
  }, reportAfterMs)
}

export const connection = {
  /** True if a socket has been disconnected for longer than `reportAfterMs`. */
  get lost(): boolean {
    return lost
  },
  forget(name: string): void {
    disconnected.delete(name)
    settle()
  },
  report(name: string, open: boolean): void {
    if (open) disconnected.delete(name)
    else disconnected.add(name)
    settle()
  },
}
