/** The client of the Model Context Protocol, loaded when the first server is needed. */

export type Library = typeof import('@modelcontextprotocol/client')

let loaded: Promise<Library> | undefined

export const loadLibrary = (): Promise<Library> => {
  loaded ??= import('@modelcontextprotocol/client')
  return loaded
}
