/** So many at once, and the others in a row: what each of them needs, somebody else has to leave. */

export interface Rooms {
  /** Resolves when there is one, in the order it was asked. */
  enter(): Promise<void>
  leave(): void
  waiting(): number
}

/** `full` is called when somebody has to wait. */
export const createRooms = (most: number, full: () => void): Rooms => {
  const queue: (() => void)[] = []
  let taken = 0
  return {
    enter: async () => {
      if (taken < most) return void taken++
      const mine = new Promise<void>((tell) => queue.push(tell))
      full()
      await mine
    },
    leave: () => {
      const next = queue.shift()
      if (next) next()
      else taken--
    },
    waiting: () => queue.length,
  }
}
