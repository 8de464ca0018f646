/** The client library of the Model Context Protocol. Loaded when the first server is needed. */

export type Library = typeof import('@modelcontextprotocol/client')

let loaded: Promise<Library> | undefined

export const loadLibrary = (): Promise<Library> => {
  loaded ??= import('@modelcontextprotocol/client')
  return loaded
}
