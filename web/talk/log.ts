/**
 * The talk as it is seen: days, words in order of the journal, letters on their way, and what she is thinking
 * of.
 */
import { button, el, icon, unseen } from '../shared/dom.ts'
import type { Said } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { type Entry, entryOf } from './entry.ts'
import { createLetter, type LetterEvents, type LetterView } from './letter.ts'
import type { Gallery } from './media.ts'
import { arrange } from './order.ts'
import type { Letter } from './outbox.ts'
import type { Draft } from './speech.ts'

export interface Log {
  readonly element: HTMLElement
  readonly place: (said: readonly Said[], live: boolean) => void
  readonly more: (state: 'more' | 'loading' | 'none', trouble: string) => void
  readonly letters: (letters: readonly Letter[], why: (letter: Letter) => string) => void
  /** How much of a letter's file is on its way: from 0 to 1. */
  readonly progress: (key: string, share: number) => void
  readonly speech: (drafts: readonly Draft[], busy: boolean) => void
  readonly rename: (name: string) => void
  readonly toEnd: () => void
  readonly close: () => void
}

export interface LogEvents extends LetterEvents {
  readonly onEarlier: () => void
}

/** Pixels from the end within which the log follows what is said. */
const nearEnd = 80

export const createLog = (
  who: string,
  gallery: Gallery,
  { onEarlier, onAgain, onTakeBack }: LogEvents,
): Log => {
  let name = who
  let following = true
  let entries: readonly Entry[] = []
  const views = new Map<string, LetterView>()

  const earlier = button(text.talk.earlier, 'soft earlier', onEarlier)
  const trouble = el('p', { class: 'trouble' })
  const greeting = el('p', { class: 'greeting' }, text.talk.empty(name))
  const words = el('div', { class: 'entries', role: 'log', 'aria-live': 'polite' })
  const waiting = el('div', { class: 'entries' })
  const thoughts = el('div', { class: 'entries', 'aria-live': 'off' })
  const thinking = el('div', { class: 'thinking', role: 'status' })
  const down = button('', 'round to-end', () => toEnd())
  const column = el(
    'div',
    { class: 'column' },
    el('div', { class: 'further' }, earlier, trouble),
    greeting,
    words,
    waiting,
    thoughts,
    thinking,
  )
  const scroller = el('section', { class: 'scroller', tabindex: '0' }, column)
  const element = el('div', { class: 'log' }, scroller, down)
  down.append(icon('down'), unseen(text.talk.newWords))
  down.hidden = true
  earlier.hidden = true

  const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEnd

  const toEnd = () => {
    following = true
    down.hidden = true
    scroller.scrollTop = scroller.scrollHeight
  }

  const place = (said: readonly Said[], live: boolean) => {
    // Pages of the past are not read aloud, only what is said now.
    words.ariaLive = live ? 'polite' : 'off'
    const height = scroller.scrollHeight
    const before = entries[0]
    const added = said.map((one) => entryOf(whole(one), name, gallery))
    entries = [...entries, ...added].sort((a, b) => a.said.id - b.said.id)
    arrange(words, entries, added)
    greeting.hidden = true
    if (following) return toEnd()
    // What came in above pushes nothing: whoever reads stays at the same line.
    if (before && entries[0] !== before) scroller.scrollTop += scroller.scrollHeight - height
    else down.hidden = !live
  }

  /** A file that comes after its words joins them. */
  const whole = (said: Said): Said => {
    const first = entries.find((entry) => entry.said.id === said.id)
    if (!first) return said
    first.element.remove()
    entries = entries.filter((entry) => entry !== first)
    return { ...said, content: first.said.content || said.content }
  }

  const letters = (all: readonly Letter[], why: (letter: Letter) => string) => {
    for (const [key, view] of views) {
      if (all.some((letter) => letter.key === key)) continue
      view.element.remove()
      view.close()
      views.delete(key)
    }
    for (const letter of all) {
      const view = views.get(letter.key) ?? createLetter(letter, { onAgain, onTakeBack }, gallery)
      if (!views.has(letter.key)) waiting.append(view.element)
      views.set(letter.key, view)
      view.draw(letter, why(letter))
    }
    if (all.length > 0) greeting.hidden = true
    if (following) toEnd()
  }

  /** A picture takes its size when it is loaded: above whoever reads, that must not move the line. */
  const settle = ({ target }: Event) => {
    if (!(target instanceof HTMLImageElement) || !target.classList.contains('waiting')) return
    const above = target.getBoundingClientRect().bottom < scroller.getBoundingClientRect().top
    const height = scroller.scrollHeight
    target.classList.remove('waiting')
    if (following) toEnd()
    else if (above) scroller.scrollTop += scroller.scrollHeight - height
  }

  const speech = (drafts: readonly Draft[], busy: boolean) => {
    const shown = drafts.filter((draft) => draft.words.trim() !== '')
    // One node per draft is kept while it grows, so that a selection in it survives.
    while (thoughts.children.length > shown.length) thoughts.lastElementChild?.remove()
    for (const [at, draft] of shown.entries()) {
      const node =
        thoughts.children[at] ??
        thoughts.appendChild(
          el('div', { class: 'entry hers thought' }, el('div', { class: 'words', dir: 'auto' })),
        )
      node.firstElementChild?.replaceChildren(draft.from > 0 ? `… ${draft.words}` : draft.words)
    }
    sign(busy, busy && shown.length === 0)
    if (following) toEnd()
  }

  const sign = (busy: boolean, dots: boolean) => {
    thinking.classList.toggle('on', dots)
    if (busy === thinking.hasChildNodes()) return
    thinking.replaceChildren(
      ...(busy ? [unseen(text.talk.thinking(name)), el('i', {}), el('i', {}), el('i', {})] : []),
    )
  }

  const rename = (next: string) => {
    name = next
    scroller.setAttribute('aria-label', text.talk.log(name))
    greeting.replaceChildren(text.talk.empty(name))
  }

  scroller.addEventListener('scroll', () => {
    following = atEnd()
    if (following) down.hidden = true
  })
  scroller.addEventListener('load', settle, true)
  new ResizeObserver(() => following && toEnd()).observe(scroller)
  new ResizeObserver(() => following && toEnd()).observe(column)
  new IntersectionObserver(([seen]) => seen?.isIntersecting && !trouble.hasChildNodes() && onEarlier(), {
    root: scroller,
    rootMargin: '400px 0px 0px',
  }).observe(earlier)
  rename(name)

  return {
    element,
    place,
    speech,
    rename,
    toEnd,
    more: (state, words) => {
      earlier.hidden = state === 'none'
      earlier.textContent =
        state === 'loading' ? text.talk.loadingEarlier : words ? text.tryAgain : text.talk.earlier
      trouble.replaceChildren(...(words ? [words] : []))
    },
    letters,
    progress: (key, share) => views.get(key)?.progress(share),
    close: () => {
      for (const view of views.values()) view.close()
    },
  }
}
