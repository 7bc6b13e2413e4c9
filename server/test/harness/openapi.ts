import type { TestService } from './service.js'

/** The parts of a JSON schema that tests read. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  const?: unknown
  enum?: unknown[]
  pattern?: string
  minimum?: number
  minItems?: number
}

export interface DocumentedRoute {
  method: string
  /** The path with `{name}` for each parameter. */
  path: string
  /** Names of the path parameters. */
  params: string[]
  /** Names of the query parameters. */
  query: string[]
  /** `public`, `signed-in` or a permission. */
  permission: string
  /** The schema of the JSON body; undefined without a body. */
  body: Schema | undefined
  /** Whether the route also accepts a form body. */
  takesForm: boolean
  /** Names of the fields of a form body. */
  formFields: string[]
  /** Whether errors have the OAuth format (RFC 6749 5.2) instead of problem documents. */
  isOAuth: boolean
  /** Whether the route requires a SCIM token and returns SCIM errors (RFC 7644 3.12). */
  isScim: boolean
}

interface Operation {
  description?: string
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses?: Record<string, { content?: Record<string, unknown> }>
}

const FORM = 'application/x-www-form-urlencoded'

/** Returns every route of `/openapi.json`, so that tests generated from it cover new routes. */
export async function documentedRoutes({ urls }: Pick<TestService, 'urls'>): Promise<DocumentedRoute[]> {
  const document = (await (await fetch(`${urls[0]}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { description = '', parameters = [], requestBody, responses = {} }]) => ({
      method: method.toUpperCase(),
      path,
      params: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string),
      query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      permission: /Permission: `([\w:-]+)`\./.exec(description)?.[1] ?? 'public',
      body: requestBody?.content['application/json']?.schema,
      takesForm: requestBody?.content[FORM] !== undefined,
      formFields: Object.keys(requestBody?.content[FORM]?.schema.properties ?? {}),
      isOAuth: Object.entries(responses).some(
        ([status, { content }]) => Number(status) >= 400 && content?.['application/json'] !== undefined,
      ),
      isScim: path.startsWith('/scim/'),
    })),
  )
}

export const nameOf = ({ method, path }: DocumentedRoute): string => `${method} ${path}`

/** Fills in the parameters of a path. */
export const pathWith = (path: string, values: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

const TEXTS = ['text', 'someone@example.com', 'https://example.com/x', '#112233', 'example.com', 'a-slug']

/** Returns a valid value for the schema. Objects have every declared property. */
export function sampleOf(schema: Schema): unknown {
  const { type, anyOf, properties = {} } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (anyOf) return sampleOf(anyOf[0] ?? {})
  if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([k, child]) => [k, sampleOf(child)]))
  if (type === 'array') return schema.minItems ? [sampleOf(schema.items ?? {})] : []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  return TEXTS.find((text) => new RegExp(schema.pattern ?? '').test(text)) ?? 'text'
}

/** Like `sampleOf`, but objects have only their required properties. */
export function minimalSampleOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const sample = (name: string) => (/email$/i.test(name) ? 'someone@example.com' : sampleOf(properties[name] ?? {}))
  return Object.fromEntries(required.map((name) => [name, sample(name)]))
}

const KINDS: [type: string, value: unknown][] = [
  ['string', 'text'],
  ['number', 7],
  ['boolean', true],
  ['null', null],
  ['array', ['x']],
  ['object', { x: 1 }],
]

/** Returns one value of each JSON type that the schema does not allow. */
export function wrongTypesFor(schema: Schema): unknown[] {
  const options = schema.anyOf ?? [schema]
  if (options.some(({ type }) => type === undefined)) return []
  const taken = options.map(({ type }) => (type === 'integer' ? 'number' : type))
  return KINDS.filter(([type]) => !taken.includes(type)).map(([, value]) => value)
}
