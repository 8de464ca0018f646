/** The client library of the Model Context Protocol. Loaded when the first server is needed. */
import { createLoader } from '../kit/flow/loader.ts'

export type Library = typeof import('@modelcontextprotocol/client')

export const loadLibrary = createLoader((): Promise<Library> => import('@modelcontextprotocol/client'))
