import Type from 'typebox'
import type { Actor } from '../../platform/http/actor.js'
import { declaredFields } from '../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { OidcConfigDeps } from './deps.js'
import { type OidcConfiguration, readConfiguration } from './queries.js'

export const TAG = 'OIDC configuration'
export const CONFIG = '/api/v1/applications/:appId/oidc-config'
const applicationParams = Type.Object({ appId: Type.String() })
/** The common properties of the routes that read or change the configuration of an application. */
export const READ = { permission: 'oidc-config:read', tag: TAG, params: applicationParams } as const
export const WRITE = { permission: 'oidc-config:write', tag: TAG, params: applicationParams } as const
export const APPLICATION_ERRORS = ['application_not_found', 'application_not_oidc'] as const

interface List<Item extends Type.TSchema> {
  path: string
  summary: string
  description?: string
  item: Item
  select: (configuration: OidcConfiguration) => Type.Static<Item>[]
}

/** Creates the route that lists one part of the configuration of an application. */
export const listRoute = <Item extends Type.TSchema>(
  deps: OidcConfigDeps,
  { path, summary, description, item, select }: List<Item>,
): Route =>
  defineRoute({
    ...READ,
    method: 'GET',
    path,
    summary,
    ...(description && { description }),
    responses: { 200: Type.Object({ data: Type.Array(item) }) },
    errors: APPLICATION_ERRORS,
    handle: async ({ actor, params }) =>
      ({ data: select(await readConfiguration(deps, actor, params.appId)) }) as never,
  })

/** A part of the configuration: the application has any number of entries, such as scopes. */
interface Part<Entry, Body extends Type.TSchema, Input> {
  /** The singular noun of the summaries. */
  noun: string
  path: string
  /** The name of the path parameter that is the ID of an entry. */
  id: string
  body: Body
  select: (configuration: OidcConfiguration) => Entry[]
  present: (entry: Entry) => Type.Static<Body>
  /** Other routes below the path. */
  others?: Route[]
  create: {
    body: Type.TObject
    errors: string[]
    run: (deps: OidcConfigDeps, actor: Actor, appId: string, wanted: Input) => Promise<Entry>
  }
  update: {
    body: Type.TObject
    errors: string[]
    run: (deps: OidcConfigDeps, actor: Actor, appId: string, id: string, change: Partial<Input>) => Promise<Entry>
  }
  remove: {
    errors: string[]
    run: (deps: OidcConfigDeps, actor: Actor, appId: string, id: string) => Promise<string>
  }
}

/** Creates the routes that create, list, change and delete the entries of a part of the configuration. */
export function partRoutes<Entry, Body extends Type.TSchema, Input extends object>(
  deps: OidcConfigDeps,
  { noun, path, id, body, select, present, others = [], create, update, remove }: Part<Entry, Body, Input>,
): Route[] {
  const one = { path: `${path}/:${id}`, params: Type.Object({ appId: Type.String(), [id]: Type.String() }) }
  const idsOf = (params: Record<string, string>) => [params.appId ?? '', params[id] ?? ''] as const
  return [
    defineRoute({
      ...WRITE,
      method: 'POST',
      path,
      summary: `Add a ${noun}`,
      body: create.body,
      responses: { 201: body },
      errors: [...APPLICATION_ERRORS, ...create.errors],
      handle: async ({ actor, params, body: wanted }) =>
        present(await create.run(deps, actor, params.appId, declaredFields(wanted as Input, create.body))),
    }),
    listRoute(deps, {
      path,
      summary: `List the ${noun}s of an application`,
      item: body,
      select: (configuration) => select(configuration).map(present),
    }),
    ...others,
    defineRoute({
      ...WRITE,
      ...one,
      method: 'PUT',
      summary: `Change the given fields of a ${noun}`,
      body: update.body,
      responses: { 200: body },
      errors: [...APPLICATION_ERRORS, ...update.errors],
      handle: async ({ actor, params, body: change }) =>
        present(await update.run(deps, actor, ...idsOf(params), declaredFields(change as Input, update.body))),
    }),
    defineRoute({
      ...WRITE,
      ...one,
      method: 'DELETE',
      summary: `Delete a ${noun}`,
      responses: { 200: Type.Object({ deleted: Type.Literal(true), id: Type.String() }) },
      errors: [...APPLICATION_ERRORS, ...remove.errors],
      handle: async ({ actor, params }) => ({
        deleted: true,
        id: await remove.run(deps, actor, ...idsOf(params)),
      }),
    }),
  ]
}
