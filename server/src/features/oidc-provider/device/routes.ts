import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import { CLIENT_ERRORS } from '../clients/protocol-errors.js'
import { sendEngineResponse } from '../engine/run-engine.js'
import { ensureBrowserToken } from '../model/browser-cookie.js'
import { preflight } from '../model/cors.js'
import type { OidcProviderDeps } from '../model/deps.js'
import {
  ISSUER_ENDPOINT,
  ISSUER_ROUTE_PATTERNS,
  OAUTH_TAG,
  OIDC_TAG,
  requireIssuerPath,
} from '../model/issuer-routes.js'
import { clientCredentials, optionalText } from '../model/schema.js'
import { startDeviceAuthorization } from './device-authorization.js'
import { verifyDeviceCode } from './verify-device-code.js'

const DeviceForm = Type.Object({
  ...clientCredentials,
  scope: optionalText("Separated by spaces; default: the application's default scopes"),
  resource: optionalText('RFC 8707'),
})

const DeviceAuthorizationBody = Type.Object({
  device_code: Type.String({ description: 'For the token endpoint' }),
  user_code: Type.String({ description: 'To show to the user: eight letters' }),
  verification_uri: Type.String({ description: 'The page on which the user enters the code' }),
  verification_uri_complete: Type.String({ description: 'The same page with the code, for a QR code' }),
  expires_in: Type.Integer({ description: 'Seconds' }),
  interval: Type.Integer({ description: 'Seconds to wait between two requests' }),
})

export const deviceRoutes = (deps: OidcProviderDeps): Route[] => [
  ...ISSUER_ROUTE_PATTERNS.flatMap(({ base, params }) => [
    preflight(`${base}/device/auth`, Type.Object(params), OIDC_TAG),
    defineRoute({
      ...ISSUER_ENDPOINT,
      method: 'POST',
      path: `${base}/device/auth`,
      summary: 'Start a device authorization (RFC 8628)',
      accepts: ['form'],
      isValidatedByEngine: true,
      params: Type.Object(params),
      body: DeviceForm,
      responses: { 200: DeviceAuthorizationBody },
      errors: ['issuer_not_found', ...CLIENT_ERRORS],
      handle: async ({ params: path, sent, origin, http }) => {
        const at = requireIssuerPath(path)
        return sendEngineResponse(http, await startDeviceAuthorization(deps, { sent, at, origin }))
      },
    }),
  ]),
  defineRoute({
    method: 'POST',
    path: '/api/v1/oauth/device/verify',
    permission: 'signed-in',
    tag: OAUTH_TAG,
    summary: 'Find the device that shows a code (RFC 8628 3.3)',
    description:
      'Read and decide the request under `{idp}/interaction/{uid}`. Dashes, spaces and case in the code are ignored.',
    body: Type.Object({ userCode: Type.String({ maxLength: 100 }) }),
    responses: { 200: Type.Object({ uid: Type.String(), idp: Type.String() }) },
    errors: ['device_code_not_found', 'rate_limited'],
    handle: ({ actor, body, http }) =>
      verifyDeviceCode(deps, actor, body.userCode, http.isFromConsole ? ensureBrowserToken(http) : undefined),
  }),
]
