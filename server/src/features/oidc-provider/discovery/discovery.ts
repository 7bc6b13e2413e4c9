import type { Config } from '../../../platform/config/config.js'
import { CLAIMS_BY_SCOPE } from '../../oidc-config/index.js'
import { ENGINE_GRANT_TYPES } from '../engine/engine-client.js'
import type { Issuer } from '../model/issuer.js'
import { RESPONSE_MODES } from '../model/response-modes.js'

/**
 * Returns the metadata of an issuer (OpenID Connect Discovery 3, RFC 8414 2), the same at each of its URLs. The issuer of a team names the
 * token endpoint of all issuers; the issuer of an application names its own.
 */
export function discoveryOf(
  issuer: Issuer,
  { baseUrl, requireIntrospectionAuth }: Pick<Config, 'baseUrl' | 'requireIntrospectionAuth'>,
) {
  const { url, applicationId, keys } = issuer
  const proofs = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']
  const callerMethods = [...(requireIntrospectionAuth ? [] : ['none']), ...proofs]
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: applicationId ? `${url}/token` : `${baseUrl}/api/v1/oauth/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    pushed_authorization_request_endpoint: `${url}/request`,
    require_pushed_authorization_requests: false,
    device_authorization_endpoint: `${url}/device/auth`,
    end_session_endpoint: `${url}/end-session`,
    introspection_endpoint: `${baseUrl}/api/v1/oauth/introspect`,
    revocation_endpoint: `${baseUrl}/api/v1/oauth/revoke`,
    // Clients belong to a team, so the issuer of an application has no registration endpoint.
    ...(!applicationId && { registration_endpoint: `${url}/register` }),
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: [...RESPONSE_MODES],
    grant_types_supported: ENGINE_GRANT_TYPES,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [keys.idToken.algorithm],
    token_endpoint_auth_methods_supported: [...proofs, 'none'],
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    introspection_endpoint_auth_methods_supported: callerMethods,
    introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: callerMethods,
    revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: [...DPOP_ALGORITHMS],
    claims_supported: Object.values(CLAIMS_BY_SCOPE).flat(),
    claim_types_supported: ['normal'],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    service_documentation: `${baseUrl}/docs`,
  }
}

/** Accepted algorithms of DPoP proofs (RFC 9449). */
export const DPOP_ALGORITHMS = ['RS256', 'ES256'] as const

/** Accepted algorithms of client assertions (RFC 7523), as in the engine. */
export const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
