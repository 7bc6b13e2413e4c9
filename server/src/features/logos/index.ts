/**
 * Logos: the pictures of the instance, of teams and of applications, fetched once from where they are published and served by the
 * instance. So the publisher does not learn who looks at a page, and cannot exchange the picture unnoticed.
 *
 * Owns: logos. Not here: the logo URLs themselves (settings, organizations, applications).
 * Errors: logo_not_found. Audit: none.
 */
export { LOGO_ERRORS } from './errors.js'
export { fetchLogo } from './fetch-logo.js'
export { type LogoStatus, logoStatusOf } from './find-logo.js'
export { purgeLogos } from './purge-logos.js'
export { logoRoutes } from './routes.js'
