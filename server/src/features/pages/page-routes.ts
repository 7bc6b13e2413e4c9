/** The pages of the sign-in document; `:x` is one segment. Others are pages of the console, or 404. */
export const SIGN_IN_ROUTES = [
  '/setup',
  '/login',
  '/login/link',
  '/register',
  '/auth/verify',
  '/auth/sso/callback',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/confirm-email',
  '/invitations/:token',
  '/password-due',
  '/mfa',
  '/mfa/enroll',
  '/logged-out',
  '/logout',
  '/error',
  '/consent',
  '/device',
] as const

export const CONSOLE_ROUTES = [
  '/',
  '/home',
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/apps',
  '/account/teams',
  '/instance/mails',
  '/instance/mails/:id',
  '/try/callback',
  '/t/:slug',
  '/t/:slug/users',
  '/t/:slug/users/:id',
  '/t/:slug/users/:id/:tab',
  '/t/:slug/groups',
  '/t/:slug/groups/:id',
  '/t/:slug/invitations',
  '/t/:slug/roles',
  '/t/:slug/settings',
  '/t/:slug/settings/audit-retention',
  '/t/:slug/applications',
  '/t/:slug/applications/new',
  '/t/:slug/applications/:id',
  '/t/:slug/applications/:id/:tab',
  '/t/:slug/sso',
  '/t/:slug/sso/new',
  '/t/:slug/sso/:id',
  '/t/:slug/sso/:id/:tab',
  '/t/:slug/sso/:id/:tab/:run',
  '/t/:slug/directory',
  '/t/:slug/directory/ldap',
  '/t/:slug/directory/ldap/settings',
  '/t/:slug/directory/ldap/runs',
  '/t/:slug/directory/ldap/runs/:id',
] as const

const patternsOf = (routes: readonly string[]): RegExp[] =>
  routes.map((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`))

const SIGN_IN_PAGES = patternsOf(SIGN_IN_ROUTES)
const CONSOLE_PAGES = patternsOf(CONSOLE_ROUTES)

export const isSignInPage = (path: string): boolean => SIGN_IN_PAGES.some((pattern) => pattern.test(path))

export const isConsolePage = (path: string): boolean => CONSOLE_PAGES.some((pattern) => pattern.test(path))
