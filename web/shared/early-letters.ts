/** Stores the letters that are typed before the text field of a talk exists. */
import { words } from '../words/words.svelte.ts'
import { isInRoom } from './address.ts'
import { here } from './here.svelte.ts'
import { isForInputMethod } from './input-method.ts'
import { register } from './people.svelte.ts'

let letters = ''
let fields = 0

const drop = () => {
  letters = ''
}

/** Starts listening. Called once when the page loads. */
export const storeEarlyLetters = (): void => {
  addEventListener('keydown', onKey)
  // Any other interaction means that the letters were not for the talk.
  addEventListener('pointerdown', drop, true)
  addEventListener('popstate', drop)
  addEventListener('focusin', () => {
    if (!nothingHasKeys()) drop()
  })
}

/**
 * Registers the text field of a talk, and passes the stored letters to it once. Returns a function that
 * unregisters the field.
 */
export const claimEarlyLetters = (give: (letters: string) => void): (() => void) => {
  const storedLetters = letters
  fields += 1
  drop()
  if (storedLetters !== '') give(storedLetters)
  return () => {
    fields -= 1
  }
}

const onKey = (event: KeyboardEvent) => {
  if (event.defaultPrevented || !isAwaited() || !nothingHasKeys()) return
  if (isLetter(event)) letters += event.key
  else if (event.key === 'Backspace') letters = [...letters].slice(0, -1).join('')
  else return
  // Otherwise a space scrolls, and some letters start the browser's search.
  event.preventDefault()
}

/** Returns true if a talk is open, or about to open, and its text field does not exist yet. */
const isAwaited = (): boolean => {
  if (fields > 0 || words.gate || document.querySelector('dialog[open]')) return false
  const { place } = here
  if (isInRoom(place)) return place.room === 'talk' && place.at === null && !place.offRecord
  return place.room === 'list' && register.current().phase === 'loading'
}

/** A focused heading only marks the current place. */
const nothingHasKeys = (): boolean => {
  const { activeElement: active, body } = document
  return active === null || active === body || active.matches('h1')
}

/** Excludes shortcuts, IME compositions and dead keys, whose key names are longer. */
const isLetter = (event: KeyboardEvent): boolean => {
  const { key, ctrlKey, altKey, metaKey } = event
  if (isForInputMethod(event) || metaKey || [...key].length !== 1) return false
  // A leading space is a request to scroll the page.
  if (key === ' ' && letters === '') return false
  // AltGr is reported as Ctrl and Alt.
  return event.getModifierState('AltGraph') || !(ctrlKey || altKey)
}
