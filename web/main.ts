/** The entry point of the page. */
import { mount } from 'svelte'
// Imported first: sets the theme before anything is painted.
import './shared/theme.ts'
import App from './App.svelte'
import { inRoom } from './shared/address.ts'
import { storeEarlyLetters } from './shared/early-letters.ts'
import { go } from './shared/here.svelte.ts'
import { followKeyboard } from './shared/keyboard.ts'
import { readStorage } from './shared/local-storage.ts'
import { isSeen } from './shared/looking.ts'
import { openSystemLine } from './shared/system-line.ts'
import { language } from './strings/strings.ts'
import './main.css'

document.documentElement.lang = language
storeEarlyLetters()
followKeyboard()
// Opened before the page renders, so that the first requests run meanwhile.
openSystemLine()
// In a task of its own, so that input is handled after the code was evaluated.
setTimeout(() => mount(App, { target: document.body }))
// The page also works without a service worker.
if ('serviceWorker' in navigator) {
  void navigator.serviceWorker.register('/service-worker.js').catch(() => {})
  // The worker has not seen the files of the first visit.
  if (!navigator.serviceWorker.controller)
    void navigator.serviceWorker.ready.then(({ active }) => {
      const observer = new PerformanceObserver((list) =>
        active?.postMessage({ assets: list.getEntries().map(({ name }) => name) }),
      )
      observer.observe({ type: 'resource', buffered: true })
    })
  // A pressed notification opens the talk. No notification is shown for a talk that is on the screen.
  navigator.serviceWorker.addEventListener('message', ({ data }) => go(inRoom('talk', String(data.talk))))
  const seenChannel = new BroadcastChannel('daimon-seen')
  seenChannel.onmessage = ({ data: { id, persona } }) => {
    if (persona !== undefined) seenChannel.postMessage({ answers: id, seen: isSeen(String(persona)) })
  }
}
if (readStorage('push', 'page') !== '') void import('./shared/push.ts').then(({ renew }) => renew())
