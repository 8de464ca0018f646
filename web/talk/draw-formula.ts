/** Typesets TeX as MathML without scripts, links, ids and colours. Loaded with the first formula. */
import DOMPurify from 'dompurify'
import temml from 'temml'
import './formula.css'
import { parseFormula } from './formula-syntax.ts'

const tags =
  'math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'
const attributes =
  'accent accentunder columnspan depth display displaystyle fence form height largeop linethickness lspace mathsize mathvariant maxsize minsize movablelimits notation rowspan rspace scriptlevel separator stretchy symmetric width'

const purify = DOMPurify(window)
purify.addHook('uponSanitizeAttribute', (node, data) => {
  // It would move its content over other text.
  if (node.nodeName.toLowerCase() === 'mpadded') data.keepAttr = false
  if (data.attrName !== 'style') return
  data.attrValue = keepStyles(data.attrValue)
  if (data.attrValue === '') data.keepAttr = false
})

/** Lines and spaces of tables and boxes. Without colours, which may be invisible in one of the themes. */
const harmlessStyle =
  /^\s*(?:padding|border|text-align|math-depth|font-weight|width)(?:-[a-z]+)*\s*:[\w\s.%]+$/

const keepStyles = (style: string): string =>
  style
    .split(';')
    .filter(
      (rule) =>
        harmlessStyle.test(rule) && (rule.match(/[\d.]+/g) ?? []).every((size) => Number(size) <= 100),
    )
    .join(';')

/** Typeset formulas by their source. A growing message renders its last block again with each chunk. */
const cache = new Map<string, DocumentFragment | null>()
const maxCached = 300

/** Returns null if the formula cannot be parsed. */
const typeset = (raw: string): DocumentFragment | null => {
  const cached = cache.get(raw)
  if (cached !== undefined) return cached
  const fragment = toMathMl(raw)
  if (cache.size >= maxCached) cache.clear()
  cache.set(raw, fragment)
  return fragment
}

const toMathMl = (raw: string): DocumentFragment | null => {
  const { tex, isDisplay } = parseFormula(raw)
  try {
    const markup = temml.renderToString(tex, {
      displayMode: isDisplay,
      wrap: isDisplay ? 'none' : 'tex',
      throwOnError: true,
      trust: false,
      maxExpand: 200,
      // In em and pt.
      maxSize: [10, 100],
    })
    return purify.sanitize(markup, {
      ALLOWED_TAGS: tags.split(' '),
      ALLOWED_ATTR: [...attributes.split(' '), 'class', 'style'],
      // These are no addresses. By default, only values that look like an address would be allowed.
      ADD_URI_SAFE_ATTR: attributes.split(' '),
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      ALLOWED_URI_REGEXP: /^$/,
      RETURN_DOM_FRAGMENT: true,
    })
  } catch {
    return null
  }
}

/** Replaces the source by the formula. A source with an error stays. `label`: its accessible name. */
export const drawFormula = (place: HTMLElement, label: string): void => {
  const raw = place.textContent ?? ''
  const fragment = typeset(raw)
  if (!fragment) return
  place.replaceChildren(fragment.cloneNode(true))
  place.dir = 'ltr'
  place.classList.add('drawn')
  if (!parseFormula(raw).isDisplay) return
  place.classList.add('display')
  place.tabIndex = 0
  place.role = 'group'
  place.ariaLabel = label
}
