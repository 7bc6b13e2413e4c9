/** The addresses that the web front end serves; `:x` stands for one segment. Others are 404. */
export const PAGE_ROUTES = [
  '/',
  '/setup',
  '/login',
  '/login/link',
  '/register',
  '/auth/verify',
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
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/apps',
  '/account/teams',
  '/consent',
  '/device',
  '/try/callback',
  '/t/:slug',
  '/t/:slug/applications',
  '/t/:slug/applications/new',
  '/t/:slug/applications/:id',
  '/t/:slug/applications/:id/:tab',
] as const

const PATTERNS = PAGE_ROUTES.map((route) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`))

export const isPage = (path: string): boolean => PATTERNS.some((pattern) => pattern.test(path))
