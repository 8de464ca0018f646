/** The field for a model's name: free text, with what the runtime on this machine offers, or two ways on when there is none. */
import * as api from './api.ts'
import { button, el } from './dom.ts'
import { text } from './strings.ts'
import { practice } from './welcome.ts'

export interface MindField {
  readonly element: HTMLElement
  readonly input: HTMLInputElement
}

let fields = 0

export const createMindField = (label: string, value: string): MindField => {
  fields += 1
  const names = { input: `mind-${fields}`, list: `minds-${fields}`, hint: `mind-hint-${fields}` }
  const options = el('datalist', { id: names.list })
  const hint = el('div', { id: names.hint, class: 'hint' }, text.fresh.looking)
  const input = el('input', {
    id: names.input,
    list: names.list,
    name: 'thinking_model',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-describedby': names.hint,
  })
  input.value = value

  const look = async () => {
    hint.replaceChildren(text.fresh.looking)
    const answer = await api.models()
    const found = answer.ok ? answer.value : []
    options.replaceChildren(...[...new Set([...found, practice])].map((name) => el('option', { value: name })))
    hint.replaceChildren(...hintOf(answer.ok, found.length, () => void look()))
  }

  void look()
  return { input, element: el('div', { class: 'field' }, el('label', { for: names.input }, label), input, options, hint) }
}

const hintOf = (answers: boolean, count: number, again: () => void): readonly (Node | string)[] => {
  if (count > 0) return [text.fresh.found(count)]
  const retry = button(text.fresh.lookAgain, 'inline', again)
  const command = el('code', {}, text.fresh.runtimeCommand)
  if (answers) return [text.fresh.noneFound, command, '. ', retry]
  const [begin, stand, already] = text.fresh.practice
  const [install, runtime, then] = text.fresh.runtime
  const site = el('a', { href: text.fresh.runtimeAddress, target: '_blank', rel: 'noopener noreferrer' }, runtime ?? '')
  return [
    el('p', {}, text.fresh.none),
    el(
      'ol',
      {},
      el('li', {}, begin ?? '', el('code', {}, stand ?? ''), already ?? ''),
      el('li', {}, install ?? '', site, then ?? '', command, '. ', retry),
    ),
  ]
}
