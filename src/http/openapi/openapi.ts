/** Makes the OpenAPI document from the schemas that check the requests. */
import { STATUS_CODES } from 'node:http'
import * as z from 'zod'
import { version } from '../../../packages/kit/version.ts'
import { getStatus, isV1, type ProblemCode } from '../problems.ts'
import { byPath, type Description } from '../route.ts'
import { createExample, exampleText } from './examples.ts'
import { tags } from './tags.ts'

type Json = Readonly<Record<string, unknown>>

/** Returns a function that makes the document as JSON text on its first call. */
export const createOpenApi = (routes: readonly Description[]): (() => string) => {
  let text: string | undefined
  return () => {
    text ??= JSON.stringify(describe(routes))
    return text
  }
}

export const describe = (routes: readonly Description[]): Json => {
  const components = new Map<string, Json>()
  const paths = [...byPath(routes)].map(([path, pathRoutes]) => [
    path,
    Object.fromEntries(pathRoutes.map((route) => [route.method, createOperation(route, components)])),
  ])
  return {
    openapi: '3.1.0',
    info,
    // Relative, so that it works under any host name and port.
    servers: [{ url: '/', description: 'The daemon that served this document' }],
    // There is no authentication: the port is for this machine only.
    security: [],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))) },
  }
}

const info = {
  title: 'Daimon',
  version,
  description:
    'A local daemon that hosts persistent AI personas. It listens on loopback and has no authentication: every local program may call it, but pages of other sites may not.',
  contact: { name: 'The operator of this daemon' },
  license: { name: 'MIT', identifier: 'MIT' },
}

type Components = Map<string, Json>

const createOperation = (route: Description, components: Components): Json => {
  const { method, path, summary, description, tag, reply } = route
  const parameters = [...pathParameters(path), ...queryParameters(route, components)]
  return {
    operationId: `${method}${path.replaceAll(/\W+/g, '_').replace(/_$/, '')}`,
    summary,
    description,
    tags: [tag],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...createBody(route, components),
    responses: {
      '200': {
        description: 'OK',
        content: { ...createReply(reply, components), ...createEvents(route, components) },
      },
      ...describeRefusals(route, components),
    },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: createCurl(route, parameters, components) }],
  }
}

const createReply = (reply: Description['reply'], components: Components): Json => {
  if (reply === 'file') return { '*/*': {} }
  if (typeof reply === 'object' && 'lines' in reply)
    return toContent('application/x-ndjson', describeSchema(reply.lines, components), components)
  if (typeof reply === 'string')
    return { [reply]: { schema: { type: 'string' }, example: beginnings[reply] } }
  return toContent('application/json', describeSchema(reply, components), components)
}

const beginnings = {
  'text/calendar': 'BEGIN:VCALENDAR',
  'text/plain': '# HELP daimon_personas_running Personas that are served by an agent.',
}

const createBody = ({ body, form }: Description, components: Components): Json => {
  const sentShape = body ?? form
  if (!sentShape) return {}
  const type = form ? 'multipart/form-data' : 'application/json'
  return {
    requestBody: {
      required: true,
      content: toContent(type, describeSchema(sentShape, components), components),
    },
  }
}

const createEvents = ({ events }: Description, components: Components): Json =>
  events ? toContent('text/event-stream', describeSchema(events, components), components) : {}

const toContent = (type: string, schema: Json, components: Components): Json => ({
  [type]: { schema, example: createExample(schema, components) },
})

const pathParameters = (path: string): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: exampleText(name),
  }))

const queryParameters = ({ query }: Description, components: Components): readonly Json[] =>
  Object.entries(query?.shape ?? {}).map(([name, field]) => {
    const isRequired = !z.safeParse(field, undefined).success
    const { description, ...schema } = describeSchema(field, components)
    const example = createExample(schema, components, name)
    return {
      name,
      in: 'query',
      required: isRequired,
      ...(description ? { description } : {}),
      schema,
      example,
    }
  })

// Bodies of refusals.

const Problem = z.object({ detail: z.string() }).meta({ id: 'Problem' })

const ValidationError = z
  .object({
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
    type: z.string(),
    input: z.unknown().optional(),
    ctx: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ValidationError' })

const HTTPValidationError = z.object({ detail: z.array(ValidationError) }).meta({ id: 'HTTPValidationError' })

/** Clients of OpenAI's API read only `error`. */
const V1Problem = z
  .object({
    detail: z.union([z.string(), z.array(ValidationError)]),
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: 'V1Problem' })

const describeRefusals = (
  { path, body, form, query, refuses }: Description,
  components: Components,
): Json => {
  const shape: readonly ProblemCode[] = [
    'forbidden',
    ...(body || form ? (['body_too_large', 'invalid', 'too_busy'] as const) : []),
    ...(query ? (['invalid'] as const) : []),
  ]
  const statuses = [...new Set([...shape, ...refuses].map(getStatus))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const schema = isV1(path) ? V1Problem : status === getStatus('invalid') ? HTTPValidationError : Problem
      return [
        String(status),
        { description: STATUS_CODES[status], content: describeJson(schema, components) },
      ]
    }),
  )
}

const describeJson = (schema: z.ZodType, components: Components): Json => ({
  'application/json': { schema: describeSchema(schema, components) },
})

/** Returns a curl command with all required values. */
const createCurl = (
  { method, path, body, form }: Description,
  parameters: readonly Json[],
  components: Components,
) => {
  const requiredParameters = parameters.filter(
    (parameter) => parameter.in === 'query' && parameter.required === true,
  )
  const query = requiredParameters
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&')
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleText(name))
  const sentExample = createExample(describeSchema(body ?? form ?? z.undefined(), components), components)
  const fields =
    form && typeof sentExample === 'object' && sentExample !== null ? Object.entries(sentExample) : []
  return [
    `curl -s -X ${method.toUpperCase()} 'http://localhost:5370${place}${query && `?${query}`}'`,
    ...(body ? ["-H 'content-type: application/json'", `-d '${JSON.stringify(sentExample)}'`] : []),
    ...fields.map(([name, value]) => `-F '${name}=${form && isFile(form, name) ? '@' : ''}${value}'`),
  ].join(' ')
}

const isFile = (form: z.ZodObject, name: string): boolean =>
  z.globalRegistry.get(form.shape[name])?.format === 'binary'

/**
 * Puts a named schema into the components and returns a reference to it. Nested schemas are handled the same
 * way.
 */
const describeSchema = (schema: z.core.$ZodType, components: Components): Json => {
  const generatedSchema = z.toJSONSchema(schema, {
    io: 'input',
    // A file has no JSON schema. Its metadata is used.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // It means that a handler does not change the value, not that a client must not send it.
      delete jsonSchema.readOnly
    },
  })
  const {
    $schema: _,
    $defs = {},
    ...schemaFields
  } = JSON.parse(JSON.stringify(generatedSchema).replaceAll('"#/$defs/', '"#/components/schemas/'))
  for (const [name, { id: _id, ...part }] of Object.entries<Json>($defs)) components.set(name, part)
  return schemaFields
}
