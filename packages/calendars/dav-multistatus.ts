/** Reads the multistatus answers of CalDAV (RFC 4918, 4791). Names are compared without their prefix. */
import { type Attributes, getAttribute, listen } from '../documents/markup.ts'

/** A resource of an answer, with the properties that were found. */
export interface DavResource {
  readonly href: string
  /** Text of each property by name. */
  readonly texts: ReadonlyMap<string, string>
  /** Addresses inside a property, such as that of `calendar-home-set`. */
  readonly links: ReadonlyMap<string, string>
  /** Names of the types in `resourcetype`, such as `calendar`. */
  readonly types: readonly string[]
  /** Names of the components that a calendar can hold, such as `VEVENT`; empty if the server names none. */
  readonly components: readonly string[]
}

const maxDepth = 40
const maxResources = 50_000

interface Draft {
  href: string
  readonly texts: Map<string, string>
  readonly links: Map<string, string>
  readonly types: string[]
  readonly components: string[]
}

/** Returns an empty list for an answer without resources. Throws if the nesting is too deep. */
export const readMultistatus = async (bytes: Uint8Array): Promise<readonly DavResource[]> => {
  const resources: Draft[] = []
  let draft: Draft | null = null
  await listen(
    oneChunk(bytes),
    { depth: maxDepth },
    {
      open: (name, attributes, path) => {
        if (name === 'response' && resources.length < maxResources)
          draft = { href: '', texts: new Map(), links: new Map(), types: [], components: [] }
        else if (draft) addElement(draft, name, attributes, path)
      },
      words: (text, path) => {
        if (draft) addText(draft, text, path)
      },
      close: (name) => {
        if (name !== 'response' || !draft) return
        resources.push({ ...draft, href: draft.href.trim() })
        draft = null
      },
    },
  )
  return resources
}

const addElement = (draft: Draft, name: string, attributes: Attributes, path: readonly string[]): void => {
  const parent = path.at(-2)
  if (parent === 'resourcetype') draft.types.push(name)
  if (name === 'comp') draft.components.push(getAttribute(attributes, 'name') ?? '')
}

const addText = (draft: Draft, text: string, path: readonly string[]): void => {
  const name = path.at(-1) ?? ''
  const parent = path.at(-2) ?? ''
  if (name === 'href' && parent === 'response') draft.href += text
  else if (name === 'href') draft.links.set(parent, (draft.links.get(parent) ?? '') + text)
  else if (parent === 'prop') draft.texts.set(name, (draft.texts.get(name) ?? '') + text)
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Returns the calendars inside an answer. */
export const readCalendarData = async (bytes: Uint8Array): Promise<readonly string[]> =>
  (await readMultistatus(bytes)).flatMap(({ texts }) => texts.get('calendar-data')?.trim() || [])
