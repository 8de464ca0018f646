/** The types the page asks the daemon with: `node --import tsx test/web/api-types.ts` writes them anew. */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { startDaemon } from '../daemon.ts'

const target = fileURLToPath(new URL('../../web/shared/api-types.ts', import.meta.url))

export const written = (): Promise<string> => readFile(target, 'utf8')

export const made = async (): Promise<string> => {
  const daemon = await startDaemon()
  try {
    const description = (await (await fetch(`${daemon.url}/openapi.json`)).json()) as OpenAPI3
    const types = await openapiTS(description, { alphabetize: true, immutable: true })
    return `/** Made from what the daemon says of its routes, by \`test/web/api-types.ts\`. */\n${astToString(types)}`
  } finally {
    await daemon.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(target, await made())
