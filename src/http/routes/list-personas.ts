/** GET /api/personas */
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import type { Self } from '../../../projections/self.ts'
import { viewOf } from '../../../projections/view.ts'
import type { Elsewhere } from '../../cluster/elsewhere.ts'
import type { Listed } from '../../persona/personas.ts'
import { type Deps, route, sent } from '../route.ts'
import { PersonaList } from '../schema/shapes.ts'
import { sendJsonText } from '../server/replies.ts'

export const personas = route({
  method: 'get',
  path: '/api/personas',
  summary: 'All personas, the oldest first',
  description: 'Each persona, whether it is running, and its model.',
  tag: 'Personas',
  reply: PersonaList,
  handle: (deps) => {
    const list = createList(deps)
    return async ({ response }) => {
      await deps.personas.ready
      sendJsonText(response, 200, list())
      return sent
    }
  },
})

interface Kept {
  readonly self: Self
  readonly running: boolean
  readonly webOpen: boolean
  readonly text: string
}

/**
 * Returns the list as JSON. The view of a persona is cached until its state, which is never changed in place,
 * is replaced.
 */
const createList = ({ personas, agents, web, config, elsewhere }: Deps): (() => Buffer) => {
  const kept = new Map<PersonaId, Kept>()
  let joined = Buffer.from('{"personas":[]}')
  let shown = 0

  const refreshed = ({ self }: Listed): boolean => {
    const running = agents.running(self.id)
    const webOpen = web.isOpen(self.id)
    const old = kept.get(self.id)
    if (old && old.self === self && old.running === running && old.webOpen === webOpen) return false
    const text = JSON.stringify(viewOf(self, { running, webOpen }, config.urls))
    kept.set(self.id, { self, running, webOpen, text })
    return true
  }

  const own = () => {
    const all = personas.all()
    // Uses `filter`, because `some` would stop at the first change.
    const changed = all.filter(refreshed).length > 0
    if (!changed && all.length === shown) return joined
    if (kept.size > all.length) forget(kept, all)
    joined = Buffer.from(`{"personas":[${all.map(({ self }) => kept.get(self.id)?.text).join(',')}]}`)
    shown = all.length
    return joined
  }
  /** Adds the personas that other daemons of the cluster host. */
  const everybody = ({ others }: Elsewhere) => {
    own()
    const here = personas
      .all()
      .map(({ self: { id, created } }) => ({ id, created, text: kept.get(id)?.text }))
    const there = [...others()].flatMap(([id, { created, view }]) =>
      personas.listed(id) ? [] : [{ id, created, text: JSON.stringify(view) }],
    )
    const all = [...here, ...there].sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
    return Buffer.from(`{"personas":[${all.map(({ text }) => text).join(',')}]}`)
  }
  return () => (elsewhere ? everybody(elsewhere) : own())
}

const forget = (kept: Map<PersonaId, Kept>, all: readonly Listed[]): void => {
  const ids = new Set(all.map(({ self }) => self.id))
  for (const id of kept.keys()) if (!ids.has(id)) kept.delete(id)
}
