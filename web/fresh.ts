/** Waking someone new: a name and a mind. */
import * as api from './api.ts'
import { el, icon, link } from './dom.ts'
import { createMindField } from './mind-field.ts'
import type { House, Screen } from './screen.ts'
import { text } from './strings.ts'
import { practice } from './welcome.ts'

export const createFresh = ({ phrases, register, go }: House): Screen => {
  const name = el('input', { id: 'fresh-name', name: 'name', autocomplete: 'off', 'aria-describedby': 'fresh-name-hint' })
  const mind = createMindField(text.fresh.mind, practice)
  const wake = el('button', { type: 'submit', class: 'main' }, text.fresh.wake)
  const trouble = el('p', { class: 'trouble', role: 'alert' })
  const form = el(
    'form',
    { class: 'card', novalidate: true },
    el(
      'div',
      { class: 'field' },
      el('label', { for: 'fresh-name' }, text.fresh.name),
      name,
      el('p', { id: 'fresh-name-hint', class: 'hint' }, text.fresh.nameHint),
    ),
    mind.element,
    trouble,
    el('div', { class: 'buttons' }, wake, link('/', { class: 'soft' }, text.cancel)),
    el('p', { class: 'quiet' }, text.fresh.slow),
  )

  const complain = (words: string, field: HTMLInputElement | null) => {
    trouble.replaceChildren(words)
    for (const input of [name, mind.input]) input.ariaInvalid = input === field ? 'true' : null
    field?.focus()
  }

  const submit = async () => {
    if (wake.ariaDisabled === 'true') return
    const asked = { name: name.value.trim(), model: mind.input.value.trim() }
    if (!asked.name) return complain(text.fresh.nameMissing, name)
    if (!asked.model) return complain(text.fresh.mindMissing, mind.input)
    complain('', null)
    waiting(true)
    const answer = await api.create(asked.name, asked.model)
    // A failed start is an answer that failed, though she is there: the list knows.
    await register.load()
    waiting(false)
    if (!answer.ok) return complain(answer.failure.words, fieldOf(answer.failure))
    if (answer.value.phrase) phrases.set(answer.value.id, answer.value.phrase)
    if (element.isConnected) go({ room: 'talk', id: answer.value.id })
  }

  const fieldOf = ({ fields }: api.Failure) => {
    if (fields.name) return name
    return fields.thinking_model ? mind.input : null
  }

  const waiting = (on: boolean) => {
    wake.ariaDisabled = String(on)
    wake.textContent = on ? text.fresh.waking : text.fresh.wake
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })

  const element = el(
    'section',
    { class: 'room fresh' },
    el(
      'header',
      { class: 'room-head' },
      link('/', { class: 'round narrow-only', 'aria-label': text.back }, icon('back')),
      el('h1', {}, text.fresh.title),
    ),
    form,
  )
  return { element, focus: () => name.focus(), close: () => {} }
}
