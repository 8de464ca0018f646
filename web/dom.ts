/**
 * Elements made in one expression. Text is always a text node, and there is no way to hand in HTML or a
 * style.
 */

export type Child = Node | string | null

export const el = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false) continue
    element.setAttribute(name, value === true ? '' : value)
  }
  element.append(...children.filter((child) => child !== null))
  return element
}

export const button = (label: string, look: string, onPress: () => void): HTMLButtonElement => {
  const element = el('button', { type: 'button', class: look }, label)
  element.addEventListener('click', onPress)
  return element
}

/** A link within the page: `main.ts` catches its click, and without that it is still a working link. */
export const link = (
  href: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLAnchorElement => el('a', { href, 'data-inside': true, ...attributes }, ...children)

/** Words for those who listen to the page. */
export const unseen = (words: string): HTMLElement => el('span', { class: 'unseen' }, words)

const iconPaths = {
  plus: 'M12 5v14M5 12h14',
  back: 'M15 5l-7 7 7 7',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  send: 'M12 19V5M5.5 11.5L12 5l6.5 6.5',
  stop: 'M8 8h8v8H8z',
  down: 'M12 5v14M5.5 12.5L12 19l6.5-6.5',
  close: 'M6 6l12 12M18 6L6 18',
  clip: 'M20 11.5l-8 8a5 5 0 0 1-7.1-7.1l8.4-8.3a3.3 3.3 0 0 1 4.7 4.7l-8.3 8.3a1.7 1.7 0 0 1-2.4-2.4l7.5-7.4',
  mic: 'M12 3.5a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0v-5a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3',
  play: 'M8.5 5.5l10 6.5-10 6.5z',
  pause: 'M8 5.5h2.6v13H8zM13.4 5.5H16v13h-2.6z',
  file: 'M13.5 3.5H7a1.5 1.5 0 0 0-1.5 1.5v14A1.5 1.5 0 0 0 7 20.5h10a1.5 1.5 0 0 0 1.5-1.5V8.5zM13.5 3.5v5h5',
  sound: 'M5 10v4M9 6.5v11M13 9v6M17 4.5v15M21 10.5v3',
  choose: 'M7 10l5 5 5-5',
  save: 'M12 4.5v11M6.5 10.5L12 16l5.5-5.5M5 20h14',
} as const

export const icon = (name: keyof typeof iconPaths): SVGElement => {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  for (const [key, value] of Object.entries({
    viewBox: '0 0 24 24',
    class: `icon icon-${name}`,
    'aria-hidden': 'true',
  })) {
    svg.setAttribute(key, value)
  }
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', iconPaths[name])
  svg.append(path)
  return svg
}
