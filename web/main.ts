/** Where the page begins. */
import { mount } from 'svelte'
// First of all: nothing is painted in colours that were not chosen.
import './shared/theme.ts'
import App from './App.svelte'
import { register } from './shared/people.svelte.ts'
import { openSystemLine } from './shared/system-line.ts'
import { language } from './strings/strings.ts'
import './main.css'

document.documentElement.lang = language
mount(App, { target: document.body })
void register.load()
openSystemLine()
