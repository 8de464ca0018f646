/**
 * Parses the markup inside documents while it is unpacked. Entities that the document declares are not
 * expanded.
 */
import { TextDecoder } from 'node:util'
import { Parser } from 'htmlparser2'
import { Unreadable } from './limits.ts'
import { declaredInMarkup, markedEncoding } from './text-encoding.ts'

export type Attributes = Readonly<Record<string, string>>

/** Names have no prefix. `path` ends with the element itself. */
export interface Listener {
  open?(name: string, attributes: Attributes, path: readonly string[]): void
  words?(text: string, path: readonly string[]): void
  close?(name: string, path: readonly string[]): void
}

/** An error thrown by the listener stops the parser and is passed to the caller. */
export const listen = async (
  chunks: AsyncIterable<Uint8Array>,
  { depth, html = false }: { readonly depth: number; readonly html?: boolean },
  listener: Listener,
): Promise<void> => {
  const path: string[] = []
  const parser = new Parser(
    {
      onopentag: (qualifiedName, attributes) => {
        const name = getLocalName(qualifiedName)
        if (path.push(name) > depth) throw new Unreadable('bomb')
        listener.open?.(name, attributes, path)
      },
      ontext: (text) => listener.words?.(text, path),
      onclosetag: (qualifiedName) => {
        listener.close?.(getLocalName(qualifiedName), path)
        path.pop()
      },
    },
    // Chapters of books are XHTML, which allows `<title/>`. In HTML, everything after it would be the title.
    { xmlMode: !html, decodeEntities: true, recognizeSelfClosing: true },
  )
  let decoder: TextDecoder | undefined
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(markupEncoding(Buffer.from(chunk)))
    parser.write(decoder.decode(chunk, { stream: true }))
  }
  parser.end(decoder?.decode())
}

/** XML is UTF-8 unless it declares another encoding. */
const markupEncoding = (head: Buffer): string => markedEncoding(head) ?? declaredInMarkup([head]) ?? 'utf-8'

const getLocalName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** Returns the value of the attribute with this name and any or no prefix. */
export const getAttribute = (attributes: Attributes, name: string): string | undefined =>
  attributes[name] ?? getPrefixedAttribute(attributes, name)

/** Returns the value of the attribute with this name and any prefix: `r:id`, not `id`. */
export const getPrefixedAttribute = (attributes: Attributes, name: string): string | undefined => {
  // Measured: runs for every cell of a sheet, so it avoids building an array of names.
  for (const qualifiedName in attributes)
    if (
      qualifiedName.length > name.length &&
      qualifiedName.endsWith(name) &&
      qualifiedName.at(-name.length - 1) === ':'
    )
      return attributes[qualifiedName]
  return undefined
}
