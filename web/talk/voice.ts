/**
 * The bar that stands where one writes while a clip is recorded: how long, how loud, away with it, or send.
 */
import { button, el, icon } from '../shared/dom.ts'
import { lengthName } from '../shared/moments.ts'
import { text } from '../strings/strings.ts'
import { canRecord, type MicTrouble, type Recording, record } from './recorder.ts'

export interface Voice {
  /** Absent where this browser has no way to record. */
  readonly start: HTMLButtonElement | null
  readonly bar: HTMLElement
  readonly recording: () => boolean
  /** False when nothing was being recorded. */
  readonly cancel: () => boolean
}

export interface VoiceEvents {
  readonly onClip: (clip: File) => void
  /** It began or ended. */
  readonly onChange: () => void
  readonly onTrouble: (words: string) => void
}

/** Milliseconds between two looks at the microphone. */
const pace = 80
/** Looks between two changes of the picture, where the person wants stillness. */
const stillPace = 6
/** After this many milliseconds without a sound it is worth a word. */
const deaf = 3_000
/** Pixels from one stroke to the next. */
const apart = 6

export const createVoice = ({ onClip, onChange, onTrouble }: VoiceEvents): Voice => {
  const wave = createWave()
  const time = el('span', { class: 'length', role: 'timer' })
  const hint = el('span', { class: 'hint', role: 'status' })
  const away = button('', 'round', () => void cancel())
  const send = button('', 'round send', () => void finish())
  label(away, text.voice.cancel, 'close')
  label(send, text.voice.send, 'send')
  const bar = el(
    'div',
    { class: 'voice', role: 'group', 'aria-label': text.voice.recording },
    away,
    el('i', { class: 'pulse' }),
    time,
    wave.element,
    hint,
    send,
  )
  const start = canRecord() ? button('', 'round mic', () => void begin()) : null
  if (start) label(start, text.voice.start, 'mic')
  bar.hidden = true
  /** `asking`: the browser asks the person for the microphone. */
  let now: Recording | 'asking' | null = null
  let timer: ReturnType<typeof setInterval> | undefined

  const become = (next: typeof now) => {
    now = next
    bar.hidden = next === null || next === 'asking'
    if (start) start.ariaDisabled = String(next === 'asking')
    onChange()
  }

  const begin = async () => {
    if (now !== null) return
    become('asking')
    const made = await record().catch((): MicTrouble => 'busy')
    const wanted = now === 'asking'
    if (typeof made === 'string') {
      if (wanted) become(null)
      return onTrouble(text.voice.trouble[made])
    }
    if (!wanted) return made.cancel()
    become(made)
    watch(made)
    send.focus()
  }

  const watch = (recording: Recording) => {
    const since = performance.now()
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    let loudest = 0
    let looks = 0
    wave.clear()
    const look = () => {
      const elapsed = performance.now() - since
      const level = recording.level()
      loudest = Math.max(loudest, level)
      time.textContent = lengthName(Math.floor(elapsed / 1000))
      if (!still || looks % stillPace === 0) wave.draw(level, still)
      looks += 1
      const words = elapsed > deaf && loudest === 0 ? text.voice.silent : ''
      if (hint.textContent !== words) hint.textContent = words
    }
    look()
    timer = setInterval(look, pace)
  }

  /** What was recorded, and nothing is any more. */
  const stopped = (): Recording | null => {
    clearInterval(timer)
    const recording = now === 'asking' ? null : now
    become(null)
    return recording
  }

  const finish = async () => {
    const clip = await stopped()?.stop()
    if (clip) onClip(clip)
    else onTrouble(text.voice.nothing)
  }

  const cancel = (): boolean => {
    if (now === null) return false
    stopped()?.cancel()
    return true
  }

  return { start, bar, cancel, recording: () => now !== null }
}

const label = (element: HTMLButtonElement, words: string, sign: 'close' | 'send' | 'mic') => {
  element.title = words
  element.ariaLabel = words
  element.append(icon(sign))
}

/** One stroke per look, the newest on the right; for stillness a bar that grows from the left. */
const createWave = () => {
  const space = 'http://www.w3.org/2000/svg'
  const element = document.createElementNS(space, 'svg')
  const path = document.createElementNS(space, 'path')
  for (const [name, value] of Object.entries({
    class: 'wave',
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  }))
    element.setAttribute(name, value)
  element.append(path)
  let levels: readonly number[] = []

  const show = (heights: readonly number[]) => path.setAttribute('d', heights.map(stroke).join(''))

  return {
    element,
    /** As many strokes as there is room for. */
    clear: () => {
      const strokes = Math.max(12, Math.floor(element.clientWidth / apart))
      element.setAttribute('viewBox', `0 0 ${strokes * apart} 32`)
      levels = Array.from({ length: strokes }, () => 0)
      show(levels)
    },
    draw: (level: number, still: boolean) => {
      levels = still
        ? levels.map((_, at) => (at < level * levels.length ? 0.5 : 0))
        : [...levels.slice(1), level]
      show(levels)
    },
  }
}

const stroke = (level: number, at: number) => {
  const half = 1 + level * 13
  return `M${at * apart + apart / 2} ${(16 - half).toFixed(1)}v${(half * 2).toFixed(1)}`
}
