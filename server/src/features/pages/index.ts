/**
 * Pages: the shell of the web front end. One HTML document with a nonce, its boot data and its policy, and the console's files.
 *
 * Lives here: which addresses are pages, what a page knows before sign-in. Not here: the pages themselves (workspace `console`).
 * Tables: none. Errors: none of its own. Audit: none.
 */
export { registerPages } from './register-pages.js'
export { pageRoutes } from './routes.js'
