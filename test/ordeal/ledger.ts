/** What clients of a daemon that keeps being killed were told, for a comparison at the end. */

/** A thing asked of the daemon: acknowledged, refused, or cut off and therefore open. */
export interface Entry {
  readonly client: string
  readonly n: number
  /** What it asked for, unique where the facts can hold it. */
  readonly value: string
  /** `open`, `acknowledged`, or what it was refused with. */
  outcome: string
}

export interface Ledger {
  readonly entries: readonly Entry[]
  note(client: string, value: string): Entry
  /** In the order they were asked. */
  acknowledged(client: string): readonly string[]
  last(client: string): Entry | undefined
}

export const createLedger = (): Ledger => {
  const entries: Entry[] = []
  const of = (client: string) => entries.filter((entry) => entry.client === client)
  return {
    entries,
    note: (client, value) => {
      const entry: Entry = { client, n: of(client).length, value, outcome: 'open' }
      entries.push(entry)
      return entry
    },
    acknowledged: (client) => of(client).flatMap(({ outcome, value }) => (outcome === 'acknowledged' ? [value] : [])),
    last: (client) => of(client).at(-1),
  }
}
