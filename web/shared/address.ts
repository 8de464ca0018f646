/** The address of the page. It is the only state that decides which view is open. */

/** The rooms of a persona, in display order. */
export const rooms = [
  'talk',
  'memory',
  'calendar',
  'life',
  'instructions',
  'tools',
  'skills',
  'health',
  'settings',
] as const
export type Room = (typeof rooms)[number]

export interface InRoom {
  readonly room: Room
  readonly id: string
  /** A sequence number or an instant: the moment to show. Null means now. */
  readonly at: string | null
  /** The sequence number of a journal record to show: a message, or the source of a statement. */
  readonly record: number | null
  /** True for the off-record talk. Its address contains no text of it. */
  readonly offRecord: boolean
}

export type Place =
  | { readonly room: 'list' }
  | { readonly room: 'new' }
  | { readonly room: 'restore' }
  /** The settings that belong to no persona. */
  | { readonly room: 'preferences' }
  | InRoom

export const inRoom = (
  room: Room,
  id: string,
  options: Partial<Pick<InRoom, 'at' | 'record' | 'offRecord'>> = {},
): InRoom => ({
  room,
  id,
  at: null,
  record: null,
  offRecord: false,
  ...options,
})

export const isInRoom = (place: Place): place is InRoom => 'id' in place

/** The parts of a `Location` that name a place. */
interface PagePath {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

const isRoom = (name: string): name is Room => (rooms as readonly string[]).includes(name)

/** Maps former sections of a persona's settings to their new places, for old links. */
const movedSections: Readonly<Record<string, 'tools' | 'skills' | 'preferences'>> = {
  '#tools': 'tools',
  '#skills': 'skills',
  '#models': 'preferences',
  '#appearance': 'preferences',
}

export const parsePlace = ({ pathname, search, hash }: PagePath): Place => {
  if (pathname === '/new') return { room: 'new' }
  if (pathname === '/restore') return { room: 'restore' }
  if (pathname === '/settings') return { room: 'preferences' }
  const [, encoded, name = 'talk'] = /^\/persona\/([^/]+)(?:\/([a-z]+))?\/?$/.exec(pathname) ?? []
  const id = encoded === undefined ? null : decodePart(encoded)
  if (id === null || !isRoom(name)) return { room: 'list' }
  const movedTo = name === 'settings' ? movedSections[hash] : undefined
  if (movedTo === 'preferences') return { room: movedTo }
  if (movedTo) return inRoom(movedTo, id)
  const params = new URLSearchParams(search)
  const record = Number(params.get('record') ?? '')
  return {
    room: name,
    id,
    at: params.get('at'),
    record: Number.isSafeInteger(record) && record > 0 ? record : null,
    offRecord: name === 'talk' && params.get('kept') === 'no',
  }
}

const otherPaths = { list: '/', new: '/new', restore: '/restore', preferences: '/settings' } as const

/** Returns the path and query of a place. */
export const toPath = (place: Place): string => {
  if (!isInRoom(place)) return otherPaths[place.room]
  const { room, id, at, record, offRecord } = place
  const params = new URLSearchParams()
  if (at !== null) params.set('at', at)
  if (record !== null) params.set('record', String(record))
  if (offRecord) params.set('kept', 'no')
  return `/persona/${encodeURIComponent(id)}/${room}${params.size > 0 ? `?${params}` : ''}`
}

const decodePart = (part: string): string | null => {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
