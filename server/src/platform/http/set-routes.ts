import Type from 'typebox'
import type { Actor } from './actor.js'
import { LARGE_BODY } from './body-limits.js'
import { entityTag } from './entity-tag.js'
import type { HttpExchange } from './http-exchange.js'
import type { Chapter } from './openapi/chapters.js'
import { defineRoute, type Route } from './route.js'

/** A set of IDs that belongs to an object, such as the members of a group. */
interface SetOf<Shown> {
  /** Ends with the parameter that names the object and the name of the set: `/api/v1/groups/:id/users`. */
  path: string
  /** The parameter of the path. */
  param: string
  tag: Chapter
  response: Type.TSchema
  /** The field of the body with the new IDs. */
  field: string
  read: OperationOf & { handle(actor: Actor, id: string): Promise<Shown> }
  replace: OperationOf & {
    handle(actor: Actor, id: string, ids: string[], ifMatch: string | undefined): Promise<Shown>
  }
  /** Returns the IDs of the set, for its ETag. */
  idsOf(shown: Shown): string[]
  /** Returns the response; default: the object as it is. */
  present?(shown: Shown): unknown
}

interface OperationOf {
  /** Neither `public` nor `signed-in`. */
  permission: string
  summary: string
  description?: string
  errors: readonly string[]
}

/** Declares the routes that read and replace a set: responses have an ETag of the set, which a replacement can require with `If-Match`. */
export function setRoutes<Shown>({ path, param, field, idsOf, present, ...set }: SetOf<Shown>): Route[] {
  const { read, replace, tag } = set
  const params = Type.Object({ [param]: Type.String() })
  const responses = { 200: set.response }
  const describe = (description?: string) =>
    `${description ? `${description} ` : ''}The response has an \`ETag\` of the set, for \`If-Match\`.`
  const send = (shown: Shown, http: HttpExchange) => {
    http.setHeader('etag', entityTag(idsOf(shown)))
    return present ? present(shown) : shown
  }
  return [
    defineRoute({
      method: 'GET',
      path,
      permission: read.permission,
      tag,
      summary: read.summary,
      description: describe(read.description),
      params,
      responses,
      errors: read.errors,
      handle: async ({ actor, params, http }) => send(await read.handle(actor, params[param] ?? ''), http),
    }),
    defineRoute({
      method: 'PUT',
      path,
      permission: replace.permission,
      tag,
      summary: replace.summary,
      description: describe(replace.description),
      params,
      bodyLimit: LARGE_BODY,
      body: Type.Object({ [field]: Type.Array(Type.String(), { maxItems: 10_000 }) }),
      headers: {
        'if-match': 'ETag of the set that you read; if the set has changed since, the request fails with 412',
      },
      responses,
      errors: [...replace.errors, 'stale_version'],
      handle: async ({ actor, params, body, http }) =>
        send(await replace.handle(actor, params[param] ?? '', body[field] ?? [], http.header('if-match')), http),
    }),
  ]
}
