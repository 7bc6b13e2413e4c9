/**
 * Users: one account for each email address, with its verification state and the own profile.
 *
 * In this module: the account. Not here: memberships and roles (members), authentication (authentication, passwords, mfa, sso).
 * Tables: users. Errors: none. Audit: recorded by the modules that create, verify and delete accounts.
 */
export { createUsers } from './create-users.js'
export { normalizeEmail, readEmail } from './email-address.js'
export { BATCH_LIMITS, lockBatch } from './lock-batch.js'
export {
  accountsDueForDeletion,
  cancelScheduledDeletion,
  clearOwnProfile,
  clearRegistrant,
  createUser,
  currentEpoch,
  deleteUser,
  findUserByEmail,
  lockAccountExclusively,
  lockUser,
  lockUserByEmail,
  lockUsers,
  lockUsersByEmail,
  markEmailVerified,
  type OwnProfile,
  ownProfile,
  recordPasswordSet,
  recordSecondFactor,
  scheduleDeletion,
  startNewEpoch,
  type User,
  writeEmail,
  writeOwnProfile,
} from './repository.js'
export { userColumn, users } from './tables.js'
