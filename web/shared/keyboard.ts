/**
 * Fits the page to the space that an on-screen keyboard leaves free. While it is open, `data-typing` on the
 * root hides what is not needed to write.
 */
const isTouch = matchMedia('(pointer: coarse)')
/** Below this height in pixels a keyboard is probably open, or there is little space anyway. */
const lowPx = 480
/** Heights above this share of the largest one seen are without a keyboard. */
const openShare = 0.75
let seen = { width: 0, height: 0 }

/** True on devices whose Enter key is on the screen: it begins a new line there. */
export const isTouchKeyboard = (): boolean => isTouch.matches

const fit = () => {
  const viewport = window.visualViewport
  if (!viewport || viewport.scale > 1.05 || !isTouch.matches) return
  const { width, height } = viewport
  seen = { width, height: Math.max(height, seen.width === width ? seen.height : 0, innerHeight) }
  const root = document.documentElement
  const isField = document.activeElement?.closest('textarea, input, select, form') != null
  root.toggleAttribute('data-typing', isField && (height < lowPx || height < seen.height * openShare))
  // Some browsers lay the keyboard over the page instead of making the page smaller.
  if (innerHeight - height < 1) return void root.style.removeProperty('--visible-height')
  root.style.setProperty('--visible-height', `${height}px`)
  scrollTo(0, 0)
}

export const followKeyboard = (): void => {
  window.visualViewport?.addEventListener('resize', fit)
  document.addEventListener('focusin', fit)
  document.addEventListener('focusout', () => setTimeout(fit))
}
