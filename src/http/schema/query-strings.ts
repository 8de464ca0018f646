/**
 * Query strings: the last of a repeated name counts, and text becomes a number or a truth where the schema
 * wants one.
 */
import * as z from 'zod'

/** `texts` as they were sent, by name. */
export interface Query {
  readonly values: Readonly<Record<string, unknown>>
  readonly texts: Readonly<Record<string, string>>
}

/**
 * Reads what the schema knows and nothing else; what does not look like its type stays text, for the schema
 * to refuse.
 */
export const createQueryReader = (schema: z.ZodObject): ((url: string) => Query) => {
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, kindOf(field)] as const)
  return (url) => {
    const mark = url.indexOf('?')
    if (mark < 0) return { values: {}, texts: {} }
    const params = new URLSearchParams(url.slice(mark))
    const values: Record<string, unknown> = {}
    const texts: Record<string, string> = {}
    for (const [name, kind] of fields) {
      const text = params.getAll(name).at(-1)
      if (text === undefined) continue
      texts[name] = text
      values[name] = read(text, kind)
    }
    return { values, texts }
  }
}

const kindOf = (field: z.core.$ZodType): string => {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return kindOf(field.def.innerType)
  return field._zod.def.type
}

const truths: Readonly<Record<string, boolean>> = {
  ...{ '1': true, true: true, t: true, yes: true, y: true, on: true },
  ...{ '0': false, false: false, f: false, no: false, n: false, off: false },
}

const read = (text: string, kind: string): unknown => {
  if (kind === 'number')
    return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text
  if (kind === 'boolean') return truths[text.toLowerCase()] ?? text
  return text
}
