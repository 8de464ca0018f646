/** The page: one list, one room beside it, and the address that says which. */
import { type Place, pathOf, placeOf } from './address.ts'
import { el } from './dom.ts'
import { createFresh } from './fresh.ts'
import { createLineBar } from './line-bar.ts'
import { createList } from './list.ts'
import { createRegister } from './people.ts'
import type { House, Screen } from './screen.ts'
import type { Frame, Persona } from './shapes.ts'
import { openLine } from './socket.ts'
import { text } from './strings.ts'
import { createTalkRoom } from './talk.ts'
import { createChoice, createWelcome } from './welcome.ts'

const register = createRegister()
const lines = createLineBar()
const list = createList({ register })
const room = el('main', { id: 'room' })
const frame = el('div', { class: 'frame' }, list.element, room)
const told = el('div', { class: 'told', role: 'status' })

const listeners = new Set<(frame: Frame) => void>()
let screen: Screen | null = null
/**
 * Which room stands there: drawn again only when this changes, so that a change in the list disturbs no talk.
 */
let shown = ''
/** Who was in the room last. */
let guest: Persona | undefined
let moved = false
let quiet: ReturnType<typeof setTimeout> | undefined

const house: House = {
  register,
  lines,
  hear: (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  phrases: new Map(),
  trays: new Map(),
  parcels: new Map(),
  go: (place) => {
    const path = pathOf(place)
    if (path !== location.pathname) history.pushState(null, '', path)
    moved = true
    show()
  },
  tell: (words) => {
    clearTimeout(quiet)
    told.replaceChildren(el('p', {}, words))
    quiet = setTimeout(() => told.replaceChildren(), 8_000)
  },
}

const show = () => {
  const place = settled(placeOf(location.pathname))
  const next = nameOf(place)
  list.choose(place.room === 'talk' ? place.id : null)
  document.title = titleOf(place)
  // Where nobody lives there is no list to choose from.
  frame.toggleAttribute('data-alone', isEmpty() || screen?.waits?.() === true)
  guest = place.room === 'talk' ? register.find(place.id) : undefined
  // She who is being woken is in the list before the answer is: the room that asked stays until it knows.
  if (next === shown || (shown === 'first' && next === 'list' && screen?.waits?.())) return
  shown = next
  screen?.close()
  frame.dataset.room = next.split(' ')[0] ?? ''
  screen = enter(place, next)
  room.replaceChildren(...(screen ? [screen.element] : []))
  // The first screen of a visit takes the keyboard too, a room that merely loaded behind the list does not.
  if (screen && (moved || place.room !== 'list' || next === 'first')) screen.focus()
}

/** An address that names nobody falls to the list, once it is known who is there. */
const settled = (place: Place): Place => {
  const known = register.now().phase === 'here'
  const nobody = place.room === 'talk' && known && !register.find(place.id)
  if (nobody) house.tell(guest && shown === nameOf(place) ? text.gone(guest.name) : text.nobodyThere)
  const right: Place = nobody ? { room: 'list' } : place
  const path = pathOf(right)
  if (path !== location.pathname) history.replaceState(null, '', path)
  return right
}

const isEmpty = (): boolean => {
  const people = register.now()
  return people.phase === 'here' && people.personas.length === 0
}

const nameOf = (place: Place): string => {
  if (place.room === 'new') return 'new'
  if (register.now().phase !== 'here') return 'unknown'
  if (place.room === 'list') return isEmpty() ? 'first' : 'list'
  return `talk ${place.id}`
}

const enter = (place: Place, name: string): Screen | null => {
  if (name === 'first') return createWelcome(house)
  if (name === 'new') return createFresh(house)
  if (name === 'list') return createChoice()
  const persona = place.room === 'talk' ? register.find(place.id) : undefined
  return persona ? createTalkRoom(persona, house) : null
}

const titleOf = (place: Place): string => {
  if (place.room === 'new') return `${text.fresh.title} · ${text.product}`
  const persona = place.room === 'talk' ? register.find(place.id) : undefined
  return persona ? `${persona.name} · ${text.product}` : text.product
}

/** A plain press on a link of the page changes the room; one that asks for a new tab stays the browser's. */
const onPress = (event: MouseEvent) => {
  const anchor =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-inside]') : null
  if (!anchor || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return
  event.preventDefault()
  house.go(placeOf(anchor.pathname))
}

const skip = el('a', { class: 'skip', href: '#room' }, text.skip)
skip.addEventListener('click', (event) => {
  event.preventDefault()
  screen?.focus()
})

document.body.append(skip, lines.element, frame, told)
document.addEventListener('click', onPress)
addEventListener('popstate', () => {
  moved = true
  show()
})
addEventListener('beforeunload', (event) => {
  // Words are kept by the browser, files are not.
  if (house.parcels.size > 0) event.preventDefault()
})
register.watch(show)
show()
void register.load()
openLine({
  path: () => '/ws/system',
  onFrame: (frame) => {
    register.take(frame)
    for (const listener of [...listeners]) listener(frame)
  },
  onState: (open) => {
    lines.report('system', open)
    // Whatever changed while nobody listened is in the list.
    if (open) void register.load()
  },
})
