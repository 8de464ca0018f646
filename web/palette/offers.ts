/** The places and actions that the palette offers without a search. */
import { inRoom, type Place, type Room, rooms } from '../shared/address.ts'
import type { IconName } from '../shared/icons.ts'
import type { Persona } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

export interface Offer {
  readonly key: string
  readonly icon: IconName
  readonly label: string
  readonly deed: { readonly go: Place } | { readonly act: 'start' | 'stop'; readonly persona: Persona }
}

export interface Offers {
  readonly goTo: readonly Offer[]
  readonly actions: readonly Offer[]
}

/** Max number of offered places. */
const most = 8

export const offersFor = (
  typed: string,
  personas: readonly Persona[],
  chosen: Persona | undefined,
  isDrawn: (room: Room) => boolean,
): Offers => {
  const drawn = rooms.filter(isDrawn)
  const own = chosen ? roomsOf(chosen, drawn) : []
  const others = personas.filter((persona) => persona !== chosen)
  const wanted = wordsOf(typed)
  if (wanted.length === 0) return { goTo: [...own, ...others.map(talkOf)], actions: actionsFor(chosen) }
  const fits = ({ label }: Offer) => {
    const words = wordsOf(label)
    return wanted.every((part) => words.some((word) => word.startsWith(part)))
  }
  const all = [
    ...own,
    ...others.map(talkOf),
    ...others.flatMap((persona) => roomsOf(persona, drawn).slice(1)),
  ]
  return { goTo: all.filter(fits).slice(0, most), actions: actionsFor(chosen).filter(fits) }
}

const talkOf = (persona: Persona): Offer => ({
  key: `talk ${persona.id}`,
  icon: 'talk',
  label: text.palette.room(text.rooms.name.talk, persona.name),
  deed: { go: inRoom('talk', persona.id) },
})

const roomsOf = (persona: Persona, drawn: readonly Room[]): readonly Offer[] =>
  drawn.map((room) => ({
    key: `${room} ${persona.id}`,
    icon: room,
    label: text.palette.room(text.rooms.name[room], persona.name),
    deed: { go: inRoom(room, persona.id) },
  }))

const actionsFor = (chosen: Persona | undefined): readonly Offer[] => [
  ...(chosen ? [offRecord(chosen), startOrStop(chosen)] : []),
  { key: 'new', icon: 'plus', label: text.palette.wakeNew, deed: { go: { room: 'new' } } },
  { key: 'restore', icon: 'undo', label: text.palette.bringBack, deed: { go: { room: 'restore' } } },
]

const offRecord = (persona: Persona): Offer => ({
  key: 'off record',
  icon: 'offRecord',
  label: text.palette.offRecord(persona.name),
  deed: { go: inRoom('talk', persona.id, { offRecord: true }) },
})

const startOrStop = (persona: Persona): Offer => {
  const act = persona.running ? 'stop' : 'start'
  const icon = persona.running ? 'stop' : 'play'
  return { key: act, icon, label: text.palette[act](persona.name), deed: { act, persona } }
}

/** Splits a text into words without case and accents. */
export const wordsOf = (words: string): readonly string[] =>
  words
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
