/** The list of personas, beside the talk on a wide screen and before it on a narrow one. */
import { pathOf } from './address.ts'
import { button, el, icon, link } from './dom.ts'
import { condition, face, named } from './face.ts'
import type { House } from './screen.ts'
import { conditionOf, type Persona } from './shapes.ts'
import { text } from './strings.ts'

export interface List {
  readonly element: HTMLElement
  readonly choose: (id: string | null) => void
}

export const createList = ({ register }: Pick<House, 'register'>): List => {
  const rows = el('ul', { class: 'rows' })
  const state = el('div', { class: 'list-state' })
  const element = el('nav', { class: 'list', 'aria-label': text.people }, head(), rows, state)
  let chosen: string | null = null

  const draw = () => {
    const people = register.now()
    const focused = rows.contains(document.activeElement)
      ? document.activeElement?.getAttribute('href')
      : null
    rows.replaceChildren(
      ...(people.phase === 'here'
        ? people.personas.map((persona) => row(persona, persona.id === chosen))
        : []),
    )
    state.replaceChildren(
      ...stateOf(people.phase === 'failed' ? people.words : null, people.phase === 'loading', register.load),
    )
    // A row is drawn anew when she changes; whoever stood on it still does.
    if (focused) rows.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus()
  }

  register.watch(draw)
  draw()
  return {
    element,
    choose: (id) => {
      chosen = id
      draw()
    },
  }
}

const head = () =>
  el(
    'header',
    { class: 'list-head' },
    link(
      '/',
      { class: 'brand' },
      el('img', { src: '/assets/icon.svg', alt: '', width: '28', height: '28' }),
      text.product,
    ),
    link('/new', { class: 'round', title: text.add, 'aria-label': text.add }, icon('plus')),
  )

const row = (persona: Persona, chosen: boolean) =>
  el(
    'li',
    {},
    link(
      pathOf({ room: 'talk', id: persona.id }),
      {
        class: 'row',
        'aria-label': `${persona.name}, ${text.condition[conditionOf(persona)]}`,
        ...(chosen ? { 'aria-current': 'page' } : {}),
      },
      face(persona),
      el('span', { class: 'row-words' }, named(persona), condition(persona)),
    ),
  )

const stateOf = (
  failed: string | null,
  loading: boolean,
  load: () => Promise<void>,
): readonly HTMLElement[] => {
  if (loading) return [el('p', { class: 'quiet late' }, text.loading)]
  if (failed === null) return []
  return [
    el('p', { class: 'trouble', role: 'alert' }, failed),
    button(text.tryAgain, 'soft', () => void load()),
  ]
}
