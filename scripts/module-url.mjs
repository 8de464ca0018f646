/** The address of a built CommonJS file, in place of `import.meta.url`. */
import { pathToFileURL } from 'node:url'

export const __url = pathToFileURL(__filename).href
