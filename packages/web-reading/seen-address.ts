/**
 * Limits the permission "always" for a host. It covers short addresses, and addresses that the user or a page
 * wrote. A model composed any other address and may have encoded information about the user in it.
 */

/** Max UTF-16 units of a path and of one segment that carry little information. */
const maxPath = 100
const maxSegment = 40

/** Returns true if the address may carry information: in a query, in path parameters, or in a long path. */
export const carriesWords = ({ search, pathname }: URL): boolean =>
  search !== '' ||
  /[;=&@]/.test(pathname) ||
  pathname.length > maxPath ||
  pathname.split('/').some((segment) => segment.length > maxSegment)

/** Returns true if the text contains the address, with or without its scheme. */
export const isWrittenIn = (address: URL, text: string): boolean => text.includes(withoutScheme(address))

/** Omits the fragment, which is never sent. */
const withoutScheme = ({ host, pathname, search }: URL): string => `${host}${pathname}${search}`
