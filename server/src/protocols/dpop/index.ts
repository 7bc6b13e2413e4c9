/** Proofs of possession (RFC 9449): judging one that comes with a request for a resource, and the nonces that it must carry. */

export { dpopNonce, isRecentNonce } from './nonce.js'
export { proofKeyFault, verifyDpopProof } from './verify-proof.js'
