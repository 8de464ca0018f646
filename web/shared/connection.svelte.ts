/** Which of the page's sockets are down. */

/** Milliseconds a line may be down before it is worth a word. */
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
  /** Long enough to be told. */
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
