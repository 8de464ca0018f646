/** Why a page is not read: a clause to go on after "cannot be read:", without a word of the page. */
export class PageUnread extends Error {
  override readonly name = 'PageUnread'
}
