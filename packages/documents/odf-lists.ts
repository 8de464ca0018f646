/** Labels the list items of OpenDocument and tracks which list styles are numbered. */
import { type Attributes, getAttribute } from './markup.ts'

export interface Lists {
  /** Call it for every element, including list styles. */
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /**
   * Returns the label of the next paragraph: "1. " or "- " for the first paragraph of an item, spaces for the
   * others, '' outside of lists.
   */
  label(): string
}

interface List {
  readonly style: string
  count: number
  /** Label of the current item. '' after it was used. */
  label: string
}

/** "style level" of each numbered list. All parts of a document share one set. */
export type CountingStyles = Set<string>

export const createLists = (countingStyles: CountingStyles): Lists => {
  const lists: List[] = []
  let style = ''

  const noteLevel = (attributes: Attributes) => {
    // A level with an empty format shows no number.
    if (getAttribute(attributes, 'num-format') !== '')
      countingStyles.add(`${style} ${getAttribute(attributes, 'level')}`)
  }
  const beginItem = (list: List, attributes: Attributes) => {
    const start = Number(getAttribute(attributes, 'start-value') ?? Number.NaN)
    list.count = Number.isInteger(start) ? start : list.count + 1
    list.label = countingStyles.has(`${list.style} ${lists.length}`) ? `${list.count}. ` : '- '
  }
  return {
    open: (name, attributes) => {
      if (name === 'list-style') style = getAttribute(attributes, 'name') ?? ''
      if (name === 'list-level-style-number') noteLevel(attributes)
      // A nested list inherits the style of the outer list unless it has its own.
      if (name === 'list')
        lists.push({
          style: getAttribute(attributes, 'style-name') ?? lists.at(-1)?.style ?? '',
          count: 0,
          label: '',
        })
      const list = lists.at(-1)
      if (name === 'list-item' && list) beginItem(list, attributes)
    },
    close: (name) => {
      if (name === 'list') lists.pop()
    },
    label: () => {
      const list = lists.at(-1)
      if (!list) return ''
      const { label } = list
      list.label = ''
      return '  '.repeat(Math.min(lists.length - 1, 8)) + (label || '  ')
    },
  }
}
