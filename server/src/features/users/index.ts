/**
 * Identities: the person. One account for each address, whether the address is proven, and the person's own profile.
 *
 * Lives here: the account. Not here: what it may do in a team (members), how it proves itself (credentials, mfa, sso).
 * Tables: users. Errors: none of its own. Audit: recorded by the rooms that make, prove and delete accounts.
 */
export { createUsers } from './create-users.js'
export { normalizeEmail, readEmail } from './email-address.js'
export { BATCH_LIMITS, lockBatch } from './lock-batch.js'
export {
  adoptUser,
  clearOwnProfile,
  createUser,
  currentEpoch,
  deleteUser,
  findUserByEmail,
  lockAccountExclusively,
  lockUser,
  lockUserByEmail,
  lockUsersByEmail,
  nameUser,
  notePassword,
  noteSecondFactor,
  type OwnProfile,
  ownProfile,
  proveEmail,
  startNewEpoch,
  type User,
  writeEmail,
  writeOwnProfile,
} from './repository.js'
export { users } from './tables.js'
