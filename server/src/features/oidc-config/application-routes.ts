import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { OidcConfigDeps } from './deps.js'
import { type OidcConfiguration, readConfiguration } from './queries.js'

export const TAG = 'OIDC configuration'
export const CONFIG = '/api/v1/applications/:appId/oidc-config'
export const applicationParams = Type.Object({ appId: Type.String() })
export const APPLICATION_ERRORS = ['application_not_found', 'application_not_oidc'] as const
export const Deleted = Type.Object({ deleted: Type.Literal(true), id: Type.String() })

interface List<Item extends Type.TSchema> {
  path: string
  summary: string
  description?: string
  item: Item
  select: (configuration: OidcConfiguration) => Type.Static<Item>[]
}

/** Creates the route that lists one part of the configuration of an application. */
export const listRoute = <Item extends Type.TSchema>(
  deps: Pick<OidcConfigDeps, 'db'>,
  { path, summary, description, item, select }: List<Item>,
): Route =>
  defineRoute({
    method: 'GET',
    path,
    permission: 'oidc-config:read',
    tag: TAG,
    summary,
    ...(description && { description }),
    params: applicationParams,
    responses: { 200: Type.Object({ data: Type.Array(item) }) },
    errors: APPLICATION_ERRORS,
    handle: async ({ actor, params }) =>
      ({ data: select(await readConfiguration(deps, actor, params.appId)) }) as never,
  }) as Route
