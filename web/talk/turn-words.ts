/** Describes a turn: learned statements, models and cost. */
import { type Shape, toFields, toText } from '../shared/shapes.ts'
import { language, text } from '../strings/strings.ts'
import { words as toolWords } from '../strings/tool-words.ts'
import { describeInput, nameTool } from '../tools/builtin-tools.ts'

type Turn = Shape<'Turn'>
type ToolUse = Turn['steps'][number]['tools'][number]

const number = new Intl.NumberFormat(language)
const seconds = new Intl.NumberFormat(language, { maximumFractionDigits: 1, style: 'unit', unit: 'second' })

const spans = new Intl.NumberFormat(language, { maximumSignificantDigits: 2, style: 'unit', unit: 'second' })

/** Max UTF-16 units of a displayed value. */
const maxUnits = 400

const shorten = (words: string) => (words.length > maxUnits ? `${words.slice(0, maxUnits)}…` : words)

/** Formats the input of a tool, one field per line. */
export const formatValue = (value: unknown): string => {
  if (typeof value === 'string') return shorten(value)
  if (typeof value !== 'object' || value === null) return value === undefined ? '' : String(value)
  return shorten(
    Object.entries(value)
      .map(([name, field]) => `${name}: ${typeof field === 'string' ? field : JSON.stringify(field)}`)
      .join('\n'),
  )
}

/** For a server's tool also its server, its duration, and who allowed it. */
export const describeTool = ({ name, input, ok, server, tool, ms, allowed }: ToolUse) => {
  const isUsed = allowed === null || allowed === 'once' || allowed === 'always'
  return {
    name:
      server === null || toolWords.builtinNames[name] ? nameTool(name, input) : `${server} · ${tool ?? name}`,
    words: toolWords.builtinNames[name] ? shorten(describeInput(input)) : formatValue(input),
    trouble: ok === false && isUsed ? text.turn.failed : ok === null && isUsed ? text.turn.open : '',
    how:
      server === null
        ? ''
        : [
            ms === null || !isUsed ? '' : spans.format(ms / 1000),
            allowed === null ? '' : toolWords.allowed[allowed],
          ]
            .filter((part) => part !== '')
            .join(' · '),
  }
}

export const describeFacts = (facts: Turn['facts']) =>
  facts.flatMap(({ title, details }) => {
    const name = text.turn.fact[title]
    if (!name) return []
    const { text: ownText, content, body, intention } = toFields(details)
    return [{ name, words: shorten(toText(ownText) || toText(content) || toText(body) || toText(intention)) }]
  })

export const listModels = ({ steps, calls }: Turn): readonly string[] => [
  ...new Set(
    [...steps, ...calls].map(({ provider, model }) => (provider ? `${model} (${provider})` : model)),
  ),
]

export const formatTokens = ({
  steps,
  calls: otherCalls,
  total: { input, output, cached, calls },
}: Turn): string =>
  [
    [...steps, ...otherCalls].some(({ usage }) => usage?.input != null || usage?.output != null)
      ? text.turn.inOut(number.format(input), number.format(output))
      : text.turn.untold,
    ...(cached > 0 ? [text.turn.cached(number.format(cached))] : []),
    text.turn.calls(calls),
  ].join(' · ')

export const formatSpan = ({ began, ended, total }: Turn): string => {
  const span = ended === null ? total.ms : Date.parse(ended) - Date.parse(began)
  return seconds.format(Math.max(0, span) / 1000)
}

/** `local`: everything ran on this machine. */
export const formatMoney = ({ usd, unpriced }: Turn['total'], local: boolean): string => {
  if (usd === null) return local ? text.turn.free : text.turn.noPrice
  const digits = usd >= 0.1 ? 2 : 5
  const sum = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: digits,
  }).format(usd)
  return unpriced > 0 ? `${sum} + ?` : sum
}
