/**
 * What "always" covers of a host: addresses that say little, and those that the user or a page wrote. Any
 * other address was put together by a model, which may have put what it knows of the user into it.
 */

/** UTF-16 units of a path, and of one part of it, that say little. */
const [mostOfPath, mostOfSegment] = [100, 40]

/** Whether an address may carry words: in a query, in parameters of its path, or in a long path. */
export const carriesWords = ({ search, pathname }: URL): boolean =>
  search !== '' ||
  /[;=&@]/.test(pathname) ||
  pathname.length > mostOfPath ||
  pathname.split('/').some((segment) => segment.length > mostOfSegment)

/** Whether an address is written in a text, with or without its scheme. */
export const isWrittenIn = (address: URL, text: string): boolean => text.includes(withoutScheme(address))

/** The fragment is never sent, and a slash at the end is often left out where nothing follows. */
const withoutScheme = ({ host, pathname, search }: URL): string => `${host}${pathname}${search}`
