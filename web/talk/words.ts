/** The 24 recovery words: shown once after she was woken, never stored by the page. */
import { button, el, icon } from '../shared/dom.ts'
import type { Persona } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

/** Empty when there is nothing to show. */
export const createPhraseBar = ({ id, name }: Persona, phrases: Map<string, string>): HTMLElement => {
  const bar = el('div', { class: 'phrase' })
  const phrase = phrases.get(id)
  if (!phrase) return bar
  const done = () => {
    phrases.delete(id)
    bar.replaceChildren()
  }
  const dialog = createWordsDialog(name, phrase, done)
  bar.append(
    el(
      'div',
      { class: 'notice' },
      el('p', {}, text.words.bar(name)),
      button(text.words.open, 'inline', () => dialog.showModal()),
      button(text.words.later, 'inline', () => bar.firstElementChild?.remove()),
    ),
    dialog,
  )
  return bar
}

const createWordsDialog = (name: string, phrase: string, onKept: () => void): HTMLDialogElement => {
  const heard = el('p', { class: 'quiet', role: 'status' })
  const close = button('', 'round', () => dialog.close())
  close.append(icon('close'))
  close.ariaLabel = text.close
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(phrase)
      heard.replaceChildren(text.words.copied)
    } catch {
      heard.replaceChildren(text.words.notCopied)
    }
  }
  const dialog = el(
    'dialog',
    { class: 'sheet', 'aria-labelledby': 'words-title' },
    el('header', {}, el('h2', { id: 'words-title' }, text.words.title), close),
    el('p', {}, text.words.body(name)),
    el('ol', { class: 'phrase-words' }, ...phrase.split(/\s+/).map((word) => el('li', {}, word))),
    el(
      'div',
      { class: 'buttons' },
      button(text.words.copy, 'soft', () => void copy()),
      button(text.words.save, 'soft', () => save(`${name} recovery words.txt`, `${phrase}\n`)),
      button(text.words.kept, 'main', () => {
        dialog.close()
        onKept()
      }),
    ),
    heard,
  )
  return dialog
}

const save = (filename: string, words: string) => {
  const href = URL.createObjectURL(new Blob([words], { type: 'text/plain' }))
  el('a', { href, download: filename }).click()
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
