/** DPoP (RFC 9449): verifying the proof of a resource request, and the nonces for proofs. */

export { dpopNonce, isRecentNonce } from './nonce.js'
export { proofKeyError, verifyDpopProof } from './verify-proof.js'
