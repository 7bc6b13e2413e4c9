import type { VendorLogoName } from '../../../ui/values/vendor-logo'

/** Directories with instructions, by their names in the URL of the page. */
export const scimVendors = ['okta', 'entra', 'google', 'onelogin', 'other'] as const

export type ScimVendor = (typeof scimVendors)[number]

export const scimVendorLogos: Readonly<Record<ScimVendor, VendorLogoName | undefined>> = {
  okta: 'okta',
  entra: 'microsoft',
  google: 'google',
  onelogin: undefined,
  other: undefined,
}

/** Makes Entra ID send PATCH and `active` as specified in RFC 7644. */
const ENTRA_FLAG = '?aadOptscim062020'

/** Returns the base URL for a directory. @param service origin of the service, without a trailing slash */
export function scimBaseUrl(service: string, slug: string, vendor: ScimVendor): string {
  return `${service}/scim/v2/${slug}${vendor === 'entra' ? ENTRA_FLAG : ''}`
}
