/** How a persona is shown in small: a disc with her letter, and a dot that says how she is. */

import { text } from '../strings/strings.ts'
import { el } from './dom.ts'
import { conditionOf, type Persona } from './shapes.ts'

const hues = 6

export const condition = (persona: Persona): HTMLElement => {
  const now = conditionOf(persona)
  return el(
    'span',
    { class: `condition is-${now}` },
    el('span', { class: 'dot', 'aria-hidden': 'true' }),
    text.condition[now],
  )
}

export const initialOf = (name: string) => [...name.trim()][0]?.toUpperCase() ?? '·'

/** Always the same for her, and different for most neighbours. */
export const hueOf = (id: string) =>
  [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % hues
