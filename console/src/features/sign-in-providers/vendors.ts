import type { SsoProvider } from '../../api/contract'
import type { VendorLogoName } from '../../ui/values/vendor-logo'

/** The provider types of the service. */
export const vendors = ['VENDORA', 'VENDORB_AD', 'VENDORC_WORKSPACE', 'GENERIC_OIDC', 'GENERIC_SAML'] as const

export type Vendor = (typeof vendors)[number]

export type Protocol = 'OIDC' | 'SAML2'

/** Returns the vendor of a provider; the generic one of its protocol for an unknown type. */
export function vendorOf({ type, protocol }: Pick<SsoProvider, 'type' | 'protocol'>): Vendor {
  const known = vendors.find((vendor) => vendor === type)
  return known ?? (protocol === 'SAML2' ? 'GENERIC_SAML' : 'GENERIC_OIDC')
}

export const vendorLogos: Readonly<Record<Vendor, VendorLogoName | undefined>> = {
  VENDORA: 'okta',
  VENDORB_AD: 'microsoft',
  VENDORC_WORKSPACE: 'google',
  GENERIC_OIDC: 'openid',
  GENERIC_SAML: undefined,
}

/** Returns the protocols of a vendor, the simpler one first. */
export function protocolsOf(vendor: Vendor): readonly Protocol[] {
  if (vendor === 'GENERIC_OIDC') return ['OIDC']
  return vendor === 'GENERIC_SAML' ? ['SAML2'] : ['OIDC', 'SAML2']
}

/** Returns the issuer of a vendor that has only one. */
export function fixedIssuer(vendor: Vendor): string | undefined {
  return vendor === 'VENDORC_WORKSPACE' ? 'https://accounts.google.com' : undefined
}
