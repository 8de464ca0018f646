/** Tells of words that come while the page is not in front: asked for only once there were some. */

import { inRoom } from '../shared/address.ts'
import { go } from '../shared/here.svelte.ts'
import { keep, kept } from '../shared/keep.ts'
import type { Persona, Said } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

/** Units of words that a notification shows. */
const most = 180

const able = 'Notification' in window
let asks = $state(false)

const isLooking = () => document.visibilityState === 'visible' && document.hasFocus()

export const wordsOf = ({ content, media }: Said): string =>
  content.slice(0, most) || (media ? media.caption || text.talk.notify[media.kind] : '')

export const notices = {
  /** Whether to ask the person now. */
  get asks(): boolean {
    return asks
  },
  tell: (persona: Persona, words: string): void => {
    if (!able || isLooking()) return
    if (Notification.permission === 'default' && kept('notices', 'page') !== 'no') asks = true
    if (Notification.permission !== 'granted') return
    const notice = tryTelling(persona.name, {
      body: words,
      tag: persona.id,
      icon: '/assets/icon-192.png',
    })
    notice?.addEventListener('click', () => {
      window.focus()
      go(inRoom('talk', persona.id))
      notice.close()
    })
  },
  /** Within the press of a button: else no browser asks. */
  answer: async (yes: boolean): Promise<void> => {
    asks = false
    if (yes) await Notification.requestPermission()
    else keep('notices', 'page', 'no')
  },
}

/** Some browsers know notifications and let only a service worker show them. */
const tryTelling = (title: string, options: NotificationOptions): Notification | null => {
  try {
    return new Notification(title, options)
  } catch {
    return null
  }
}
