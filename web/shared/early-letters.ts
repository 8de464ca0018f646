/** Letters typed before the field of a talk is there: they are kept for it. */
import { words } from '../words/words.svelte.ts'
import { isInRoom } from './address.ts'
import { here } from './here.svelte.ts'
import { register } from './people.svelte.ts'

let letters = ''
let fields = 0

const drop = () => {
  letters = ''
}

/** Listens from the first moment of the page on. */
export const keepLetters = (): void => {
  addEventListener('keydown', onKey)
  // Whoever does anything else has not written to the talk.
  addEventListener('pointerdown', drop, true)
  addEventListener('popstate', drop)
  addEventListener('focusin', () => {
    if (!nothingHasKeys()) drop()
  })
}

/** The field of a talk is there until the returned function is called; it gets once what was typed. */
export const takeLetters = (give: (letters: string) => void): (() => void) => {
  const typed = letters
  fields += 1
  drop()
  if (typed !== '') give(typed)
  return () => {
    fields -= 1
  }
}

const onKey = (event: KeyboardEvent) => {
  if (event.defaultPrevented || !isAwaited() || !nothingHasKeys()) return
  if (isLetter(event)) letters += event.key
  else if (event.key === 'Backspace') letters = [...letters].slice(0, -1).join('')
  else return
  // A space would scroll, some letters would search the page.
  event.preventDefault()
}

/** A talk is open, or may be about to, and its field is not there. */
const isAwaited = (): boolean => {
  if (fields > 0 || words.gate || document.querySelector('dialog[open]')) return false
  const { place } = here
  if (isInRoom(place)) return place.room === 'talk' && place.at === null && !place.offRecord
  return place.room === 'list' && register.now().phase === 'loading'
}

/** A heading has the keyboard only to say where one is. */
const nothingHasKeys = (): boolean => {
  const { activeElement: active, body } = document
  return active === null || active === body || active.matches('h1')
}

/** No shortcut, no part of a composition, no accent that waits for its letter: those have longer names. */
const isLetter = (event: KeyboardEvent): boolean => {
  const { key, ctrlKey, altKey, metaKey, isComposing } = event
  if (isComposing || metaKey || [...key].length !== 1) return false
  // Words never begin with a space, and a page that is read goes on with one.
  if (key === ' ' && letters === '') return false
  // The key for third signs is told as both.
  return event.getModifierState('AltGraph') || !(ctrlKey || altKey)
}
