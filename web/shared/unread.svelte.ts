/** The number of messages that arrived while the page was in the background. */
let count = $state(0)

export const unreadCounts = {
  get count(): number {
    return count
  },
  add: (): void => {
    if (document.visibilityState === 'hidden') count += 1
  },
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') count = 0
})
