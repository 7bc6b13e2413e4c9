/** OAuth 2.0: the error codes that its endpoints return. */
export { OAUTH_ERRORS, oauthError } from './errors.js'
