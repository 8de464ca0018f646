/** Tells of words that come while the page is not in front: asked for only once there were some. */

import { inRoom } from '../shared/address.ts'
import { go } from '../shared/here.svelte.ts'
import { keep, kept } from '../shared/keep.ts'
import { isLooking } from '../shared/looking.ts'
import type { Persona, Said } from '../shared/shapes.ts'
import { text } from '../strings/strings.ts'

/** Units of words that a notification shows. */
const most = 180

const able = 'Notification' in window
let asks = $state(false)

export const wordsOf = ({ content, media }: Said): string =>
  content.slice(0, most) || (media ? media.caption || text.talk.notify[media.kind] : '')

export const notices = {
  /** Whether to ask the person now. */
  get asks(): boolean {
    return asks
  },
  /** `record`: where it stands in the journal. */
  tell: (persona: Persona, words: string, record: number): void => {
    if (!able || isLooking()) return
    if (Notification.permission === 'default' && kept('notices', 'page') !== 'no') asks = true
    if (Notification.permission === 'granted') void show(persona, words, record)
  },
  /** Within the press of a button: else no browser asks. */
  answer: async (yes: boolean): Promise<void> => {
    asks = false
    if (yes) await Notification.requestPermission()
    else keep('notices', 'page', 'no')
  },
}

/** By the worker, as a push of the same words would be: then they are shown once. */
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

/** Some browsers know notifications and let only a worker show them. */
const tryShowing = (title: string, options: NotificationOptions): Notification | null => {
  try {
    return new Notification(title, options)
  } catch {
    return null
  }
}
