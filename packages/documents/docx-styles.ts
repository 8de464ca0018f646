/** Reads the styles of a Word document that define headings and lists. */
import type { Archive } from './archive.ts'
import type { Limits } from './limits.ts'
import { getAttribute, listen } from './markup.ts'

export interface List {
  id?: string
  level?: number
}

export interface Style {
  /** 1 to 9. */
  heading?: number
  list?: List
  basis?: string
}

/** The outline level comes from the style itself or from the style it is based on. */
export const readStyles = async (
  archive: Archive,
  part: string | undefined,
  limits: Limits,
): Promise<ReadonlyMap<string, Style>> => {
  const styles = new Map<string, Style>()
  if (part === undefined) return styles
  let style: Style = {}
  await listen(archive.read(part), limits, {
    open: (name, attributes) => {
      const value = getAttribute(attributes, 'val') ?? ''
      if (name === 'style') {
        style = {}
        styles.set(getAttribute(attributes, 'styleId') ?? '', style)
      }
      if (name === 'basedOn') style.basis = value
      if (name === 'outlineLvl') style.heading = toHeading(value)
      if (name === 'numId') style.list = { ...style.list, id: value }
      if (name === 'ilvl') style.list = { ...style.list, level: Number(value) }
      // The names of built-in styles are English in every language version of Word. Their ids are localized.
      const nameMatch = name === 'name' ? /^(?:heading ([1-9])|title)$/i.exec(value) : null
      if (nameMatch) style.heading = Number(nameMatch[1] ?? 1)
    },
  })
  for (const style of styles.values()) inherit(style, styles)
  return styles
}

const inherit = (style: Style, styles: ReadonlyMap<string, Style>): void => {
  let basis = style.basis
  for (let steps = 0; basis !== undefined && steps < 20; steps++) {
    const basisStyle = styles.get(basis)
    if (basisStyle?.heading !== undefined) style.heading ??= basisStyle.heading
    if (basisStyle?.list) style.list ??= basisStyle.list
    basis = basisStyle?.basis
  }
}

/** Returns the heading level of an outline level. 0 means no heading. */
export const toHeading = (outline: string): number => (/^[0-8]$/.test(outline) ? Number(outline) + 1 : 0)
