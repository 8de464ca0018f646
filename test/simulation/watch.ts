/**
 * Checks the bus of one process: each commit is published complete and once, in order, lives increase, and
 * nothing follows the end of a persona.
 */
import type { PersonaId } from '../../facts/fact-values.ts'
import type { Persona } from '../../projections/persona.ts'
import type { PersonaCommit } from '../../src/bus.ts'

export interface Watch {
  took(personaCommit: PersonaCommit): void
  listEntries(id: PersonaId): readonly PersonaCommit[]
  readonly ids: Iterable<PersonaId>
  /** State after the last published commit. */
  latest(id: PersonaId): Persona | undefined
  hasCommit(commit: string): boolean
  readonly count: number
}

export const createWatch = (wrong: (problem: string) => void): Watch => {
  const all = new Map<PersonaId, PersonaCommit[]>()
  const publishedCommits = new Set<string>()
  let count = 0

  const look = (commit: PersonaCommit, previousCommit: PersonaCommit | undefined) => {
    const { id, entries, head, persona } = commit
    const [first] = entries
    if (!first) return wrong(`${id}: an empty commit was published`)
    if (publishedCommits.has(first.commit)) wrong(`${id}: the commit of ${first.seq} was published twice`)
    if (head.seq !== first.seq + entries.length - 1) wrong(`${id}: the commit of ${first.seq} has gaps`)
    if (!previousCommit) return
    if (previousCommit.persona.self.deleted) wrong(`${id}: ${first.type} was published after its end`)
    if (first.seq !== previousCommit.head.seq + 1)
      wrong(`${id}: ${first.seq} (${first.type}) was published after ${previousCommit.head.seq}`)
    if (persona.life.life < previousCommit.persona.life.life)
      wrong(`${id}: life ${persona.life.life} came after ${previousCommit.persona.life.life}`)
  }
  return {
    took: (personaCommit) => {
      const { id, entries } = personaCommit
      const commits = all.get(id) ?? []
      look(personaCommit, commits.at(-1))
      count++
      for (const { commit } of entries.slice(0, 1)) publishedCommits.add(commit)
      commits.push(personaCommit)
      all.set(id, commits)
    },
    listEntries: (id) => all.get(id) ?? [],
    ids: all.keys(),
    latest: (id) => all.get(id)?.at(-1)?.persona,
    hasCommit: (commit) => publishedCommits.has(commit),
    get count() {
      return count
    },
  }
}
