/** Values of `acr` and AuthnContextClassRef by which known providers indicate a second factor, and Microsoft's own. */
const TWO_FACTORS = new Set([
  'https://refeds.org/profile/mfa',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'http://schemas.microsoft.com/claims/multipleauthn',
  'urn:okta:loa:2fa:any',
  'phr',
  'phrh',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered',
  // A smart card and its PIN.
  'urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI',
])

export const namesTwoFactors = (context: unknown): boolean => typeof context === 'string' && TWO_FACTORS.has(context)
