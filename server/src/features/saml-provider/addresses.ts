import type { ApplicationId } from '../../platform/ids.js'

export const BASE = '/api/v1/sso/saml-idp'

/** The addresses of an application's identity provider; the entity id is that of its metadata. */
export function addressesOf(baseUrl: string, appId: ApplicationId) {
  const base = `${baseUrl}${BASE}/${appId}`
  return { entityId: `${base}/metadata`, ssoUrl: `${base}/sso`, sloUrl: `${base}/slo`, startUrl: `${base}/start` }
}
