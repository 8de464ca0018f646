/**
 * How V8 grows the heap: bounded, and sparingly while only work goes on that nobody waits for. ⏱ A hundred
 * personas hold 94 MB at a start, not 126, and 118 after their first nights, not 167.
 */
import { setFlagsFromString } from 'node:v8'

interface Growth {
  /**
   * Percent by which the heap may outgrow what is alive in it; up to fourfold, as V8 judges by itself (0).
   * V8 looks at it whenever it has collected.
   */
  readonly percent: number
  /**
   * Whether the young part grows where much of it survives, and stays as large. Otherwise each collection of
   * the whole heap gives back what it can, but for compiled code. ⏱ A young part that never grows makes a
   * turn a sixth slower; code that is kept for later starts after some was given back, these starts a third.
   */
  readonly young: boolean
  /** Percent of that growth at which V8 begins to collect; as it judges by itself (0). */
  readonly collectAt: number
}

const growths = {
  'as at start': { percent: 0, young: true, collectAt: 0 },
  bounded: { percent: 60, young: true, collectAt: 0 },
  sparingly: { percent: 60, young: false, collectAt: 50 },
  /** ⏱ A hundred personas all run after 1.6 s, not 1.4, on a slow machine. */
  tightly: { percent: 60, young: false, collectAt: 7 },
} satisfies Record<string, Growth>

export type HeapGrowth = keyof typeof growths
export const heapGrowths = Object.keys(growths) as readonly HeapGrowth[]

export const growHeap = (how: HeapGrowth): void => {
  const { percent, young, collectAt } = growths[how]
  setFlagsFromString(`--heap-growing-percent=${percent}`)
  setFlagsFromString(`--semi-space-growth-factor=${young ? 2 : 1}`)
  setFlagsFromString(young ? '--no-optimize-for-size' : '--optimize-for-size')
  // What Node 20 and 22 take the flag before to imply, which concerns heaps made from now on.
  if (young) setFlagsFromString('--max-semi-space-size=0')
  setFlagsFromString(young ? '--flush-bytecode' : '--no-flush-bytecode')
  setFlagsFromString(`--incremental-marking-hard-trigger=${collectAt}`)
}

let going = 0

/**
 * From the first of it on the heap is bounded. ⏱ Earlier, what Node keeps of its own compiled files would not
 * count, which it takes only under the flags they were made with: a start would take 35 ms more.
 *
 * Passes on what the work resolves or rejects with.
 */
export const sparingMemory = async <T>(
  work: () => Promise<T>,
  how: 'sparingly' | 'tightly' = 'sparingly',
): Promise<T> => {
  if (++going === 1) growHeap(how)
  try {
    return await work()
  } finally {
    if (--going === 0) growHeap('bounded')
  }
}
