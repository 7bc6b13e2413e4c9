/**
 * Slugs that no team gets: the first segments of the addresses of pages and of the API, so that a link to a team never reads as one of the
 * product, and names under which the product itself would be expected.
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
