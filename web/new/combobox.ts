/**
 * A field for free text with a list of what is offered: all of it when it opens, what fits once one types.
 */
import { button, el, icon } from '../shared/dom.ts'

export interface Combobox {
  readonly element: HTMLElement
  readonly offer: (names: readonly string[]) => void
}

let boxes = 0

/** `openLabel` names the small button. */
export const createCombobox = (input: HTMLInputElement, openLabel: string): Combobox => {
  boxes += 1
  const id = `offered-${boxes}`
  const list = el('ul', { id, class: 'offered', role: 'listbox', 'aria-label': openLabel })
  const open = button('', 'round small', () => {
    input.focus()
    if (list.hidden) show(false)
    else hide()
  })
  open.append(icon('choose'))
  open.ariaLabel = openLabel
  open.tabIndex = -1
  list.hidden = true
  open.hidden = true
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': id,
  }))
    input.setAttribute(name, value)
  let names: readonly string[] = []
  let active = -1

  const show = (typed: boolean) => {
    const asked = typed ? input.value.trim().toLowerCase() : ''
    const fitting = names.filter((name) => name.toLowerCase().includes(asked))
    list.replaceChildren(...fitting.map(optionOf))
    list.hidden = fitting.length === 0
    input.ariaExpanded = String(!list.hidden)
    go(typed ? -1 : fitting.indexOf(input.value))
  }

  const optionOf = (name: string, at: number) => {
    const option = el('li', { id: `${id}-${at}`, role: 'option', 'aria-selected': 'false' }, name)
    option.addEventListener('click', () => choose(name))
    return option
  }

  const hide = () => {
    list.hidden = true
    input.ariaExpanded = 'false'
    go(-1)
  }

  const go = (to: number) => {
    list.children[active]?.setAttribute('aria-selected', 'false')
    active = to
    const option = list.children[to]
    if (!option) return input.removeAttribute('aria-activedescendant')
    option.setAttribute('aria-selected', 'true')
    option.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', option.id)
  }

  const choose = (name: string) => {
    input.value = name
    hide()
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }

  const onKey = (event: KeyboardEvent) => {
    const { key, isComposing } = event
    if (isComposing) return
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (list.hidden) return show(false)
      const count = list.children.length
      go(key === 'ArrowDown' ? (active + 1) % count : (active <= 0 ? count : active) - 1)
    }
    if (list.hidden) return
    const chosen = list.children[active]?.textContent
    const wanted = key === 'Escape' || (key === 'Enter' && chosen)
    if (!wanted) return
    // It chooses a name or closes the list: it does not send the form, nor close what is around it.
    event.preventDefault()
    event.stopPropagation()
    if (key === 'Enter' && chosen) choose(chosen)
    else hide()
  }

  input.addEventListener('input', () => show(true))
  input.addEventListener('click', () => list.hidden && show(false))
  input.addEventListener('keydown', onKey)
  input.addEventListener('blur', hide)
  // A press on the list must not take the keyboard from the field, which would close it.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  open.addEventListener('pointerdown', (event) => event.preventDefault())
  return {
    element: el('div', { class: 'combobox' }, input, open, list),
    offer: (next) => {
      names = next
      open.hidden = names.length === 0
      if (!list.hidden) show(true)
    },
  }
}
