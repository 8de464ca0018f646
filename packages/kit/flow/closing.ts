/** What is to be closed in the end, in reverse of how it was opened. */
export interface Closing {
  /** Closed with the others; gives back what it was given. */
  keep<T extends { close(): Promise<unknown> }>(opened: T): T
  /**
   * What one of them throws keeps no other open: the first of it is thrown when all are closed. Each is
   * closed once.
   */
  close(): Promise<void>
}

export const createClosing = (): Closing => {
  const kept: { close(): Promise<unknown> }[] = []
  return {
    keep: (opened) => {
      kept.push(opened)
      return opened
    },
    close: async () => {
      const errors: unknown[] = []
      for (const one of kept.splice(0).reverse()) {
        try {
          await one.close()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw errors[0]
    },
  }
}
