/** Tracks which sockets of the page are disconnected. */

/** Milliseconds before a lost connection is reported. */
const reportAfterMs = 900

const disconnectedNames = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined
let isLost = $state(false)

const settle = () => {
  if (disconnectedNames.size === 0) {
    clearTimeout(timer)
    timer = undefined
    isLost = false
    return
  }
  timer ??= setTimeout(() => {
    isLost = true
  }, reportAfterMs)
}

export const connection = {
  /** True if a socket has been disconnected for longer than `reportAfterMs`. */
  get isLost(): boolean {
    return isLost
  },
  forget(name: string): void {
    disconnectedNames.delete(name)
    settle()
  },
  report(name: string, open: boolean): void {
    if (open) disconnectedNames.delete(name)
    else disconnectedNames.add(name)
    settle()
  },
}
