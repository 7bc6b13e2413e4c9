/** Verification of ID tokens by a relying party (OpenID Connect Core 3.1.3.7), with a report of every check. */
export { type Check, shown } from './check.js'
export { type Claims, check, mayNeedOtherKeys, verifyIdToken } from './verify-id-token.js'
export { type LogoutNotice, verifyLogoutToken } from './verify-logout-token.js'
