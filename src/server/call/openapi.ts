import { z } from 'zod'
import { urlOf, type Call } from '#src/contract/call.ts'
import { sessionCodes } from '#src/contract/envelope.ts'

const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      delete (jsonSchema as { id?: string }).id
    },
  })
  return rest as { properties?: Record<string, object>; required?: string[] }
}
const envelope = (data: object) => ({
  type: 'object',
  required: ['status', 'msg', 'message', 'data'],
  properties: {
    status: {
      type: 'integer',
      description: '200 or 504: done. Anything else: refused, `message` says why.',
    },
    msg: { type: 'string' },
    message: { type: 'string' },
    data,
  },
})
const refusals: Record<string, string> = {
  400: 'Input refused: data.fields names the fault at each path',
  401: `Session: ${Object.entries(sessionCodes)
    .map(([why, code]) => `${code} ${why}`)
    .join(', ')}`,
  403: 'Not permitted',
  404: 'Not there, or outside the data scope',
  409: 'Changed since it was read: data.current is the row as it stands',
  422: 'A rule of the trade: data.rule is its code',
  503: 'Database unavailable: nothing changed, Retry-After says when',
}

/** What places the rows of a call, in words. */
const scopeOf = ({ scope }: Call): string => {
  if (scope === 'all') return 'all: shared by everybody'
  if (scope === 'own') return 'own: rows of the signed-in person'
  if ('none' in scope) return `none: ${scope.none}`
  const by = Object.entries(scope.by).map(([path, kind]) =>
    kind === scope.rows ? path : `${path} (${kind})`,
  )
  const named = by.length > 0 ? `, by ${by.join(', ')}` : ''
  return `${scope.rows}: rows within the caller’s data scope${named}`
}

const headersOf = (call: Call): object[] => [
  { name: 'region', in: 'header', schema: { type: 'string', default: 'pro' } },
  {
    name: 'Accept-Language',
    in: 'header',
    schema: { type: 'string', enum: ['zh-CN', 'en'] },
  },
  ...(call.kind === 'write' && !call.quiet
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description: 'The same key answers the first result for 24 hours',
          schema: { type: 'string', minLength: 8, maxLength: 255 },
        },
      ]
    : []),
]
const queryOf = (input: ReturnType<typeof schemaOf>): object[] =>
  Object.entries(input.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: input.required?.includes(name) ?? false,
    schema,
    style: 'form',
    explode: false,
  }))
const refusalsTold = Object.fromEntries(
  Object.entries(refusals).map(([status, description]) => [
    status,
    {
      description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    },
  ]),
)
const operationOf = (call: Call): object => {
  const input = schemaOf(call.input, 'input')
  const asQuery = call.method === 'GET'
  return {
    operationId: `${call.method.toLowerCase()}_${call.path.replace(/\W+/g, '_')}`,
    summary: `${call.title[0]} · ${call.title[1]}`,
    tags: [call.path.replace(/^\/api\/api\//, '').split('/')[0]],
    'x-permit': call.permit,
    'x-scope': scopeOf(call),
    'x-kind': call.kind,
    ...(call.permit === 'public' && { security: [] }),
    parameters: [...headersOf(call), ...(asQuery ? queryOf(input) : [])],
    ...(!asQuery && {
      requestBody: { required: true, content: { 'application/json': { schema: input } } },
    }),
    responses: {
      200: {
        description: 'Done',
        content: { 'application/json': { schema: envelope(schemaOf(call.output, 'output')) } },
      },
      ...refusalsTold,
    },
  }
}
/** The OpenAPI 3.1 document of the calls, made of the same contracts that the server runs on. */
export const openApiOf = (calls: readonly Call[]): object => {
  const paths: Record<string, Record<string, object>> = {}
  for (const call of calls)
    paths[urlOf(call)] = {
      ...paths[urlOf(call)],
      [call.method.toLowerCase()]: operationOf(call),
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mallet manageback',
      version: '1',
      description:
        'Money in integer cents, time in unix seconds. Every call answers an envelope; its HTTP status mirrors the envelope, 401 for 41000x.',
    },
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authori-zation',
          description: '`Bearer ` and the token of /api/manageback/login',
        },
      },
      schemas: {
        Refusal: envelope({
          type: ['object', 'null'],
          properties: {
            fields: { type: 'object', additionalProperties: { type: 'string' } },
            rule: { type: 'string' },
          },
        }),
      },
    },
    paths,
  }
}

const html = (text: unknown) =>
  String(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
/** The same for people: one page, no script. */
export const docsPage = (
  calls: readonly Call[],
): string => `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mallet API</title>
<style>body{font:15px/1.6 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}code,pre{font-size:13px}pre{background:#8881;padding:1rem;overflow:auto}summary{cursor:pointer;padding:.3rem 0}small{color:#767676}</style>
<h1>Mallet manageback</h1><p>${calls.length} calls · <a href="/api/docs.json">OpenAPI 3.1</a></p>
${calls
  .map(
    call => `<details><summary><b>${call.method}</b> <code>${html(urlOf(call))}</code> ${html(call.title[0])} <small>${html(call.title[1])} · ${html(call.permit)} · ${html(scopeOf(call))}</small></summary>
<h4>Input</h4><pre>${html(JSON.stringify(schemaOf(call.input, 'input'), null, 2))}</pre><h4>Data</h4><pre>${html(JSON.stringify(schemaOf(call.output, 'output'), null, 2))}</pre></details>`,
  )
  .join('\n')}</html>`
