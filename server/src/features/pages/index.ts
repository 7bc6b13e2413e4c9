/**
 * Pages: the HTML shell of the web front end with its nonce, boot data and content security policy, and the console's files.
 *
 * Here: the URLs of pages, the data before sign-in. Not here: the pages themselves (workspace `console`).
 * Owns: no tables. Errors: none. Audit: none.
 */
export { registerPages } from './register-pages.js'
export { pageRoutes } from './routes.js'
