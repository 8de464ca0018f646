/** Where the page begins. */
import { mount } from 'svelte'
// First of all: nothing is painted in colours that were not chosen.
import './shared/theme.ts'
import App from './App.svelte'
import { keepLetters } from './shared/early-letters.ts'
import { openSystemLine } from './shared/system-line.ts'
import { language } from './strings/strings.ts'
import './main.css'

document.documentElement.lang = language
keepLetters()
mount(App, { target: document.body })
openSystemLine()
// A browser that takes none opens the page all the same.
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('/service-worker.js').catch(() => {})
