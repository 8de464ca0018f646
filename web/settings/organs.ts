/** Her organs in the sheet about her: what each is now, changed or taken away one at a time. */

import { createOrganField, type OrganFieldOptions } from '../new/organ-field.ts'
import type { Answer } from '../shared/answer.ts'
import * as api from '../shared/api.ts'
import { button, el } from '../shared/dom.ts'
import { type Organ, type Persona, type Slot, slots } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

export interface OrganActs {
  readonly now: () => Persona
  readonly run: (what: 'change' | 'clear', ask: () => Promise<Answer<true>>) => Promise<boolean>
  readonly complain: (words: string) => void
}

export interface Organs {
  readonly element: HTMLElement
  readonly draw: () => void
}

type Usual = Readonly<Record<string, string>>

/** `usual`: the address of each provider where nobody gave another. */
export const createOrgans = (acts: OrganActs, usual: Usual): Organs => {
  const all = slots.map((slot) => createOrgan(slot, acts, usual))
  return {
    element: el('div', { class: 'organs' }, ...all.map(({ element }) => element)),
    draw: () => {
      for (const { draw } of all) draw()
    },
  }
}

const createOrgan = (slot: Slot, { now, run, complain }: OrganActs, usual: Usual): Organs => {
  const line = el('span', { class: 'organ-now' })
  const form = el('form', { class: 'organ-form', novalidate: true })
  const element = el(
    'details',
    { class: 'fold organ-fold' },
    el('summary', {}, el('span', { class: 'organ-name' }, text.organ.name[slot]), line),
    form,
  )
  let drawn: Organ | undefined | null = null

  const change = async (field: ReturnType<typeof createOrganField>) => {
    const words = field.missing()
    if (words) return complain(words)
    const organ = field.read()
    if (organ && (await run('change', () => api.update(now().id, { [slot]: organ })))) field.dropKey()
  }

  /** Made when it is opened, and anew when she has another: what is being typed stays otherwise. */
  const fill = () => {
    const organ = now().organs[slot]
    const field = createOrganField({
      slot,
      required: organ !== undefined,
      ...(organ ? { from: fromOf(organ, usual) } : {}),
    })
    const clear = button(
      text.organ.takeAway,
      'inline danger-text',
      () => void run('clear', () => api.update(now().id, { [`clear_${slot}`]: true })),
    )
    form.onsubmit = (event) => {
      event.preventDefault()
      void change(field)
    }
    form.replaceChildren(
      el('p', { class: 'hint' }, text.organ.does[slot]),
      field.element,
      el(
        'div',
        { class: 'buttons' },
        el('button', { type: 'submit', class: 'soft' }, organ ? text.about.change : text.organ.give),
        slot !== 'thinking' && organ ? clear : null,
      ),
    )
  }

  const draw = () => {
    const organ = now().organs[slot]
    if (drawn !== null && isSame(drawn, organ)) return
    drawn = organ
    line.replaceChildren(organ ? organ.model : text.organ.none)
    line.classList.toggle('quiet', !organ)
    if (element.open) fill()
    else form.replaceChildren()
  }

  element.addEventListener('toggle', () => {
    if (element.open && !form.hasChildNodes()) fill()
  })
  draw()
  return { element, draw }
}

/** The address is only told where it is not the provider's own. */
const fromOf = ({ provider, model, url }: Organ, usual: Usual): NonNullable<OrganFieldOptions['from']> => ({
  provider,
  model,
  url: url === usual[provider] || url.startsWith('embedded:') ? '' : url,
})

const isSame = (one: Organ | undefined, other: Organ | undefined) =>
  one?.model === other?.model && one?.provider === other?.provider && one?.url === other?.url
