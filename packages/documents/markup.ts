/**
 * The markup inside of documents, element by element as it is unpacked. No entity is expanded that the
 * document itself declares.
 */
import { TextDecoder } from 'node:util'
import { Parser } from 'htmlparser2'
import { Unreadable } from './limits.ts'
import { declaredInMarkup, markedEncoding } from './text-encoding.ts'

export type Attributes = Readonly<Record<string, string>>

/** Names are without their prefix; `path` ends with the element itself. */
export interface Listener {
  open?(name: string, attributes: Attributes, path: readonly string[]): void
  words?(text: string, path: readonly string[]): void
  close?(name: string, path: readonly string[]): void
}

/** What the listener throws ends the reading. */
export const listen = async (
  chunks: AsyncIterable<Uint8Array>,
  { depth, html = false }: { readonly depth: number; readonly html?: boolean },
  listener: Listener,
): Promise<void> => {
  const path: string[] = []
  const parser = new Parser(
    {
      onopentag: (full, attributes) => {
        const name = local(full)
        if (path.push(name) > depth) throw new Unreadable('bomb')
        listener.open?.(name, attributes, path)
      },
      ontext: (text) => listener.words?.(text, path),
      onclosetag: (full) => {
        listener.close?.(local(full), path)
        path.pop()
      },
    },
    // A chapter of a book is XHTML, where `<title/>` has ended; HTML would take all that follows for the
    // title.
    { xmlMode: !html, decodeEntities: true, recognizeSelfClosing: true },
  )
  let decoder: TextDecoder | undefined
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(markupEncoding(Buffer.from(chunk)))
    parser.write(decoder.decode(chunk, { stream: true }))
  }
  parser.end(decoder?.decode())
}

/** Of XML, which is in UTF-8 unless it declares another encoding. */
const markupEncoding = (begin: Buffer): string =>
  markedEncoding(begin) ?? declaredInMarkup([begin]) ?? 'utf-8'

const local = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Of an attribute with this name, whatever its prefix. */
export const getAttribute = (attributes: Attributes, name: string): string | undefined =>
  attributes[name] ?? prefixedAttributeOf(attributes, name)

/** Of an attribute with this name and some prefix: `r:id` beside `id`. */
export const prefixedAttributeOf = (attributes: Attributes, name: string): string | undefined => {
  // ⏱ Asked for every cell of a sheet: without a list of the names made each time.
  for (const full in attributes)
    if (full.length > name.length && full.endsWith(name) && full.at(-name.length - 1) === ':')
      return attributes[full]
  return undefined
}
