/** The sheet about her: name, mind, waking and stopping, and the way out. */
import type { Answer } from '../shared/answer.ts'
import * as api from '../shared/api.ts'
import { button, el, icon } from '../shared/dom.ts'
import { condition } from '../shared/face.ts'
import { createFetchBar } from '../shared/fetch-bar.ts'
import { forget } from '../shared/keep.ts'
import { dateName } from '../shared/moments.ts'
import { told } from '../shared/prose.ts'
import type { House } from '../shared/screen.ts'
import type { Persona } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { createOrgans } from './organs.ts'

export interface About {
  readonly element: HTMLDialogElement
  readonly open: () => void
  readonly draw: (persona: Persona) => void
}

type Doing = keyof typeof text.about.doing

export const createAbout = (
  persona: Persona,
  { register, hear }: Pick<House, 'register' | 'hear'>,
): About => {
  const { id } = persona
  const body = el('div', { class: 'about' })
  const fetching = createFetchBar({ hear })
  const result = el('p', { class: 'result', role: 'status' })
  const title = el('h2', { id: 'about-title', tabindex: '-1' })
  const close = button('', 'round', () => element.close())
  close.append(icon('close'))
  close.ariaLabel = text.close
  const element = el(
    'dialog',
    { class: 'sheet', 'aria-labelledby': 'about-title' },
    el('header', {}, title, close),
    body,
    fetching.element,
    result,
  )
  let now = persona
  let doing = false
  let shown: { readonly draw: () => void } | null = null

  /** One thing at a time; what went wrong is said in the service's words. */
  const run = async (what: Doing, ask: () => Promise<Answer<true>>): Promise<boolean> => {
    if (doing) return false
    doing = true
    result.className = 'result'
    result.replaceChildren(text.about.doing[what])
    fetching.waiting(what === 'change')
    const answer = await ask()
    fetching.waiting(false)
    doing = false
    if (what === 'delete' && answer.ok) return true
    await register.load()
    result.className = answer.ok ? 'result' : 'result trouble'
    result.replaceChildren(
      ...(answer.ok ? [what === 'delete' ? '' : text.about.done[what]] : told(answer.failure.words)),
    )
    return answer.ok
  }

  const remove = async () => {
    if (!(await run('delete', () => api.act(id, 'delete')))) return
    element.close()
    forget(id)
    register.drop(id)
  }

  const complain = (words: string) => {
    result.className = 'result trouble'
    result.replaceChildren(words)
  }

  const open = () => {
    shown = fill(body, { now: () => now, run, complain, remove: () => void remove() })
    result.replaceChildren()
    element.showModal()
    title.focus()
  }

  return {
    element,
    open,
    draw: (next) => {
      now = next
      title.replaceChildren(text.about.open(next.name))
      shown?.draw()
    },
  }
}

interface Acts {
  readonly now: () => Persona
  readonly run: (what: Doing, ask: () => Promise<Answer<true>>) => Promise<boolean>
  readonly complain: (words: string) => void
  readonly remove: () => void
}

const fill = (body: HTMLElement, acts: Acts) => {
  const { birthday } = acts.now()
  const life = createLife(acts)
  const organs = el('div', { class: 'late' }, text.loading)
  let drawOrgans = () => {}
  body.replaceChildren(
    life.element,
    createNaming(acts),
    organs,
    birthday ? el('p', { class: 'quiet' }, `${text.about.birthday} ${dateName(birthday)}.`) : el('span'),
    createFarewell(acts),
  )
  void api.providers().then((answer) => {
    const { element, draw } = createOrgans(acts, answer.ok ? answer.value : {})
    organs.replaceWith(element)
    drawOrgans = draw
  })
  return {
    draw: () => {
      life.draw()
      drawOrgans()
    },
  }
}

const createLife = ({ now, run }: Acts) => {
  const element = el('div', { class: 'life' })
  const deed = (what: 'start' | 'stop' | 'restart') =>
    button(text.about[what], 'soft', () => void run(what, () => api.act(now().id, what)))
  const deeds = { start: deed('start'), stop: deed('stop'), restart: deed('restart') }
  const how = el('span', { class: 'how' })
  element.append(how, el('div', { class: 'buttons' }, deeds.start, deeds.restart, deeds.stop))
  const draw = () => {
    const { running } = now()
    how.replaceChildren(condition(now()))
    deeds.start.hidden = running
    deeds.stop.hidden = !running
    deeds.restart.hidden = !running
  }
  draw()
  return { element, draw }
}

const createNaming = ({ now, run }: Acts) => {
  const { id, name } = now()
  const input = el('input', { id: 'about-name', name: 'name', autocomplete: 'off' })
  input.value = name
  const rename = () => {
    const wanted = input.value.trim()
    if (wanted && wanted !== now().name) void run('rename', () => api.update(id, { name: wanted }))
  }
  return asForm(
    rename,
    el('div', { class: 'field' }, el('label', { for: 'about-name' }, text.about.name), input),
    el('button', { type: 'submit', class: 'soft' }, text.about.rename),
  )
}

const createFarewell = ({ now, remove }: Acts): HTMLElement => {
  const { name } = now()
  const input = el('input', {
    id: 'about-delete',
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: 'false',
  })
  const last = el('button', { type: 'submit', class: 'danger' }, text.about.deleteNow)
  last.disabled = true
  const agreed = () => input.value.trim() === now().name.trim()
  input.addEventListener('input', () => {
    last.disabled = !agreed()
  })
  const form = asForm(
    () => agreed() && remove(),
    el('p', {}, text.about.deleteWarning(name)),
    el('div', { class: 'field' }, el('label', { for: 'about-delete' }, text.about.deleteAsk(name)), input),
    last,
  )
  form.hidden = true
  const first = button(text.about.delete, 'inline danger-text', () => {
    form.hidden = !form.hidden
    first.ariaExpanded = String(!form.hidden)
    if (!form.hidden) input.focus()
  })
  first.ariaExpanded = 'false'
  return el('div', { class: 'farewell' }, first, form)
}

const asForm = (onSubmit: () => void, ...children: readonly HTMLElement[]): HTMLFormElement => {
  const form = el('form', { class: 'line-form' }, ...children)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    onSubmit()
  })
  return form
}
