/**
 * Converts the input of a tool call to the types of its schema before it is validated. Models send enum
 * values in other words, numbers as strings, "none" for an absent field, or one value for a list.
 */
import { type Fields, isObject } from '../../../packages/kit/is-object.ts'
import { parseLenientJson } from '../prompt/lenient-json.ts'

/** The part of JSON Schema that tools use. */
export interface InputSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, InputSchema>>
  readonly required?: readonly string[]
  readonly items?: InputSchema
  readonly anyOf?: readonly InputSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly description?: string
}

/** Converting a converted value changes nothing. A value that does not fit stays as it is. */
export const coerceInput = (schema: InputSchema, value: unknown): unknown => {
  const branch = schema.anyOf?.find(({ type }) => type !== 'null')
  if (branch) return coerceInput(branch, value)
  switch (schema.type) {
    case 'object':
      return coerceObject(schema, value)
    case 'array':
      return coerceList(schema, value)
    case 'string':
      return coerceText(schema, value)
    case 'number':
    case 'integer':
      return coerceNumber(schema, value)
    case 'boolean':
      return coerceBoolean(value)
    default:
      return value
  }
}

const coerceObject = (schema: InputSchema, value: unknown): unknown => {
  const { properties = {}, required = [] } = schema
  const fields = toFields(schema, value)
  if (!fields) return value
  const names = nameFields(fields, Object.keys(properties))
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) => {
      const sentName = names.get(name)
      const sentValue = sentName === undefined ? undefined : fields[sentName]
      if (sentValue === undefined || (!required.includes(name) && isAbsent(property, sentValue))) return []
      const coercedValue = coerceInput(property, sentValue)
      return [
        [
          name,
          name === 'id' && typeof coercedValue === 'string' ? withoutBrackets(coercedValue) : coercedValue,
        ],
      ]
    }),
  )
}

/** Prompts show ids in brackets. */
const withoutBrackets = (id: string): string => id.trim().replace(/^\[(.+)\]$/, '$1')

const toFields = (schema: InputSchema, value: unknown): Fields | undefined => {
  if (typeof value === 'string') {
    const parsedValue = parseLenientJson(value)
    return parsedValue ? toFields(schema, parsedValue) : toOnlyField(schema, value)
  }
  if (Array.isArray(value)) return value.length === 1 ? toFields(schema, value[0]) : undefined
  if (value === null || value === undefined) return {}
  if (!isObject(value)) return undefined
  const [[name, inner] = ['', undefined], ...otherEntries] = Object.entries(value)
  const isWrapped = otherEntries.length === 0 && wrappers.has(name) && !schema.properties?.[name]
  return isWrapped && isObject(inner) ? inner : value
}

/** Names under which models nest the input. */
const wrappers: ReadonlySet<string> = new Set(['input', 'arguments', 'args', 'parameters', 'params'])

/** Uses bare text as the only required field. */
const toOnlyField = ({ properties = {}, required = [] }: InputSchema, text: string): Fields | undefined => {
  if (text.trim() === '') return {}
  const [name, ...otherNames] = required
  return name !== undefined && otherNames.length === 0 && properties[name]?.type === 'string'
    ? { [name]: text }
    : undefined
}

/** Returns the sent name of each field. An exact name is preferred to another spelling and a synonym. */
const nameFields = (fields: Fields, names: readonly string[]): ReadonlyMap<string, string> => {
  const sentNames = Object.keys(fields)
  const foundNames = new Map(names.filter((name) => sentNames.includes(name)).map((name) => [name, name]))
  const isFree = (sentName: string) =>
    !names.includes(sentName) && ![...foundNames.values()].includes(sentName)
  const matches = [
    (sentName: string, name: string) => fold(sentName) === fold(name),
    (sentName: string, name: string) => (fieldSynonyms[name] ?? []).includes(fold(sentName)),
  ]
  for (const isMatch of matches)
    for (const name of names) {
      const matchingName = foundNames.has(name)
        ? undefined
        : sentNames.find((other) => isFree(other) && isMatch(other, name))
      if (matchingName !== undefined) foundNames.set(name, matchingName)
    }
  return foundNames
}

/** Lower-case letters and digits only. */
const fold = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const fieldSynonyms: Readonly<Record<string, readonly string[]>> = {
  op: ['action', 'operation', 'mode', 'command'],
  document: ['category', 'type', 'kind'],
  kind: ['type', 'category'],
  text: ['content', 'statement', 'fact', 'memory', 'message', 'value'],
  content: ['text', 'title', 'message', 'description', 'summary', 'task', 'what', 'name'],
  when: ['time', 'date', 'datetime', 'at', 'start', 'due', 'wall'],
  recurrence: ['repeat', 'repeats', 'frequency', 'recurring', 'every'],
  query: ['q', 'question', 'search', 'keywords', 'text', 'words'],
  question: ['query', 'prompt', 'text'],
  input: ['arguments', 'args', 'parameters', 'params'],
  wish: ['prompt', 'description', 'text'],
  intention: ['title', 'name', 'topic'],
  body: ['text', 'instruction', 'content', 'steps'],
  id: ['planid', 'statementid', 'memoryid', 'ids'],
  file: ['filename', 'name', 'path'],
  name: ['skill', 'skillname', 'title'],
  in_minutes: ['minutes', 'delay'],
}

const absentWords: ReadonlySet<string> = new Set(['', 'none', 'null', 'nil', 'undefined', 'na', 'notset'])
/** For a choice that is left out, such as a recurrence. */
const noChoices: ReadonlySet<string> = new Set(['once', 'onetime', 'never', 'no', 'false', 'single'])

/** Checks for a value that means an absent field. */
const isAbsent = (schema: InputSchema, value: unknown): boolean => {
  if (value === null) return true
  if (Array.isArray(value)) return value.length === 0
  const isChoice = schema.enum !== undefined
  if (value === false) return isChoice
  if (typeof value !== 'string') return false
  const word = /[\p{L}\p{N}]/u.test(value) ? fold(value) : value.trim().replace(/^-+$/, '')
  return absentWords.has(word) || (isChoice && noChoices.has(word) && !findOption(schema.enum ?? [], value))
}

const coerceList = ({ items = {} }: InputSchema, value: unknown): unknown => {
  const parsedList =
    typeof value === 'string' && value.trim().startsWith('[') ? parseLenientJson(value) : undefined
  const list = parsedList ?? value
  return (Array.isArray(list) ? list : [list]).map((item) => coerceInput(items, item))
}

const coerceText = (schema: InputSchema, value: unknown): unknown => {
  if (Array.isArray(value) && value.length === 1) return coerceText(schema, value[0])
  if (typeof value === 'number' || typeof value === 'boolean') return coerceText(schema, String(value))
  if (typeof value !== 'string') return value
  if (schema.enum) return findOption(schema.enum, value) ?? value
  return schema.maxLength === undefined ? value : cutText(value, schema.maxLength)
}

/** Cuts between words. An address or a name, which has no spaces, stays as it is. */
const cutText = (text: string, maxLength: number): string => {
  const trimmedText = text.trim()
  if (trimmedText.length <= maxLength || !/\s/.test(trimmedText)) return text
  const cutText = trimmedText.slice(0, maxLength - 1)
  const end = Math.max(cutText.lastIndexOf(' '), cutText.lastIndexOf('\n'))
  const words = end < 0 ? cutText : cutText.slice(0, end).trimEnd()
  return `${(words.length >= maxLength / 2 ? words : cutText).toWellFormed()}${cutEnd}`
}
const cutEnd = '…'

/** Checks for a text that may have been cut at its maximum length. */
export const isPerhapsCut = (text: string, maxLength: number): boolean =>
  text.length >= maxLength / 2 && text.endsWith(cutEnd)

const findOption = (options: readonly unknown[], value: string): unknown => {
  const word = fold(value)
  const sameOption = options.find((option) => fold(String(option)) === word)
  if (sameOption !== undefined) return sameOption
  const plural = options.find((option) => fold(String(option)).replace(/s$/, '') === word.replace(/s$/, ''))
  if (plural !== undefined) return plural
  return synonyms.find(({ words }) => words.has(word))?.options.find((option) => options.includes(option))
}

const group = (options: string, words: string) => ({
  options: options.split(' '),
  words: new Set(words.split(' ')),
})

/** Words for the values of an enum; the first value that the enum has is used. */
const synonyms = [
  group(
    'keep add',
    'add keep save store create remember new insert set write learn record note plan schedule',
  ),
  group('revise keep', 'update change edit modify replace correct'),
  group('forget cancel remove', 'delete remove erase drop cancel forget clear stop unset'),
  group('read list', 'get show read list view see find search follow open check lookup query'),
  group('reminder', 'remind alarm notification alert timer todo task'),
  group('schedule', 'appointment event meeting calendar entry date'),
  group('self', 'myself selfnote selfnotes'),
  group('person', 'user human people personal userfact fact facts profile general'),
  group('traits', 'personality character preference preferences habit habits'),
  group('persona-trait', 'persona self assistant me personas'),
  group('wishes', 'wish want wants goal goals dream dreams desire desires hope hopes'),
  group('struggles', 'problem problems difficulty difficulties worry worries'),
  group('permissions', 'allowed allow consent'),
  group(
    'hourly',
    'hour everyhour eachhour stündlich jedestunde touteslesheures cadahora ogniora elkuur cogodzinę ежечасно каждыйчас 毎時 每小时 每小時 매시간',
  ),
  group(
    'daily',
    'day everyday eachday täglich jedentag quotidien chaquejour touslesjours diario diariamente cadadía cadadia todoslosdías todososdias giornaliero ognigiorno dagelijks elkedag codziennie ежедневно каждыйдень 毎日 每天 매일',
  ),
  group(
    'weekly',
    'week everyweek eachweek wöchentlich jedewoche hebdomadaire chaquesemaine semanal semanalmente cadasemana settimanale ognisettimana wekelijks elkeweek cotydzień еженедельно каждуюнеделю 毎週 每周 每週 매주',
  ),
  group(
    'monthly',
    'month everymonth eachmonth monatlich jedenmonat mensuel chaquemois mensual mensal mensualmente mensalmente cadames cadamês mensile ognimese maandelijks elkemaand comiesiąc ежемесячно каждыймесяц 毎月 每月 매월',
  ),
  group(
    'yearly',
    'year everyyear eachyear annual annually jährlich jedesjahr annuel chaqueannée touslesans anual anualmente cadaaño cadaano annuale ognianno jaarlijks elkjaar corok ежегодно каждыйгод 毎年 每年 매년',
  ),
]

const coerceNumber = ({ type, minimum, maximum }: InputSchema, value: unknown): unknown => {
  const number = typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
  if (type !== 'integer' || typeof number !== 'number' || !Number.isFinite(number)) return number
  return Math.min(maximum ?? number, Math.max(minimum ?? number, Math.round(number)))
}

const coerceBoolean = (value: unknown): unknown => {
  if (value === 1 || (typeof value === 'string' && /^(?:true|yes|1)$/i.test(value.trim()))) return true
  if (value === 0 || (typeof value === 'string' && /^(?:false|no|0)$/i.test(value.trim()))) return false
  return value
}
