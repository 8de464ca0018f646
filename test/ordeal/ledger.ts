/**
 * Records the responses that clients of a repeatedly killed daemon received, to compare them with its data
 * afterwards.
 */

/** A request to the daemon: acknowledged, refused, or interrupted and therefore open. */
export interface Entry {
  readonly client: string
  /** The requested value, unique if the facts can hold it. */
  readonly value: string
  /** `open`, `acknowledged`, or the reason of the refusal. */
  readonly outcome: string
}

export interface Ledger {
  readonly entries: readonly Entry[]
  note(client: string, value: string): Entry
  /** Records the outcome. */
  close(entry: Entry, outcome: string): void
  /** Returns the requests of a client in order. */
  listEntries(client: string): readonly Entry[]
  acknowledged(client: string): readonly string[]
  last(client: string): Entry | undefined
  /** Number of acknowledged requests of these clients, by default of all. */
  count(clients?: readonly string[]): number
}

export const createLedger = (): Ledger => {
  const entries: { client: string; value: string; outcome: string }[] = []
  const byClient = new Map<string, Entry[]>()
  const counts = new Map<string, number>()
  const getEntries = (client: string): readonly Entry[] => byClient.get(client) ?? []
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
    listEntries: getEntries,
    acknowledged: (client) =>
      getEntries(client).flatMap(({ outcome, value }) => (outcome === 'acknowledged' ? [value] : [])),
    last: (client) => getEntries(client).at(-1),
    count: (clients = [...counts.keys()]) =>
      clients.reduce((sum, client) => sum + (counts.get(client) ?? 0), 0),
  }
}
