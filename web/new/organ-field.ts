/**
 * The fields for one organ: who serves it, with which key, which model, and at which address if not the usual
 * one.
 */
import type { OrganBody } from '../shared/api.ts'
import { el } from '../shared/dom.ts'
import type { Provider, Slot } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { createCombobox } from './combobox.ts'
import { createModelSearch } from './model-search.ts'
import { offered } from './providers.ts'

export interface OrganField {
  readonly element: HTMLElement
  /** Null where no organ was chosen. */
  readonly read: () => OrganBody | null
  /**
   * What keeps it from being asked for, in words, with the keyboard where it is missing; empty when nothing
   * does.
   */
  readonly missing: () => string
  readonly complain: (field: 'model' | 'api_key' | 'url' | null) => void
  /** A key is shown to nobody again, and goes once it was sent. */
  readonly dropKey: () => void
}

export interface OrganFieldOptions {
  readonly slot: Slot
  /** What she has now, or is suggested; without it a choice to have none stands first. */
  readonly from?: { readonly provider: Provider; readonly model: string; readonly url?: string }
  readonly required?: boolean
  /** A key given elsewhere in the form that serves here too. */
  readonly borrow?: (provider: Provider) => string
}

let fields = 0

export const createOrganField = ({
  slot,
  from,
  required = false,
  borrow = () => '',
}: OrganFieldOptions): OrganField => {
  fields += 1
  const id = (name: string) => `organ-${fields}-${name}`
  const providers = [
    ...(required ? [] : [['', text.organ.none] as const]),
    ...offered[slot].map((one) => [one, text.organ.provider[one]] as const),
  ]
  const provider = el(
    'select',
    { id: id('provider') },
    ...providers.map(([value, words]) => el('option', { value }, words)),
  )
  const key = el('input', {
    id: id('key'),
    type: 'password',
    autocomplete: 'new-password',
    spellcheck: 'false',
    'aria-describedby': id('key-hint'),
  })
  const model = el('input', {
    id: id('model'),
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
    'aria-describedby': id('hint'),
  })
  const url = el('input', {
    id: id('url'),
    type: 'url',
    inputmode: 'url',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': id('url-hint'),
  })
  const box = createCombobox(model, text.organ.offered)
  const search = createModelSearch(id('hint'), slot, box.offer, () => asked())

  const keyHint = el('p', { id: id('key-hint'), class: 'hint' })
  const urlHint = el('p', { id: id('url-hint'), class: 'hint' })
  const keyRow = row(key, text.organ.key, key, keyHint)
  const voice =
    slot === 'mouth'
      ? [el('p', { class: 'hint' }, text.organ.voiceHint, el('code', {}, text.organ.voiceExample))]
      : []
  const modelRow = row(model, text.organ.model, box.element, search.element, ...voice)
  const elsewhere = el(
    'details',
    { class: 'fold' },
    el('summary', {}, text.organ.elsewhere),
    row(url, text.organ.url, url, urlHint),
  )
  const element = el(
    'div',
    { class: 'organ' },
    row(provider, text.organ.where[slot === 'thinking' ? 'thinking' : 'other'], provider),
    keyRow,
    modelRow,
    elsewhere,
  )

  /** Not spoken to, but served beside what is: on this machine seldom by Ollama. */
  const beside = slot === 'ear' || slot === 'mouth' || slot === 'imagination'

  const chosen = () => provider.value as Provider | ''

  /** Where it was left as it is, a kept key stays. */
  const isSame = () =>
    from !== undefined && chosen() === from.provider && url.value.trim() === (from.url ?? '')

  /** Only for the usual address: a key goes nowhere it was not given for. */
  const lent = (where: Provider | '') => (where !== '' && url.value.trim() === '' ? borrow(where) : '')

  const asked = () => {
    const where = chosen()
    return { provider: where, url: url.value.trim(), api_key: key.value.trim() || lent(where) }
  }

  const draw = () => {
    const where = chosen()
    keyRow.hidden = where === '' || where === 'local'
    modelRow.hidden = where === ''
    elsewhere.hidden = where === ''
    if (where === '') return
    keyHint.replaceChildren(keyWords(where))
    urlHint.replaceChildren(addressWords(where))
  }

  const keyWords = (where: Provider): string => {
    if (isSame()) return text.organ.keyStays
    return lent(where) ? text.organ.keyBorrowed : text.organ.keyHint
  }

  const addressWords = (where: Provider): string => {
    if (where === 'local') return beside ? text.organ.urlHint.beside : text.organ.urlHint.local
    return where === 'openai' ? text.organ.urlHint.openai : text.organ.urlHint.other
  }

  const look = () => {
    draw()
    if (chosen() !== '') void search.look()
  }

  provider.addEventListener('change', () => {
    // A name and an address of one house are none in another.
    const known = from?.provider === chosen() ? from : undefined
    model.value = known?.model ?? ''
    url.value = known?.url ?? ''
    elsewhere.open = url.value !== '' || (beside && chosen() === 'local')
    key.value = ''
    complain(null)
    look()
  })
  // What is lent elsewhere in the form may have changed since.
  element.addEventListener('focusin', draw)
  key.addEventListener('change', look)
  url.addEventListener('change', look)

  const complain: OrganField['complain'] = (field) => {
    const inputs = { model, api_key: key, url }
    for (const [name, input] of Object.entries(inputs)) input.ariaInvalid = field === name ? 'true' : null
    if (field) reveal(inputs[field])
  }

  provider.value = from?.provider ?? (required ? 'local' : '')
  model.value = from?.model ?? ''
  url.value = from?.url ?? ''
  elsewhere.open = url.value !== ''
  look()

  return {
    element,
    complain,
    read: () => {
      const { provider: where, url: at, api_key } = asked()
      if (where === '') return null
      const said = { model: model.value.trim(), provider: where === 'local' ? '' : where, url: at }
      return api_key ? { ...said, api_key } : said
    },
    missing: () => {
      if (chosen() === '' || model.value.trim() !== '') return ''
      complain('model')
      return slot === 'thinking' ? text.fresh.mindMissing : text.organ.modelMissing(text.organ.name[slot])
    },
    dropKey: () => {
      key.value = ''
    },
  }
}

/** With the keyboard in it, whatever is folded around it. */
const reveal = (input: HTMLElement) => {
  for (let fold = input.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true
  input.focus()
}

const row = (input: HTMLElement, words: string, ...children: readonly HTMLElement[]): HTMLElement =>
  el('div', { class: 'field' }, el('label', { for: input.id }, words), ...children)
