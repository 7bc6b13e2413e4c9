/** JSON Web Signatures (RFC 7515, 7518) and compact JWTs (RFC 7519, 8725): signing, parsing and verifying. */
export { isJwsAlgorithm, type JwsAlgorithm, verifyJws } from './algorithms.js'
export { type CompactJwt, readCompactJwt, signCompactJwt, verifyCompactJwt } from './compact-jwt.js'
export { isSignedByJwks } from './verify-by-jwks.js'
