/** Whose directory it is, as the address of the page names them. */
export const scimVendors = ['okta', 'entra', 'google', 'onelogin', 'other'] as const

export type ScimVendor = (typeof scimVendors)[number]

/** Makes Entra ID send PATCH and `active` as RFC 7644 has them. */
const ENTRA_FLAG = '?aadOptscim062020'

/** What the directory is given as our address. @param service where the service answers, without a slash at its end */
export function scimAddress(service: string, slug: string, vendor: ScimVendor): string {
  return `${service}/scim/v2/${slug}${vendor === 'entra' ? ENTRA_FLAG : ''}`
}
