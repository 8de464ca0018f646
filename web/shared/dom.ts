/**
 * Elements made in one expression. Text is always a text node, and there is no way to hand in HTML or a
 * style.
 */

import { type IconName, icons } from './icons.ts'

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

export const icon = (name: IconName): SVGElement => {
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
  path.setAttribute('d', icons[name])
  svg.append(path)
  return svg
}
