import Type from 'typebox'
import { declaredFields } from '../../../platform/http/declared-fields.js'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { APPLICATION_ERRORS, applicationParams, CONFIG, Deleted, listRoute, TAG } from '../application-routes.js'
import type { OidcConfigDeps } from '../deps.js'
import { readConfiguration } from '../queries.js'
import { ATTRIBUTES } from './attributes.js'
import { createClaim, deleteClaim, updateClaim } from './change-claims.js'
import { Attributes, ClaimBody, CreateClaim, presentClaim, UpdateClaim } from './schema.js'

const tag = TAG
const params = applicationParams
const one = Type.Object({ appId: Type.String(), claimId: Type.String() })
const ALL = `${CONFIG}/claims`
const ONE = `${ALL}/:claimId`

export const claimRoutes = (deps: OidcConfigDeps): Route[] => [
  defineRoute({
    method: 'POST',
    path: ALL,
    permission: 'oidc-config:write',
    tag,
    summary: 'Add a claim',
    params,
    body: CreateClaim,
    responses: { 201: ClaimBody },
    errors: [...APPLICATION_ERRORS, 'claim_exists', 'limit_reached'],
    handle: async ({ actor, params, body }) =>
      presentClaim(await createClaim(deps, actor, params.appId, declaredFields(body, CreateClaim))),
  }),
  listRoute(deps, {
    path: ALL,
    summary: 'List the claims of an application',
    item: ClaimBody,
    select: ({ claims }) => claims.map(presentClaim),
  }),
  defineRoute({
    method: 'GET',
    path: `${ALL}/attributes`,
    permission: 'oidc-config:read',
    tag,
    summary: 'List the user attributes that a claim can contain',
    params,
    responses: { 200: Attributes },
    errors: APPLICATION_ERRORS,
    handle: async ({ actor, params }) => {
      await readConfiguration(deps, actor, params.appId)
      const data = Object.entries(ATTRIBUTES).map(([name, { description, type }]) => ({ name, description, type }))
      return { data }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    permission: 'oidc-config:write',
    tag,
    summary: 'Change the given fields of a claim',
    params: one,
    body: UpdateClaim,
    responses: { 200: ClaimBody },
    errors: [...APPLICATION_ERRORS, 'claim_not_found', 'claim_exists'],
    handle: async ({ actor, params, body }) =>
      presentClaim(await updateClaim(deps, actor, params.appId, params.claimId, declaredFields(body, UpdateClaim))),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    permission: 'oidc-config:write',
    tag,
    summary: 'Delete a claim',
    params: one,
    responses: { 200: Deleted },
    errors: [...APPLICATION_ERRORS, 'claim_not_found'],
    handle: async ({ actor, params }) => ({
      deleted: true,
      id: await deleteClaim(deps, actor, params.appId, params.claimId),
    }),
  }),
]
