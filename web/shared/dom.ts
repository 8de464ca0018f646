/** Creates elements in one expression. Text always becomes a text node. HTML and styles cannot be passed. */

type Child = Node | string | null

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
