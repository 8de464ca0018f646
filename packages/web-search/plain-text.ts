/** Extracts the text of HTML excerpts. */
import { Parser } from 'htmlparser2'

/** Returns the text without tags and with decoded entities. Other values are returned as they are. */
export const toPlainText = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  let text = ''
  const parser = new Parser({
    ontext: (part) => {
      text += part
    },
  })
  parser.end(value)
  return text
}
