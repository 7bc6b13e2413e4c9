import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { openToAll } from './cors.js'
import type { OidcProviderDeps } from './deps.js'
import { discoveryOf } from './discovery.js'
import { findIssuer } from './find-issuer.js'
import { ISSUER_BASE, issuerPathOf } from './issuer.js'
import { Discovery } from './schema.js'

const issuer = Type.String({ description: 'Id of a team, or of one of its applications' })
const FORMS = [
  { path: ':issuer', params: Type.Object({ issuer }) },
  { path: ':issuer/:application', params: Type.Object({ issuer, application: Type.String() }) },
]

/** The metadata of each issuer where RFC 8414 3.1 looks for them: the well-known part stands before the issuer's own path. */
export const metadataRoutes = (deps: OidcProviderDeps): Route[] =>
  FORMS.map(({ path, params }) =>
    defineRoute({
      method: 'GET',
      path: `/.well-known/oauth-authorization-server${ISSUER_BASE}/${path}`,
      permission: 'public',
      tag: 'OpenID Connect provider',
      summary: 'The metadata of the issuer, where RFC 8414 looks for them',
      dialect: 'oauth',
      params: params as Type.TObject,
      responses: { 200: Discovery },
      errors: ['issuer_not_found'],
      handle: async ({ params: named, origin, http }) => {
        openToAll(http)
        const at = issuerPathOf(named as { issuer: string; application?: string })
        return discoveryOf(await findIssuer(deps.db, deps, at, origin), deps.config)
      },
    }),
  )
