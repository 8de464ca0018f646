/** The numbers and bullets of lists in OpenDocument, and the styles that say which lists count. */
import { type Attributes, getAttribute } from './markup.ts'

export interface Lists {
  /** Hears of every element, the styles of lists among them. */
  open(name: string, attributes: Attributes): void
  close(name: string): void
  /**
   * What stands before the next paragraph: "1. " or "- " with the first of an item, room for it with the
   * others; '' outside of lists.
   */
  label(): string
}

interface List {
  readonly style: string
  counted: number
  /** Of the item that is being read; '' once it was given away. */
  label: string
}

/** "style level" of the lists that count. One set for all the parts of a document. */
export type CountingStyles = Set<string>

export const createLists = (counting: CountingStyles): Lists => {
  const lists: List[] = []
  let style = ''

  const noteLevel = (attributes: Attributes) => {
    // A level whose format is said to be empty shows no number.
    if (getAttribute(attributes, 'num-format') !== '')
      counting.add(`${style} ${getAttribute(attributes, 'level')}`)
  }
  const beginItem = (list: List, attributes: Attributes) => {
    const start = Number(getAttribute(attributes, 'start-value') ?? Number.NaN)
    list.counted = Number.isInteger(start) ? start : list.counted + 1
    list.label = counting.has(`${list.style} ${lists.length}`) ? `${list.counted}. ` : '- '
  }
  return {
    open: (name, attributes) => {
      if (name === 'list-style') style = getAttribute(attributes, 'name') ?? ''
      if (name === 'list-level-style-number') noteLevel(attributes)
      // A list within a list has the style of that one, unless it says another.
      if (name === 'list')
        lists.push({
          style: getAttribute(attributes, 'style-name') ?? lists.at(-1)?.style ?? '',
          counted: 0,
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
