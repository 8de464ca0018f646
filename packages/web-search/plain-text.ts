/**
 * Extracts the text of HTML excerpts. Deliberately not an HTML parser: those run only in separate processes,
 * and an excerpt contains at most a few tags for emphasis.
 */

/** Returns the text without tags and with decoded entities. Other values are returned as they are. */
export const toPlainText = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .slice(0, maxUnits)
        .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
        .replace(/&(#?\w{1,8});/g, decodeEntity)
    : value

/** UTF-16 units. Excerpts are cut further later. */
const maxUnits = 10_000

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
}

/** Unknown entities stay as they are. */
const decodeEntity = (entity: string, name: string): string => {
  const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? []
  const code = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
  if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code)
  return Object.hasOwn(entities, name) ? (entities[name] ?? entity) : entity
}
