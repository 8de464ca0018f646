/** The address is the state of the page: what is open, and nothing else, stands in it. */

export type Place =
  | { readonly room: 'list' }
  | { readonly room: 'new' }
  | { readonly room: 'talk'; readonly id: string }

export const placeOf = (pathname: string): Place => {
  if (pathname === '/new') return { room: 'new' }
  const encoded = /^\/persona\/([^/]+)(?:\/talk)?\/?$/.exec(pathname)?.[1]
  const id = encoded === undefined ? null : decoded(encoded)
  return id === null ? { room: 'list' } : { room: 'talk', id }
}

export const pathOf = (place: Place): string => {
  if (place.room === 'talk') return `/persona/${encodeURIComponent(place.id)}/talk`
  return place.room === 'new' ? '/new' : '/'
}

const decoded = (part: string): string | null => {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
