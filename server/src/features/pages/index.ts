/**
 * Pages: the HTML shell of the web front end with its nonce, boot data and content security policy, and the console's files.
 *
 * In this module: the URLs of pages, the data before sign-in. Not here: the pages themselves (workspace `console`).
 * Tables: none. Errors: none. Audit: none.
 */
import type { Module } from '../../platform/module.js'
import type { PageDeps } from './register-pages.js'
import { pageRoutes } from './routes.js'

export { registerPages } from './register-pages.js'

export const createPages = (deps: PageDeps): Module => ({ routes: pageRoutes(deps) })
