/** Where entries stand, and what their neighbours make of them: a day that begins, a voice that goes on. */
import { el } from '../shared/dom.ts'
import { dayName, dayOf } from '../shared/moments.ts'
import type { Entry } from './entry.ts'

/** Words of one voice within this time stand close together. Milliseconds. */
const oneBreath = 3 * 60_000

/**
 * Puts the added ones where they belong, and tells each neighbour anew whether a day or a breath begins with
 * it.
 */
export const arrange = (words: HTMLElement, entries: readonly Entry[], added: readonly Entry[]) => {
  const isNew = new Set(added)
  let next: Entry | undefined
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at]
    if (!entry) continue
    if (isNew.has(entry)) words.insertBefore(entry.element, next?.element ?? null)
    if (isNew.has(entry) || (next && isNew.has(next))) {
      dress(entry, entries[at - 1], next)
      if (next) dress(next, entry, entries[at + 2])
    }
    next = entry
  }
  relabel(words)
}

const dress = ({ element, at, said }: Entry, before: Entry | undefined, next: Entry | undefined) => {
  const begins = dayOf(at) !== '' && (!before || dayOf(before.at) !== dayOf(at))
  const day = element.querySelector('.day')
  if (begins && !day) element.prepend(el('p', { class: 'day' }, el('time', { datetime: said.time })))
  if (!begins) day?.remove()
  element.classList.toggle('follows', before !== undefined && breathes(before, { at, said }))
  element.classList.toggle('goes-on', next !== undefined && breathes({ at, said }, next))
}

const breathes = (before: Pick<Entry, 'at' | 'said'>, after: Pick<Entry, 'at' | 'said'>) =>
  before.said.role === after.said.role &&
  before.said.channel === after.said.channel &&
  dayOf(before.at) === dayOf(after.at) &&
  Math.abs(after.at.getTime() - before.at.getTime()) < oneBreath

/** "Today" is only true for a day, and a page may stay open for a week. */
const relabel = (words: HTMLElement) => {
  for (const time of words.querySelectorAll<HTMLTimeElement>('.day time')) {
    const label = dayName(new Date(time.dateTime))
    if (time.textContent !== label) time.textContent = label
  }
}
