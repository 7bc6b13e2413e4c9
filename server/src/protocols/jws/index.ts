/** JSON Web Signatures (RFC 7515, 7518) and the compact JWTs made of them (RFC 7519, 8725): signing, reading and judging. */
export { isJwsAlgorithm, type JwsAlgorithm, verifyJws } from './algorithms.js'
export { type CompactJwt, readCompactJwt, signCompactJwt, verifyCompactJwt } from './compact-jwt.js'
export { isSignedByJwks } from './verify-by-jwks.js'
