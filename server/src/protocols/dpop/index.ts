/** DPoP (RFC 9449): verifying the proof of a resource request, and the nonces for proofs. */

export { dpopNonce, isRecentNonce, proofKeyError, verifyDpopProof } from './verify-proof.js'
