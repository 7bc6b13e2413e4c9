/**
 * Logos: the images of the instance, of teams and of applications, fetched once from their publishers and served by the instance, so
 * that the publisher learns nothing about visitors and cannot replace the image unnoticed.
 *
 * Owns: logos. Not here: the logo URLs themselves (settings, teams, applications).
 * Errors: logo_not_found. Audit: none.
 */
export { LOGO_ERRORS } from './errors.js'
export { fetchLogo } from './fetch-logo.js'
export { type LogoStatus, logoStatusOf } from './find-logo.js'
export { purgeLogos } from './purge-logos.js'
export { logoRoutes } from './routes.js'
