/** The places and actions that the palette offers without a search. */
import { inRoom, type Place, rooms } from '../shared/address.ts'
import type { IconName } from '../shared/icons.ts'
import type { Persona } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

export interface Offer {
  readonly key: string
  readonly icon: IconName
  readonly label: string
  readonly action: { readonly go: Place } | { readonly act: 'start' | 'stop'; readonly persona: Persona }
}

export interface Offers {
  readonly goTo: readonly Offer[]
  readonly actions: readonly Offer[]
}

/** Max number of offered places. */
const maxPlaces = 8

export const offersFor = (
  input: string,
  personas: readonly Persona[],
  current: Persona | undefined,
): Offers => {
  const ownRooms = current ? toRoomOffers(current) : []
  const otherPersonas = personas.filter((persona) => persona !== current)
  const inputWords = splitWords(input)
  if (inputWords.length === 0)
    return { goTo: [...ownRooms, ...otherPersonas.map(toTalkOffer)], actions: actionsFor(current) }
  const matches = ({ label }: Offer) => {
    const words = splitWords(label)
    return inputWords.every((part) => words.some((word) => word.startsWith(part)))
  }
  const all = [
    ...ownRooms,
    ...otherPersonas.map(toTalkOffer),
    ...otherPersonas.flatMap((persona) => toRoomOffers(persona).slice(1)),
  ]
  return { goTo: all.filter(matches).slice(0, maxPlaces), actions: actionsFor(current).filter(matches) }
}

const toTalkOffer = (persona: Persona): Offer => ({
  key: `talk ${persona.id}`,
  icon: 'talk',
  label: text.palette.room(text.rooms.name.talk, persona.name),
  action: { go: inRoom('talk', persona.id) },
})

const toRoomOffers = (persona: Persona): readonly Offer[] =>
  rooms.map((room) => ({
    key: `${room} ${persona.id}`,
    icon: room,
    label: text.palette.room(text.rooms.name[room], persona.name),
    action: { go: inRoom(room, persona.id) },
  }))

const actionsFor = (current: Persona | undefined): readonly Offer[] => [
  ...(current ? [offRecord(current), startOrStop(current)] : []),
  { key: 'new', icon: 'plus', label: text.palette.wakeNew, action: { go: { room: 'new' } } },
  {
    key: 'preferences',
    icon: 'settings',
    label: text.preferences.title,
    action: { go: { room: 'preferences' } },
  },
  { key: 'restore', icon: 'undo', label: text.palette.bringBack, action: { go: { room: 'restore' } } },
]

const offRecord = (persona: Persona): Offer => ({
  key: 'off record',
  icon: 'offRecord',
  label: text.palette.offRecord(persona.name),
  action: { go: inRoom('talk', persona.id, { offRecord: true }) },
})

const startOrStop = (persona: Persona): Offer => {
  const act = persona.running ? 'stop' : 'start'
  const icon = persona.running ? 'stop' : 'play'
  return { key: act, icon, label: text.palette[act](persona.name), action: { act, persona } }
}

/** Splits a text into words without case and accents. */
export const splitWords = (words: string): readonly string[] =>
  words
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
