/** Adds a label, a copy button and syntax colours to the code and tables of a message. */
import { button, el } from '../shared/dom.ts'
import { showNotice } from '../shared/notice.svelte.ts'
import { text } from '../strings/strings.ts'

export const copy = async (container: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(container)
    showNotice(text.talk.copied)
  } catch {
    showNotice(text.talk.notCopied)
  }
}

type Colour = typeof import('./highlight.ts').colour
let colour: Colour | undefined

/** Colours at once if the colours are loaded, so that a block that is being streamed does not flicker. */
const addColours = async (code: HTMLElement, language: string, isGrowing: boolean) => {
  if (!colour) ({ colour } = await import('./highlight.ts'))
  colour(code, language, isGrowing)
}

/** `isGrowing`: the last code block may be incomplete. */
export const addCopyButtons = (container: ParentNode, isGrowing: boolean): void => {
  for (const table of container.querySelectorAll('table')) {
    const frame = el('div', {
      class: 'table',
      dir: 'auto',
      tabindex: '0',
      role: 'group',
      'aria-label': text.talk.table,
    })
    table.removeAttribute('dir')
    table.replaceWith(frame)
    frame.append(table)
  }
  for (const pre of container.querySelectorAll('pre')) dressCode(pre, isGrowing)
}

const dressCode = (pre: HTMLPreElement, isGrowing: boolean) => {
  const code = pre.querySelector('code')
  if (!code) return
  const language = /language-([\w+#-]+)/.exec(code.className)?.[1] ?? ''
  const codeText = (code.textContent ?? '').replace(/\n$/, '')
  code.textContent = codeText
  const copyButton = button(text.talk.copy, 'inline', () => void copy(codeText))
  copyButton.ariaLabel = text.talk.copyCode
  const frame = el(
    'div',
    { class: 'code', dir: 'ltr' },
    el('div', { class: 'code-head' }, el('span', {}, language), copyButton),
  )
  pre.replaceWith(frame)
  pre.tabIndex = 0
  pre.ariaLabel = text.talk.code
  pre.setAttribute('role', 'group')
  // Code is always left to right. A block without a language may be text in any direction.
  pre.dir = language ? 'ltr' : 'auto'
  frame.append(pre)
  if (language) void addColours(code, language, isGrowing)
}
