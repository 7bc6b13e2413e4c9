import { narrowClaimsParameter } from '../authorize/authorize-parameters.js'
import { handleClientRequest } from '../clients/client-request.js'
import type { ClientRequest } from '../clients/requesting-client.js'
import type { EngineResponse } from '../engine/engine.js'
import { defaultScopes } from '../model/default-scopes.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { LIFETIMES } from '../model/lifetimes.js'

/**
 * Starts a device authorization (RFC 8628 3.1): issues a device code for the token endpoint and a user code for the verification page. A
 * request without scopes gets the default scopes.
 */
export const startDeviceAuthorization = (deps: OidcProviderDeps, request: ClientRequest): Promise<EngineResponse> =>
  handleClientRequest(deps, request, {
    path: '/device/auth',
    prepare: (form, client) => {
      narrowClaimsParameter(form, client)
      if (!form.get('scope')) form.set('scope', defaultScopes(client, true).join(' '))
    },
    present: (body) => {
      const page = `${deps.config.frontendUrl}/device`
      return {
        ...body,
        verification_uri: page,
        verification_uri_complete: `${page}?${new URLSearchParams({ user_code: String(body.user_code) })}`,
        interval: LIFETIMES.devicePoll,
      }
    },
  })
