/**
 * Notifies about messages while the page is in the background. Asks for permission after the first of them.
 */

import { inRoom } from '../shared/address.ts'
import { go } from '../shared/here.svelte.ts'
import { readStorage, writeStorage } from '../shared/local-storage.ts'
import { isLooking } from '../shared/looking.ts'
import type { Message, Persona } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

/** Max UTF-16 units of a notification's text. */
const maxUnits = 180

const isAble = 'Notification' in window
let asks = $state(false)

export const toWords = ({ content, media, notice }: Message): string =>
  `${notice ? '⚠ ' : ''}${content}`.slice(0, maxUnits) ||
  (media ? media.caption || text.talk.notify[media.kind] : '')

export const notices = {
  /** True if the user should be asked now. */
  get asks(): boolean {
    return asks
  },
  /** `record`: the message's sequence number in the journal. */
  tell: (persona: Persona, words: string, record: number): void => {
    if (!isAble || isLooking()) return
    if (Notification.permission === 'default' && readStorage('notices', 'page') !== 'no') asks = true
    if (Notification.permission === 'granted') void show(persona, words, record)
  },
  /** Must be called from a click handler, or the browser does not ask for permission. */
  answer: async (isAllowed: boolean): Promise<void> => {
    asks = false
    if (isAllowed) await Notification.requestPermission()
    else writeStorage('notices', 'page', 'no')
  },
}

/** Uses the service worker with the same tag as a push message, so that the notification appears once. */
const show = async ({ id, name }: Persona, words: string, record: number) => {
  const options = { body: words, tag: `${id} ${record}`, icon: '/assets/icon-192.png' }
  const worker = await navigator.serviceWorker?.getRegistration()
  if (worker?.active) return worker.showNotification(name, { ...options, data: { persona: id, record } })
  const notice = tryShowing(name, options)
  notice?.addEventListener('click', () => {
    window.focus()
    go(inRoom('talk', id))
    notice.close()
  })
}

/** Some browsers only allow notifications of a service worker. */
const tryShowing = (title: string, options: NotificationOptions): Notification | null => {
  try {
    return new Notification(title, options)
  } catch {
    return null
  }
}
