import { MAX_RESULTS } from '../list-query.js'
import type { ScimObjectShape } from '../list-response.js'
import { SERVICE_PROVIDER_CONFIG } from './urns.js'

/**
 * Returns the body of `/ServiceProviderConfig` (RFC 7643 section 5).
 * @param base the URL of the service provider, without a trailing slash
 */
export const describeServiceProvider = (base: string): ScimObjectShape => ({
  schemas: [SERVICE_PROVIDER_CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token of the team in the Authorization header.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})
