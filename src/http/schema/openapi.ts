/** The machine-readable description, made from the very schemas that check requests. */
import { STATUS_CODES } from 'node:http'
import * as z from 'zod'
import { version } from '../../version.ts'
import { byPath, type Description } from '../route.ts'
import { isV1, type ProblemCode, statusOf } from './problems.ts'
import { HTTPValidationError, Problem, V1Problem } from './shapes.ts'

type Json = Readonly<Record<string, unknown>>

/** The document as JSON text, made when it is first asked for. */
export const createDescription = (routes: readonly Description[]): (() => string) => {
  let text: string | undefined
  return () => {
    text ??= JSON.stringify(describe(routes))
    return text
  }
}

export const describe = (routes: readonly Description[]): Json => {
  const components = new Map<string, Json>()
  const paths = [...byPath(routes)].map(([path, here]) => [
    path,
    Object.fromEntries(here.map((route) => [route.method, operationOf(route, components)])),
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Daimon', version },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))) },
  }
}

type Components = Map<string, Json>

const operationOf = (route: Description, components: Components): Json => {
  const { method, path, summary, reply } = route
  const parameters = [...pathParameters(path), ...queryParameters(route, components)]
  return {
    operationId: `${method}${path.replaceAll(/\W+/g, '_').replace(/_$/, '')}`,
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(route, components),
    responses: {
      '200': {
        description: 'OK',
        content: { ...replyOf(reply, components), ...eventsOf(route, components) },
      },
      ...refusalsOf(route, components),
    },
  }
}

const replyOf = (reply: Description['reply'], components: Components): Json => {
  if (reply === 'file') return { '*/*': {} }
  if (typeof reply === 'object' && 'lines' in reply)
    return { 'application/x-ndjson': { schema: schemaOf(reply.lines, components) } }
  return typeof reply === 'string' ? { [reply]: { schema: { type: 'string' } } } : jsonOf(reply, components)
}

const bodyOf = ({ body, form }: Description, components: Components): Json => {
  if (body) return { requestBody: { required: true, content: jsonOf(body, components) } }
  if (form)
    return {
      requestBody: {
        required: true,
        content: { 'multipart/form-data': { schema: schemaOf(form, components) } },
      },
    }
  return {}
}

const eventsOf = ({ events }: Description, components: Components): Json =>
  events ? { 'text/event-stream': { schema: schemaOf(events, components) } } : {}

const pathParameters = (path: string): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const queryParameters = ({ query }: Description, components: Components): readonly Json[] =>
  Object.entries(query?.shape ?? {}).map(([name, field]) => {
    const required = !z.safeParse(field, undefined).success
    const { description, ...schema } = schemaOf(field, components)
    return { name, in: 'query', required, ...(description ? { description } : {}), schema }
  })

const refusalsOf = ({ path, body, form, query, refuses }: Description, components: Components): Json => {
  const shape: readonly ProblemCode[] = [
    ...(body || form ? (['body_too_large', 'invalid'] as const) : []),
    ...(query ? (['invalid'] as const) : []),
  ]
  const statuses = [...new Set([...shape, ...refuses].map(statusOf))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const schema = isV1(path) ? V1Problem : status === statusOf('invalid') ? HTTPValidationError : Problem
      return [String(status), { description: STATUS_CODES[status], content: jsonOf(schema, components) }]
    }),
  )
}

const jsonOf = (schema: z.ZodType, components: Components): Json => ({
  'application/json': { schema: schemaOf(schema, components) },
})

/** A schema with a name becomes a component and a reference to it; so do those it is made of. */
const schemaOf = (schema: z.core.$ZodType, components: Components): Json => {
  const made = z.toJSONSchema(schema, {
    io: 'input',
    // A file is no JSON: what it says of itself stands for it.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Says that a handler does not change it, not that a client may not send it.
      delete jsonSchema.readOnly
    },
  })
  const {
    $schema: _,
    $defs = {},
    ...own
  } = JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/'))
  for (const [name, { id: _id, ...part }] of Object.entries<Json>($defs)) components.set(name, part)
  return own
}
