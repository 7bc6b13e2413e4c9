import { narrowClaimsParameter } from '../authorize/authorize-parameters.js'
import { type ClientRequest, handleClientRequest } from '../clients/client-request.js'
import type { EngineResponse } from '../engine/engine.js'
import { defaultScopes } from '../model/default-scopes.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { LIFETIMES } from '../model/lifetimes.js'

/**
 * A device that cannot show a browser asks to be let in (RFC 8628 3.1): it gets a code for itself, and one that a person types on
 * a page of ours. Scopes that are not asked for are the default ones.
 */
export const startDeviceAuthorization = (deps: OidcProviderDeps, request: ClientRequest): Promise<EngineResponse> =>
  handleClientRequest(deps, request, {
    path: '/device/auth',
    prepare: (form, client) => {
      narrowClaimsParameter(form, client)
      if (!form.get('scope')) form.set('scope', defaultScopes(client, true).join(' '))
    },
    present: (answer) => {
      const body = JSON.parse(answer.body) as { user_code: string }
      const page = `${deps.config.frontendUrl}/device`
      return {
        ...answer,
        body: JSON.stringify({
          ...body,
          verification_uri: page,
          verification_uri_complete: `${page}?${new URLSearchParams({ user_code: body.user_code })}`,
          interval: LIFETIMES.devicePoll,
        }),
      }
    },
  })
