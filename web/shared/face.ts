/** How a persona is shown in small: a disc with her letter, and a dot that says how she is. */

import { text } from '../strings/strings.ts'
import { el, unseen } from './dom.ts'
import { conditionOf, type Persona } from './shapes.ts'

const hues = 6

export const face = (persona: Pick<Persona, 'id' | 'name'>): HTMLElement =>
  el('span', { class: `face hue-${hueOf(persona.id)}`, 'aria-hidden': 'true' }, initialOf(persona.name))

export const condition = (persona: Persona): HTMLElement => {
  const now = conditionOf(persona)
  return el(
    'span',
    { class: `condition is-${now}` },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    text.condition[now],
  )
}

export const named = (persona: Persona): HTMLElement =>
  el('span', { class: 'name', dir: 'auto' }, persona.name || unseen(persona.id))

export const initialOf = (name: string) => [...name.trim()][0]?.toUpperCase() ?? '·'

/** Always the same for her, and different for most neighbours. */
export const hueOf = (id: string) =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % hues
