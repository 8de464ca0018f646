/** Parses and checks the address of a page. */
import { findRefusal, type Reach } from '../kit/network/reach.ts'
import { PageUnread } from './page-unread.ts'

/** Max UTF-16 units of an address. */
const maxLength = 2000

/**
 * Parses an address. `Example.COM.` becomes `example.com`; the host includes a non-default port. Throws
 * PageUnread.
 */
export const pageAddress = (text: string, base: URL | undefined, reach: Reach): URL => {
  if (text.length > maxLength) throw new PageUnread('the address is too long')
  if (!URL.canParse(text, base?.href))
    throw new PageUnread('the address is invalid: it must begin with https://')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new PageUnread('only addresses that begin with https:// or http:// can be read')
  if (url.username !== '' || url.password !== '')
    throw new PageUnread('the address contains a name or password, which is never sent')
  url.hostname = url.hostname.replace(/\.$/, '')
  url.hash = ''
  const refusal = findRefusal(url, 'internet', reach)
  if (refusal !== null) throw new PageUnread(refusal)
  return url
}

/** Returns true if the text is a host in the form that `URL` writes. */
export const isHost = (text: string): boolean =>
  URL.canParse(`https://${text}/`) &&
  (new URL(`https://${text}/`).host === text || new URL(`http://${text}/`).host === text) &&
  !text.endsWith('.')
