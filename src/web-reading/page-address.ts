/** The address of a page, as it is asked for: what it may be, and whom it belongs to. */
import { isIP } from 'node:net'
import { PageUnread } from './page-unread.ts'

/** UTF-16 units. */
const longest = 2000

export type IsPublic = (address: string) => boolean

/**
 * `Example.COM.` is `example.com`; a port that is not the usual one belongs to the host. Throws PageUnread.
 */
export const pageAddress = (text: string, base: URL | undefined, isPublic: IsPublic): URL => {
  if (text.length > longest) throw new PageUnread('the address is too long')
  if (!URL.canParse(text, base?.href)) throw new PageUnread('that is no address: one begins with https://')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new PageUnread('only addresses that begin with https:// or http:// can be read')
  if (url.username !== '' || url.password !== '')
    throw new PageUnread('the address holds a name or password, which is never sent')
  url.hostname = url.hostname.replace(/\.$/, '')
  url.hash = ''
  if (!isOpen(url.hostname, isPublic)) throw new PageUnread(notPublic)
  return url
}

export const notPublic =
  'its address is not one of the public internet: machines at home, and this one, are not read'

/** Names are looked up when they are reached, and looked at then. */
const isOpen = (hostname: string, isPublic: IsPublic): boolean => {
  const literal = literalIn(hostname)
  if (literal !== null) return isPublic(literal)
  return hostname !== '' && hostname !== 'localhost' && !hostname.endsWith('.localhost')
}

/** The address that a host name is, where it is one. */
export const literalIn = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 0 ? null : bare
}

/** Whether a text is a host as `URL` writes it. */
export const isHost = (text: string): boolean =>
  URL.canParse(`https://${text}/`) &&
  (new URL(`https://${text}/`).host === text || new URL(`http://${text}/`).host === text) &&
  !text.endsWith('.')
