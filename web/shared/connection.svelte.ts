/** Tracks which sockets of the page are disconnected. */

/** Milliseconds before a lost connection is reported. */
const patience = 900

const down = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined
let lost = $state(false)

const settle = () => {
  if (down.size === 0) {
    clearTimeout(timer)
    timer = undefined
    lost = false
    return
  }
  timer ??= setTimeout(() => {
    lost = true
  }, patience)
}

export const connection = {
  /** True if a socket has been disconnected for longer than that. */
  get lost(): boolean {
    return lost
  },
  forget(name: string): void {
    down.delete(name)
    settle()
  },
  report(name: string, open: boolean): void {
    if (open) down.delete(name)
    else down.add(name)
    settle()
  },
}
