/// <reference lib="es2024.string" />
/** Normalizes plain data to the form that MessagePack returns, so published values equal replayed ones. */

/**
 * Returns the value as a replay will read it: lone surrogates become U+FFFD, -0 becomes 0, absent values are
 * removed (null in a list), and so is a key named `__proto__`, which no decoder accepts. Returns the same
 * object if nothing changes, which is usual. Throws TypeError for values that are not plain data (a Map, a
 * Date, a bigint, a function).
 */
export const plain = (value: unknown): unknown => (isPlain(value) ? value : copy(value))

const isPlain = (value: unknown): boolean => {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
    case 'number':
      return !Object.is(value, -0)
    case 'boolean':
      return true
    case 'object':
      if (value === null) return true
      if (Array.isArray(value)) return value.every(isPlain)
      return isRecord(value) && hasPlainFields(value)
    default:
      return false
  }
}

/** A loop, because a list of names and a callback would be garbage for each appended fact. */
const hasPlainFields = (value: Readonly<Record<string, unknown>>): boolean => {
  for (const key in value)
    if (!Object.hasOwn(value, key) || key === '__proto__' || !key.isWellFormed() || !isPlain(value[key]))
      return false
  return true
}

const copy = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number') return value === 0 ? 0 : value
  if (typeof value === 'boolean' || value === null || value === undefined || value instanceof Uint8Array)
    return value
  if (Array.isArray(value)) return value.map((item) => copy(item) ?? null)
  if (typeof value === 'object' && isRecord(value)) {
    const known = Object.entries(value).filter(([key, item]) => item !== undefined && key !== '__proto__')
    return Object.fromEntries(known.map(([key, item]) => [key.toWellFormed(), copy(item)]))
  }
  throw new TypeError(`${Object.prototype.toString.call(value)} is not plain data`)
}

const isRecord = (value: object): value is Readonly<Record<string, unknown>> => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
