/** One clip of sound: play and pause, where it is, how long it is. */
import { el, icon } from '../shared/dom.ts'
import { lengthName } from '../shared/moments.ts'
import { text } from '../strings/strings.ts'

export interface Player {
  readonly element: HTMLElement
  /** Never rejects: where the browser does not let it play, it waits to be pressed. */
  readonly play: () => Promise<void>
  readonly pause: () => void
  /** Reads how long it is. */
  readonly load: () => void
  /** Marks it as new until it is played. */
  readonly unheard: () => void
}

export interface PlayerEvents {
  readonly onPlay: () => void
  readonly onPause: (ended: boolean) => void
  readonly onBroken: () => void
}

/** Seconds, past the end of everything. */
const farAway = 1e7

export const createPlayer = (
  url: string,
  name: string,
  { onPlay, onPause, onBroken }: PlayerEvents,
): Player => {
  const sound = el('audio', { preload: 'none' })
  const toggle = el('button', { type: 'button', class: 'round play' })
  const place = el('input', {
    type: 'range',
    class: 'place',
    min: '0',
    max: '0',
    step: '0.1',
    value: '0',
    'aria-label': text.media.place,
  })
  const time = el('span', { class: 'length' })
  const element = el(
    'div',
    { class: 'clip', role: 'group', 'aria-label': text.media.clip, title: name },
    toggle,
    place,
    time,
    sound,
  )
  /** Clips made by a browser do not tell their length: it is found by going to the end and back. */
  let measuring = false

  const length = () => (Number.isFinite(sound.duration) ? sound.duration : 0)

  const draw = () => {
    const paused = sound.paused
    const label = paused ? text.media.play : text.media.pause
    toggle.title = label
    toggle.ariaLabel = label
    toggle.replaceChildren(icon(paused ? 'play' : 'pause'))
    element.classList.toggle('playing', !paused)
  }

  const move = () => {
    if (measuring) return
    const at = sound.currentTime
    place.max = String(length() || at)
    place.value = String(at)
    place.disabled = length() === 0
    place.setAttribute('aria-valuetext', text.media.at(lengthName(at), lengthName(length())))
    time.textContent = at > 0 || !length() ? lengthName(at) : lengthName(length())
  }

  const load = () => {
    if (!sound.src) sound.src = url
    sound.preload = 'metadata'
  }

  const measure = () => {
    if (sound.duration !== Number.POSITIVE_INFINITY || !sound.paused) return
    measuring = true
    sound.currentTime = farAway
  }

  const measured = () => {
    if (!measuring || !Number.isFinite(sound.duration)) return
    sound.currentTime = 0
    measuring = false
  }

  const play = async () => {
    load()
    if (measuring) sound.currentTime = 0
    measuring = false
    try {
      await sound.play()
    } catch {
      // Forbidden until the person presses it, or cut by a pause; a clip that is broken says so by itself.
    }
  }

  sound.addEventListener('loadedmetadata', measure)
  sound.addEventListener('durationchange', () => {
    measured()
    move()
  })
  sound.addEventListener('timeupdate', move)
  sound.addEventListener('seeked', move)
  sound.addEventListener('error', onBroken)
  sound.addEventListener('play', () => {
    element.classList.remove('unheard')
    draw()
    onPlay()
  })
  sound.addEventListener('pause', () => {
    draw()
    onPause(sound.ended)
  })
  sound.addEventListener('ended', () => {
    sound.currentTime = 0
  })
  toggle.addEventListener('click', () => (sound.paused ? void play() : sound.pause()))
  place.addEventListener('input', () => {
    sound.currentTime = Number(place.value)
  })
  draw()
  move()
  return { element, load, play, pause: () => sound.pause(), unheard: () => element.classList.add('unheard') }
}
