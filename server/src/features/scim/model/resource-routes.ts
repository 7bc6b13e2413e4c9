import Type from 'typebox'
import type { ScimActor } from '../../../platform/http/actor.js'
import { LARGE_BODY } from '../../../platform/http/body-limits.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import {
  type ListQuery,
  type Projection,
  type ResourceKind,
  readListQuery,
  readProjection,
  readSearchRequest,
  type ScimObject,
} from '../../../protocols/scim/index.js'
import {
  ListQueryShape,
  Nothing,
  PatchBody,
  ProjectionQuery,
  Resource,
  ResourceList,
  SearchBody,
  Team,
  TeamParams,
} from './schema.js'

/** Common settings of all SCIM routes. */
export const common = { permission: 'scim', tag: 'SCIM', dialect: 'scim', accepts: ['json', 'own'] } as const
const withBody = { bodyLimit: LARGE_BODY } as const
const projected = { query: ProjectionQuery, responses: { 200: Resource } } as const

/** The use cases of a resource type. */
interface ResourceUseCases<Deps> {
  list(deps: Deps, actor: ScimActor, query: ListQuery): Promise<unknown>
  create(deps: Deps, actor: ScimActor, body: unknown): Promise<ScimObject>
  read(deps: Deps, actor: ScimActor, id: string, projection: Projection): Promise<ScimObject>
  replace(deps: Deps, actor: ScimActor, id: string, body: unknown): Promise<ScimObject>
  /** @param requested undefined if the client selects no attributes. @returns undefined for 204 */
  patch(
    deps: Deps,
    actor: ScimActor,
    id: string,
    body: unknown,
    requested?: Projection,
  ): Promise<ScimObject | undefined>
  remove(deps: Deps, actor: ScimActor, id: string): Promise<void>
}

/** The documentation of each operation for the reference, with the errors that only this resource type has. */
export type ResourceDocs = Record<
  keyof ResourceUseCases<never>,
  Pick<Route, 'summary' | 'description' | 'errors'> & Partial<Pick<Route, 'responses'>>
>

/** Returns the routes of a resource type (RFC 7644 sections 3.2 to 3.6). @param body the body of POST and PUT */
export function resourceRoutes<Deps>(
  deps: Deps,
  kind: ResourceKind,
  body: Type.TSchema,
  useCases: ResourceUseCases<Deps>,
  docs: ResourceDocs,
): Route[] {
  const name = kind.toLowerCase()
  const path = `/scim/v2/:orgRef/${kind}s`
  const ofAll = { ...common, path, params: TeamParams } as const
  const params = Type.Object({ orgRef: Team, [`${name}Id`]: Type.String() })
  const ofOne = { ...common, path: `${path}/:${name}Id`, params } as const
  const idOf = (params: Record<string, string>) => params[`${name}Id`] ?? ''
  const listing = { responses: { 200: ResourceList }, errors: ['forbidden', 'invalidFilter', 'invalidPath'] }
  /** The errors of an operation on one resource. */
  const errorsOf = (operation: keyof ResourceDocs) => [
    'forbidden',
    `${name}_not_found`,
    ...(docs[operation].errors ?? []),
  ]
  return [
    defineRoute({
      ...ofAll,
      ...docs.list,
      ...listing,
      method: 'GET',
      query: ListQueryShape,
      handle: ({ actor, query }) => useCases.list(deps, actor, readListQuery(kind, query)),
    }),
    defineRoute({
      ...ofAll,
      ...withBody,
      ...listing,
      method: 'POST',
      path: `${path}/.search`,
      summary: `Search ${name}s with the query in the body instead of the URL`,
      body: SearchBody,
      handle: ({ actor, body }) => useCases.list(deps, actor, readSearchRequest(kind, body)),
    }),
    defineRoute({
      ...ofAll,
      ...withBody,
      ...docs.create,
      method: 'POST',
      query: ProjectionQuery,
      body,
      responses: { 201: Resource },
      errors: ['forbidden', ...(docs.create.errors ?? [])],
      handle: async ({ actor, query, body, http }) => {
        const projection = readProjection(kind, query)
        const resource = await useCases.create(deps, actor, body)
        http.setHeader('location', locationOf(resource))
        return projection.of(resource)
      },
    }),
    defineRoute({
      ...ofOne,
      ...projected,
      ...docs.read,
      method: 'GET',
      errors: errorsOf('read'),
      handle: ({ actor, params, query }) => useCases.read(deps, actor, idOf(params), readProjection(kind, query)),
    }),
    defineRoute({
      ...ofOne,
      ...withBody,
      ...projected,
      ...docs.replace,
      method: 'PUT',
      body,
      errors: errorsOf('replace'),
      handle: async ({ actor, params, query, body }) => {
        const projection = readProjection(kind, query)
        return projection.of(await useCases.replace(deps, actor, idOf(params), body))
      },
    }),
    defineRoute({
      ...ofOne,
      ...withBody,
      ...projected,
      ...docs.patch,
      method: 'PATCH',
      body: PatchBody,
      errors: [...errorsOf('patch'), 'invalidPath', 'noTarget', 'invalidFilter', 'mutability'],
      handle: async ({ actor, params, query, body, http }) => {
        const projection = readProjection(kind, query)
        const isRequested = query.attributes !== undefined || query.excludedAttributes !== undefined
        const requested = isRequested ? projection : undefined
        const resource = await useCases.patch(deps, actor, idOf(params), body, requested)
        if (!resource) http.status(204)
        return resource && projection.of(resource)
      },
    }),
    defineRoute({
      ...ofOne,
      ...docs.remove,
      method: 'DELETE',
      responses: { 204: Nothing },
      errors: errorsOf('remove'),
      handle: ({ actor, params }) => useCases.remove(deps, actor, idOf(params)),
    }),
  ]
}

/** Returns the Location header of a created resource (RFC 7644 section 3.3). */
const locationOf = ({ meta }: ScimObject): string =>
  String(typeof meta === 'object' && !Array.isArray(meta) ? ((meta as ScimObject).location ?? '') : '')
