/** Counters and histograms by labels, cheap enough to update at every commit. */

/** Each label has few possible values. */
export type Labels = Readonly<Record<string, string>>

export interface Cell {
  readonly labels: Labels
  readonly value: number
}

export interface Series {
  add(labels: Labels, amount?: number): void
  read(): readonly Cell[]
}

export const createSeries = (): Series => {
  const cells = new Map<string, { readonly labels: Labels; value: number }>()
  return {
    add: (labels, amount = 1) => {
      const key = toKey(labels)
      const cell = cells.get(key)
      if (cell) cell.value += amount
      else cells.set(key, { labels, value: amount })
    },
    read: () => [...cells.values()],
  }
}

/** A histogram. `within`: cumulative count for each bound. */
export interface Spread {
  readonly labels: Labels
  readonly within: readonly number[]
  readonly count: number
  readonly sum: number
}

export interface Spreads {
  add(labels: Labels, seconds: number): void
  read(): readonly Spread[]
}

/** `bounds`: in seconds, ascending. */
export const createSpreads = (bounds: readonly number[]): Spreads => {
  const cells = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>()
  return {
    add: (labels, seconds) => {
      const key = toKey(labels)
      const cell = cells.get(key) ?? { labels, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
      cells.set(key, cell)
      const index = bounds.findIndex((bound) => seconds <= bound)
      const place = index < 0 ? bounds.length : index
      cell.counts[place] = (cell.counts[place] ?? 0) + 1
      cell.sum += seconds
    },
    read: () =>
      [...cells.values()].map(({ labels, counts, sum }) => {
        let count = 0
        const cumulativeCounts = counts.map((bucketCount) => {
          count += bucketCount
          return count
        })
        return { labels, within: cumulativeCounts.slice(0, -1), count, sum }
      }),
  }
}

const toKey = (labels: Labels): string => {
  let key = ''
  for (const name in labels) key += `${labels[name]}\n`
  return key
}
