import type { TestService } from './service.js'

/** A JSON schema as far as the tests read it. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

export interface DocumentedRoute {
  method: string
  /** With `{name}` for each parameter. */
  path: string
  /** Names of the path's parameters. */
  params: string[]
  /** `public`, `signed-in` or a permission. */
  permission: string
  /** Of the JSON body; undefined for a route that takes none. */
  body: Schema | undefined
}

interface Operation {
  description?: string
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Every route that `/openapi.json` describes: tests made from it cover a route from the day that it is added. */
export async function documentedRoutes({ urls }: Pick<TestService, 'urls'>): Promise<DocumentedRoute[]> {
  const document = (await (await fetch(`${urls[0]}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { description = '', requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      params: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string),
      permission: /Permission: `([\w:-]+)`\./.exec(description)?.[1] ?? 'public',
      body: requestBody?.content['application/json']?.schema,
    })),
  )
}

export const nameOf = ({ method, path }: DocumentedRoute): string => `${method} ${path}`

/** The path with its parameters filled in. */
export const pathWith = (path: string, values: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
