/** The client library of the Model Context Protocol. Loaded when the first server is needed. */

export type Library = typeof import('@modelcontextprotocol/client')

let library: Promise<Library> | undefined

export const loadLibrary = (): Promise<Library> => {
  library ??= import('@modelcontextprotocol/client')
  return library
}
