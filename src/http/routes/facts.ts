/** The JSON Schemas of all facts. */

import { createHash } from 'node:crypto'
import * as z from 'zod'
import { createLoader } from '../../../packages/kit/flow/loader.ts'
import { alreadySent, route } from '../route.ts'
import { sendCompressedJson } from '../server/json-response.ts'

/** The definitions are in `$defs`. */
const FactSchemas = z.looseObject({ title: z.string(), description: z.string() }).meta({ id: 'FactSchemas' })

const loadSchemas = createLoader(async () => {
  const { default: schemas } = await import('../../../facts/schema.json', { with: { type: 'json' } })
  const text = JSON.stringify(schemas)
  return { text, etag: `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"` }
})

export const getFactSchemaRoute = route({
  method: 'get',
  path: '/api/facts/schema',
  summary: 'The JSON Schema of every fact',
  description:
    'JSON Schema 2020-12, with its definitions in `$defs`. A definition with a `version` describes the `payload` of a fact in the journal; `<fact>@<version>` describes an older one. The response changes only with the version of the daemon: send its `ETag` as `If-None-Match`.',
  tag: 'Journal',
  reply: FactSchemas,
  head: true,
  handle:
    () =>
    async ({ request, response }) => {
      const { text, etag } = await loadSchemas()
      const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
      response.set(headers)
      // Not `request.fresh`: it is false for a client that also sends `Cache-Control: no-cache`.
      if (request.get('if-none-match')?.includes(etag)) response.status(304).end()
      else await sendCompressedJson(request, response, text, headers)
      return alreadySent
    },
})
