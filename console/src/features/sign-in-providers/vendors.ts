import type { SsoProvider } from '../../api/contract'

/** Whose provider it is, as the service names them. */
export const vendors = ['VENDORA', 'VENDORB_AD', 'VENDORC_WORKSPACE', 'GENERIC_OIDC', 'GENERIC_SAML'] as const

export type Vendor = (typeof vendors)[number]

export type Protocol = 'OIDC' | 'SAML2'

/** The vendor of a provider that exists; one that this page does not know is treated as any other of its protocol. */
export function vendorOf({ type, protocol }: Pick<SsoProvider, 'type' | 'protocol'>): Vendor {
  const known = vendors.find((vendor) => vendor === type)
  return known ?? (protocol === 'SAML2' ? 'GENERIC_SAML' : 'GENERIC_OIDC')
}

/** By which protocols a vendor's provider can be reached, the simpler one first. */
export function protocolsOf(vendor: Vendor): readonly Protocol[] {
  if (vendor === 'GENERIC_OIDC') return ['OIDC']
  return vendor === 'GENERIC_SAML' ? ['SAML2'] : ['OIDC', 'SAML2']
}

/** Where there is only one issuer. */
export function fixedIssuer(vendor: Vendor): string | undefined {
  return vendor === 'VENDORC_WORKSPACE' ? 'https://accounts.google.com' : undefined
}
