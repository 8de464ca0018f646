/**
 * A page could not be read. The message is a clause that follows "cannot be read:" and contains no text of
 * the page.
 */
export class PageUnread extends Error {
  override readonly name = 'PageUnread'
}
