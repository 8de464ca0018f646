/** The room of one persona: her name and how she is, the talk, and the place to write. */

import { createAbout } from '../settings/about.ts'
import type { Failure } from '../shared/answer.ts'
import * as api from '../shared/api.ts'
import { button, el, icon, link } from '../shared/dom.ts'
import { condition, face, named } from '../shared/face.ts'
import type { House, Screen } from '../shared/screen.ts'
import { conditionOf, type Persona, type Said } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'
import { createClips } from './clips.ts'
import { createComposer } from './composer.ts'
import { createTalk } from './conversation.ts'
import { createDropArea } from './drop.ts'
import { createLog } from './log.ts'
import type { Letter } from './outbox.ts'
import { createViewer } from './viewer.ts'

export const createTalkRoom = (persona: Persona, house: House): Screen => {
  const { register, tell } = house
  const { id } = persona
  let now = persona

  const head = el('header', { class: 'room-head talk-head' })
  const title = el('h1', { tabindex: '-1' })
  const about = createAbout(persona, house)
  const more = button('', 'round', about.open)
  more.append(icon('more'))
  const state = el('div', { class: 'talk-state' })
  const notice = el('div', { class: 'notices' })
  const rouse = createRouse(id, tell)

  const viewer = createViewer()
  const clips = createClips(() => isInFront() && !composer.recording())

  const log = createLog(
    persona.name,
    { clips, open: viewer.open },
    {
      onEarlier: () => void talk.earlier(),
      onAgain: ({ key }) => talk.outbox.again(key),
      onTakeBack: ({ key, content }) => {
        talk.outbox.drop(key)
        composer.give(content)
      },
    },
  )

  const composer = createComposer(id, house.trays, {
    onSend: (words, files) => {
      log.toEnd()
      if (files.length === 0) talk.outbox.write(words)
      // The words come with the last: when she reads them, all they speak of is there.
      for (const [at, file] of files.entries())
        talk.outbox.write(at === files.length - 1 ? words : '', { file, way: 'attach' })
    },
    onClip: (file) => {
      log.toEnd()
      talk.outbox.write('', { file, way: 'hear' })
    },
    onStop: () => void talk.hush(),
    onRecording: clips.hush,
    onTrouble: tell,
  })
  const drop = createDropArea({ onFiles: composer.add, onTrouble: tell })

  let speaking = false
  const letters = () => log.letters(talk.outbox.letters(), why)
  const why = ({ state }: Letter) => {
    if (state !== 'waiting') return text.talk.sending
    if (!now.running) return text.talk.waitsForHer(now.name)
    return talk.open() ? text.talk.waitsItsTurn : text.talk.waitsForLine
  }

  const talk = createTalk(id, house, {
    onLoaded: (failure) => {
      log.element.hidden = failure !== null
      state.replaceChildren(...(failure ? failed(failure, load) : []))
      if (!failure) letters()
    },
    onSaid: (said, live) => {
      log.place(said, live)
      for (const one of live ? said : []) if (one.media && isFreshClip(one)) clips.announce(one.media.url)
    },
    onMore: (which, failure) => log.more(which, failure?.words ?? ''),
    onSpeech: (drafts, busy) => {
      speaking = busy
      log.speech(drafts, busy)
      composer.busy(busy)
    },
    onLetters: letters,
    onProgress: log.progress,
    onGone: () => register.drop(id),
  })

  const load = () => {
    log.element.hidden = true
    state.replaceChildren(el('p', { class: 'quiet late' }, text.loading))
    void talk.load()
  }

  const draw = () => {
    now = register.find(id) ?? now
    title.replaceChildren(named(now))
    head.replaceChildren(
      link('/', { class: 'round narrow-only', 'aria-label': text.back }, icon('back')),
      face(now),
      el('div', { class: 'who' }, title, condition(now)),
      more,
    )
    more.ariaLabel = text.about.open(now.name)
    log.rename(now.name)
    composer.rename(now.name)
    about.draw(now)
    rouse.draw(now)
    letters()
    talk.presence()
  }

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || document.querySelector('dialog[open]')) return
    if (!composer.cancel()) {
      if (!speaking) return
      void talk.hush()
    }
    event.preventDefault()
  }

  const unwatch = register.watch(draw)
  addEventListener('keydown', onKey)
  notice.append(rouse.element)
  draw()
  load()

  return {
    element: el(
      'section',
      { class: 'room talk' },
      head,
      state,
      log.element,
      el('footer', { class: 'foot' }, notice, composer.element),
      drop.element,
      about.element,
      viewer.element,
    ),
    focus: () =>
      matchMedia('(pointer: fine)').matches ? composer.focus() : title.focus({ preventScroll: true }),
    close: () => {
      unwatch()
      removeEventListener('keydown', onKey)
      composer.cancel()
      drop.close()
      clips.close()
      log.close()
      talk.close()
      if (register.find(id)) return
      house.parcels.delete(id)
      house.trays.delete(id)
    },
  }
}

/** Milliseconds. What was said while the line was down is not played into a room long after. */
const fresh = 120_000

const isFreshClip = ({ role, media, time }: Said): boolean =>
  role === 'assistant' && media?.kind === 'clip' && Date.now() - Date.parse(time) < fresh

/** Looked at, and touched: before that no browser lets anything sound. */
const isInFront = (): boolean =>
  document.visibilityState === 'visible' &&
  document.hasFocus() &&
  navigator.userActivation?.hasBeenActive !== false &&
  document.querySelector('dialog[open]') === null

const failed = ({ words }: Failure, load: () => void): readonly HTMLElement[] => [
  el('p', { class: 'trouble', role: 'alert' }, words),
  button(text.tryAgain, 'soft', load),
]

/** Says why she does not hear, and wakes her. */
const createRouse = (id: string, tell: (words: string) => void) => {
  const words = el('p', {})
  const wake = button('', 'inline', () => void press())
  const element = el('div', { class: 'notice', role: 'status' }, words, wake)
  let now: Exclude<ReturnType<typeof conditionOf>, 'awake' | 'ailing'> = 'stopped'
  let waking = false

  const show = () => {
    wake.textContent = waking ? text.talk.rousing : text.talk.rouse[now]
    wake.ariaDisabled = String(waking)
  }

  const press = async () => {
    if (waking) return
    waking = true
    show()
    // Hibernating and sick are statuses, which a start alone would leave as they are.
    const answer = now === 'stopped' ? await api.act(id, 'start') : await api.update(id, { status: 'active' })
    waking = false
    show()
    if (!answer.ok) tell(answer.failure.words)
  }

  return {
    element,
    draw: (persona: Persona) => {
      const state = conditionOf(persona)
      const hears = state === 'awake' || state === 'ailing'
      element.hidden = hears
      if (hears) return
      now = state
      words.replaceChildren(text.talk.asleep[state](persona.name))
      show()
    },
  }
}
