/**
 * Logos: the images of the instance, of teams and of applications, fetched once from their publishers and served by the instance, so
 * that the publisher learns nothing about visitors and cannot replace the image unnoticed.
 *
 * Tables: logos. Not here: the logo URLs themselves (settings, teams, applications).
 * Errors: logo_not_found. Audit: none.
 */

import type { Outbound } from '../../platform/http/outbound.js'
import { purgeJob } from '../../platform/jobs/purge-job.js'
import type { Module } from '../../platform/module.js'
import { LOGO_ERRORS } from './errors.js'
import { fetchLogo } from './fetch-logo.js'
import type { LogoDeps } from './find-logo.js'
import { LOGO_RETENTION } from './purge-logos.js'
import { logoRoutes } from './routes.js'

export { type LogoStatus, logoStatusOf } from './find-logo.js'
export { LOGO_RETENTION } from './purge-logos.js'

export const createLogos = (deps: LogoDeps & { outbound: Outbound }): Module => ({
  routes: logoRoutes(deps),
  jobs: [purgeJob(deps, 'logos.purge', LOGO_RETENTION), fetchLogo(deps)],
  errors: LOGO_ERRORS,
})
