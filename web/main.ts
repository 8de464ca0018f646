/** Where the page begins. */
import { mount } from 'svelte'
// First of all: nothing is painted in colours that were not chosen.
import './shared/theme.ts'
import App from './App.svelte'
import { inRoom } from './shared/address.ts'
import { keepLetters } from './shared/early-letters.ts'
import { go } from './shared/here.svelte.ts'
import { kept } from './shared/keep.ts'
import { isSeen } from './shared/looking.ts'
import { openSystemLine } from './shared/system-line.ts'
import { language } from './strings/strings.ts'
import './main.css'

document.documentElement.lang = language
keepLetters()
// Before it is drawn: what is asked for comes meanwhile.
openSystemLine()
mount(App, { target: document.body })
// A browser that takes none opens the page all the same.
if ('serviceWorker' in navigator) {
  void navigator.serviceWorker.register('/service-worker.js').catch(() => {})
  // Whoever presses a notification is led to where it was said; whoever sees it said needs none.
  navigator.serviceWorker.addEventListener('message', ({ data }) => go(inRoom('talk', String(data.talk))))
  const asked = new BroadcastChannel('daimon-seen')
  asked.onmessage = ({ data: { id, persona } }) => {
    if (persona !== undefined) asked.postMessage({ answers: id, seen: isSeen(String(persona)) })
  }
}
if (kept('push', 'page') !== '') void import('./shared/push.ts').then(({ renew }) => renew())
