/** Waking someone new: a name and a mind, and whatever else she is to have from the beginning. */
import { inRoom } from '../shared/address.ts'
import type { Failure } from '../shared/answer.ts'
import * as api from '../shared/api.ts'
import { el, icon, link } from '../shared/dom.ts'
import { createFetchBar } from '../shared/fetch-bar.ts'
import { told } from '../shared/prose.ts'
import type { House, Screen } from '../shared/screen.ts'
import { type Slot, slots } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { createOrganField, type OrganField } from './organ-field.ts'
import { practice } from './welcome.ts'

export const createFresh = ({ phrases, register, go, hear }: House): Screen => {
  const name = el('input', {
    id: 'fresh-name',
    name: 'name',
    autocomplete: 'off',
    'aria-describedby': 'fresh-name-hint',
  })
  const mind = createOrganField({
    slot: 'thinking',
    from: { provider: 'local', model: practice },
    required: true,
  })
  const others = createOthers(mind)
  const wake = el('button', { type: 'submit', class: 'main' }, text.fresh.wake)
  const fetching = createFetchBar({ hear })
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
    group('thinking', mind),
    others.element,
    trouble,
    fetching.element,
    el('div', { class: 'buttons' }, wake, link('/', { class: 'soft' }, text.cancel)),
    el('p', { class: 'quiet' }, text.fresh.slow),
  )
  const fields: Readonly<Record<Slot, OrganField>> = { thinking: mind, ...others.fields }

  const complain = (words: string) => {
    name.ariaInvalid = null
    for (const field of Object.values(fields)) field.complain(null)
    trouble.replaceChildren(...told(words))
  }

  const submit = async () => {
    if (wake.ariaDisabled === 'true') return
    complain('')
    const called = name.value.trim()
    if (!called) {
      complain(text.fresh.nameMissing)
      return point(name)
    }
    for (const slot of slots) {
      const words = fields[slot].missing()
      if (words) return trouble.replaceChildren(words)
    }
    waiting(true)
    const answer = await api.create(called, chosen(fields))
    // A failed start is an answer that failed, though she is there: the list knows.
    await register.load()
    waiting(false)
    if (!answer.ok) return refused(answer.failure)
    if (answer.value.phrase) phrases.set(answer.value.id, answer.value.phrase)
    if (element.isConnected) go(inRoom('talk', answer.value.id))
  }

  const refused = ({ words, fields: complaints }: Failure) => {
    complain(words)
    if (complaints.name) return point(name)
    for (const slot of slots) {
      for (const field of ['model', 'api_key', 'url'] as const)
        if (complaints[`${slot}_${field}`]) return fields[slot].complain(field)
    }
  }

  const point = (input: HTMLInputElement) => {
    input.ariaInvalid = 'true'
    input.focus()
  }

  const waiting = (on: boolean) => {
    wake.ariaDisabled = String(on)
    fetching.waiting(on)
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
  return { element, focus: () => name.focus(), close: () => fetching.waiting(false) }
}

/** The six others, folded away: whoever has a name and a mind is someone. */
const createOthers = (mind: OrganField) => {
  // One key serves every organ of the same house.
  const borrow = (provider: string) => {
    const { provider: where, url = '', api_key = '' } = mind.read() ?? {}
    return where === provider && url === '' ? api_key : ''
  }
  const field = (slot: Slot) => createOrganField({ slot, borrow })
  const fields = {
    eye: field('eye'),
    ear: field('ear'),
    mouth: field('mouth'),
    imagination: field('imagination'),
    teacher: field('teacher'),
    researcher: field('researcher'),
  }
  const element = el(
    'details',
    { class: 'fold others' },
    el('summary', {}, text.organ.others),
    el('p', { class: 'hint' }, text.organ.othersHint),
    el(
      'div',
      { class: 'organs' },
      ...Object.entries(fields).map(([slot, one]) => folded(slot as keyof typeof fields, one)),
    ),
  )
  return { element, fields }
}

const group = (slot: Slot, { element }: OrganField): HTMLElement =>
  el(
    'fieldset',
    { class: 'organ-group' },
    el('legend', {}, text.organ.name[slot]),
    el('p', { class: 'hint' }, text.organ.does[slot]),
    element,
  )

const folded = (slot: Slot, field: OrganField): HTMLElement => {
  const now = el('span', { class: 'organ-now quiet' }, text.organ.none)
  const inside = el(
    'div',
    { class: 'organ-form', role: 'group', 'aria-label': text.organ.name[slot] },
    el('p', { class: 'hint' }, text.organ.does[slot]),
    field.element,
  )
  inside.addEventListener('change', () => now.replaceChildren(field.read()?.model || text.organ.none))
  return el(
    'details',
    { class: 'fold organ-fold' },
    el('summary', {}, el('span', {}, text.organ.name[slot]), now),
    inside,
  )
}

const chosen = (fields: Readonly<Record<Slot, OrganField>>): Partial<Record<Slot, api.OrganBody>> =>
  Object.fromEntries(
    slots.flatMap((slot) => {
      const organ = fields[slot].read()
      return organ ? [[slot, organ]] : []
    }),
  )
