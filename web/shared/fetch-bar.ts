/** How far a model is that is being fetched, while something waits for it. */

import { text } from '../strings/strings.ts'
import { el } from './dom.ts'
import type { House } from './screen.ts'

export interface FetchBar {
  readonly element: HTMLElement
  readonly waiting: (on: boolean) => void
}

export const createFetchBar = ({ hear }: Pick<House, 'hear'>): FetchBar => {
  const words = el('span', { class: 'hint' })
  const bar = el('progress', { class: 'way', max: '1', 'aria-label': text.organ.fetching })
  const element = el('div', { class: 'fetch' }, bar, words)
  let unhear = () => {}
  element.hidden = true

  return {
    element,
    waiting: (on) => {
      unhear()
      unhear = () => {}
      element.hidden = true
      if (!on) return
      unhear = hear((frame) => {
        if (frame.type !== 'progress') return
        const { model, share, status } = frame
        element.hidden = false
        if (share === null) bar.removeAttribute('value')
        else bar.value = share
        words.textContent =
          share === null ? `${model}: ${status}` : text.organ.fetched(model, Math.floor(share * 100))
      })
    },
  }
}
