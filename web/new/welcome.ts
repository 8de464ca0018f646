/** The first thing anyone sees: nobody lives here yet, and one press wakes someone. */
import { inRoom } from '../shared/address.ts'
import * as api from '../shared/api.ts'
import { button, el, link } from '../shared/dom.ts'
import type { House, Screen } from '../shared/screen.ts'
import { text } from '../strings/strings.ts'

export const practice = 'embedded/practice'

export const createWelcome = ({ phrases, register, go, tell }: House): Screen => {
  const trouble = el('p', { class: 'trouble', role: 'alert' })

  const tryIt = async () => {
    if (start.ariaDisabled === 'true') return
    waiting(true)
    trouble.replaceChildren()
    const answer = await api.create(text.first.name, { thinking: { model: practice, provider: '', url: '' } })
    if (answer.ok && answer.value.phrase) phrases.set(answer.value.id, answer.value.phrase)
    await register.load()
    waiting(false)
    if (!element.isConnected) return
    if (answer.ok) return go(inRoom('talk', answer.value.id))
    trouble.replaceChildren(answer.failure.words)
    // She may be there although she failed to start: then the list is the way on, and the words go with her.
    const people = register.now()
    if (people.phase !== 'here' || people.personas.length === 0) return
    tell(answer.failure.words)
    go({ room: 'list' })
  }

  const waiting = (on: boolean) => {
    start.ariaDisabled = String(on)
    start.textContent = on ? text.first.waking : text.first.tryIt
  }

  const start = button(text.first.tryIt, 'main', () => void tryIt())
  const element = el(
    'section',
    { class: 'room welcome' },
    el('img', { class: 'hearth', src: '/assets/icon.svg', alt: '', width: '96', height: '96' }),
    el('h1', {}, text.first.title),
    el('p', { class: 'lead' }, text.first.body),
    start,
    trouble,
    el('p', { class: 'quiet' }, text.first.what),
    el('p', { class: 'quiet' }, link('/new', {}, text.first.other)),
  )
  return { element, focus: () => start.focus(), close: () => {}, waits: () => start.ariaDisabled === 'true' }
}

/** What stands beside the list while nobody is chosen. */
export const createChoice = (): Screen => {
  const title = el('h1', { tabindex: '-1' }, text.choose.title)
  const element = el(
    'section',
    { class: 'room welcome choice' },
    el('img', { class: 'hearth', src: '/assets/icon.svg', alt: '', width: '72', height: '72' }),
    title,
    el('p', { class: 'lead' }, text.choose.body),
  )
  return { element, focus: () => title.focus({ preventScroll: true }), close: () => {} }
}
