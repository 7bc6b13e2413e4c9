import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { DOCUMENT_HEADERS, documentAnswers } from '../../../platform/http/written-document.js'
import { Discovery } from '../authorize/schema.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { ISSUER_BASE, issuerPathOf } from '../model/issuer.js'
import { sendIssuerDocument } from './send-document.js'

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
      responses: documentAnswers(Discovery),
      headers: DOCUMENT_HEADERS,
      errors: ['issuer_not_found'],
      handle: (context) =>
        sendIssuerDocument(
          deps,
          'metadata',
          issuerPathOf(context.params as { issuer: string; application?: string }),
          context,
        ),
    }),
  )
