/**
 * Reads query strings. The last of a repeated name counts. Texts become numbers or booleans if the schema
 * asks for them.
 */
import * as z from 'zod'

/** `texts` are the values as they were sent, by name. */
export interface Query {
  readonly values: Readonly<Record<string, unknown>>
  readonly texts: Readonly<Record<string, string>>
}

/**
 * Reads the fields of the schema only. A value that does not match its type stays text, so that the schema
 * refuses it.
 */
export const createQueryReader = (schema: z.ZodObject): ((url: string) => Query) => {
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, getKind(field)] as const)
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

const getKind = (field: z.core.$ZodType): string => {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return getKind(field.def.innerType)
  return field._zod.def.type
}

const truths: Readonly<Record<string, boolean>> = {
  '1': true,
  true: true,
  t: true,
  yes: true,
  y: true,
  on: true,
  '0': false,
  false: false,
  f: false,
  no: false,
  n: false,
  off: false,
}

const read = (text: string, kind: string): unknown => {
  if (kind === 'number')
    return /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text
  if (kind === 'boolean') return truths[text.toLowerCase()] ?? text
  return text
}
