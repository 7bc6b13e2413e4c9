import type { TestService } from './service.js'

/** A JSON schema as far as the tests read it. */
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
  /** With `{name}` for each parameter. */
  path: string
  /** Names of the path's parameters. */
  params: string[]
  /** Names of the query's parameters. */
  query: string[]
  /** `public`, `signed-in` or a permission. */
  permission: string
  /** Of the JSON body; undefined for a route that takes none. */
  body: Schema | undefined
  /** It takes the body as a form too. */
  takesForm: boolean
  /** It refuses in the words of OAuth (RFC 6749 5.2) and not by a problem document. */
  isOAuth: boolean
  /** A SCIM token opens it, and it refuses in the words of SCIM (RFC 7644 3.12). */
  isScim: boolean
}

interface Operation {
  description?: string
  parameters?: { in: string; name: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses?: Record<string, { content?: Record<string, unknown> }>
}

/** Every route that `/openapi.json` describes: tests made from it cover a route from the day that it is added. */
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
      takesForm: requestBody?.content['application/x-www-form-urlencoded'] !== undefined,
      isOAuth: Object.entries(responses).some(
        ([status, { content }]) => Number(status) >= 400 && content?.['application/json'] !== undefined,
      ),
      isScim: path.startsWith('/scim/'),
    })),
  )
}

export const nameOf = ({ method, path }: DocumentedRoute): string => `${method} ${path}`

/** The path with its parameters filled in. */
export const pathWith = (path: string, values: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

const TEXTS = ['text', 'someone@example.com', 'https://example.com/x', '#112233', 'example.com', 'a-slug']

/** A value that fits the schema; of an object with every declared property. */
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

/** As `sampleOf`, of an object with what it must have alone. */
export function leastOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
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

/** One value of each JSON type that the schema does not take. */
export function wrongTypesFor(schema: Schema): unknown[] {
  const options = schema.anyOf ?? [schema]
  if (options.some(({ type }) => type === undefined)) return []
  const taken = options.map(({ type }) => (type === 'integer' ? 'number' : type))
  return KINDS.filter(([type]) => !taken.includes(type)).map(([, value]) => value)
}
