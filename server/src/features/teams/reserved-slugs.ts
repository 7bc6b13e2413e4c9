/**
 * Slugs that no team can use: first segments of page and API URLs, so that a link to a team never looks like one of the product, and names
 * under which users expect the product itself.
 */
const RESERVED = new Set(
  `
  access account accounts admin administrator api api-tokens app applications assets audit auth billing blog callback
  config confirm-email consent console dashboard device directory docs domains download email error favicon
  forgot-password groups health help home instance internal invitations invite keyward livez logged-out login logos
  logout mail me metrics mfa new oauth onboard openapi org organization organizations password-due permissions
  policies postmaster privacy public readyz register reset-password root saml scim security session sessions settings
  setup sign-in sign-up signin signup sso static stats status store support system t terms test token try user users
  verify-email webhooks well-known www
`
    .trim()
    .split(/\s+/),
)

export const isReservedSlug = (slug: string): boolean => RESERVED.has(slug)
