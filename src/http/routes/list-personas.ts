/** GET /api/personas */
import type { PersonaId } from '../../../journal/facts/fact-values.ts'
import type { Self } from '../../../projections/self.ts'
import { viewOf } from '../../../projections/view.ts'
import type { Elsewhere } from '../../cluster/persona-location.ts'
import type { Listed } from '../../persona/persona-store.ts'
import { type Deps, route, sent } from '../route.ts'
import { PersonaList } from '../schema/shapes.ts'
import { sendJsonText } from '../server/replies.ts'

export const listPersonasRoute = route({
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

interface CachedView {
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
  const cache = new Map<PersonaId, CachedView>()
  let joinedList = Buffer.from('{"personas":[]}')
  let shownCount = 0

  const refresh = ({ self }: Listed): boolean => {
    const running = agents.running(self.id)
    const webOpen = web.isOpen(self.id)
    const old = cache.get(self.id)
    if (old && old.self === self && old.running === running && old.webOpen === webOpen) return false
    const text = JSON.stringify(viewOf(self, { running, webOpen }, config.urls))
    cache.set(self.id, { self, running, webOpen, text })
    return true
  }

  const listOwn = () => {
    const all = personas.all()
    // Uses `filter`, because `some` would stop at the first change.
    const changed = all.filter(refresh).length > 0
    if (!changed && all.length === shownCount) return joinedList
    if (cache.size > all.length) forget(cache, all)
    joinedList = Buffer.from(`{"personas":[${all.map(({ self }) => cache.get(self.id)?.text).join(',')}]}`)
    shownCount = all.length
    return joinedList
  }
  /** Adds the personas that other daemons of the cluster host. */
  const listAll = ({ others }: Elsewhere) => {
    listOwn()
    const ownViews = personas
      .all()
      .map(({ self: { id, created } }) => ({ id, created, text: cache.get(id)?.text }))
    const otherViews = [...others()].flatMap(([id, { created, view }]) =>
      personas.listed(id) ? [] : [{ id, created, text: JSON.stringify(view) }],
    )
    const all = [...ownViews, ...otherViews].sort((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
    return Buffer.from(`{"personas":[${all.map(({ text }) => text).join(',')}]}`)
  }
  return () => (elsewhere ? listAll(elsewhere) : listOwn())
}

const forget = (cache: Map<PersonaId, CachedView>, all: readonly Listed[]): void => {
  const ids = new Set(all.map(({ self }) => self.id))
  for (const id of cache.keys()) if (!ids.has(id)) cache.delete(id)
}
