/**
 * The verification of exports and proofs of the audit log without settings and database. A public API of its own: `audit/index.ts` loads the
 * database, and this folder does not.
 */
export { type PublicKeys, readPublicKeys } from './signed-head.js'
export { type FileReport, verifyFile } from './verify-file.js'
