/** What clients of a daemon that keeps dying were told, for a comparison with what it knows afterwards. */

/** A thing asked of the daemon: acknowledged, refused, or cut off and therefore open. */
export interface Entry {
  readonly client: string
  /** What it asked for, unique where the facts can hold it. */
  readonly value: string
  /** `open`, `acknowledged`, or what it was refused with. */
  readonly outcome: string
}

export interface Ledger {
  readonly entries: readonly Entry[]
  note(client: string, value: string): Entry
  /** How it ended. */
  close(entry: Entry, outcome: string): void
  /** In the order they were asked. */
  of(client: string): readonly Entry[]
  acknowledged(client: string): readonly string[]
  last(client: string): Entry | undefined
  /** How much of these clients was acknowledged, of all of them by default. */
  count(clients?: readonly string[]): number
}

export const createLedger = (): Ledger => {
  const entries: { client: string; value: string; outcome: string }[] = []
  const byClient = new Map<string, Entry[]>()
  const counts = new Map<string, number>()
  const of = (client: string): readonly Entry[] => byClient.get(client) ?? []
  return {
    entries,
    note: (client, value) => {
      const entry = { client, value, outcome: 'open' }
      entries.push(entry)
      byClient.set(client, byClient.get(client) ?? [])
      byClient.get(client)?.push(entry)
      return entry
    },
    close: (entry: { outcome: string } & Entry, outcome) => {
      entry.outcome = outcome
      if (outcome === 'acknowledged') counts.set(entry.client, (counts.get(entry.client) ?? 0) + 1)
    },
    of,
    acknowledged: (client) =>
      of(client).flatMap(({ outcome, value }) => (outcome === 'acknowledged' ? [value] : [])),
    last: (client) => of(client).at(-1),
    count: (clients = [...counts.keys()]) =>
      clients.reduce((sum, client) => sum + (counts.get(client) ?? 0), 0),
  }
}
