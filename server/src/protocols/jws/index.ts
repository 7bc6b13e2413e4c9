/**
 * JSON Web Signatures (RFC 7515, 7518), JWK sets (RFC 7517) and compact JWTs (RFC 7519, 8725): signing, parsing and verifying. All tokens
 * are verified with node:crypto, own ones and those of third parties: `jose` takes two to five times as long.
 */
export { isJwsAlgorithm, verifyJws } from './algorithms.js'
export {
  type CompactJwt,
  encodeJwtPart,
  readCompactJwt,
  rejectedParametersIn,
  signCompactJwt,
  verifyCompactJwt,
} from './compact-jwt.js'
export { isSignedByJwks, keysFor, type PublishedKey, readPublishedKeys } from './jwk-set.js'
