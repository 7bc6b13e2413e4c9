/**
 * Passkeys (Web Authentication Level 3) from the relying party's side: what to ask of a browser, and judging what it answers. Pure:
 * where challenges come from and how they are used up is the caller's.
 */
export { type AssertionAnswer, clientDataOf, type RegistrationAnswer } from './answers.js'
export { askToCreate, askToProve, type KnownCredential } from './ask.js'
export { authenticatorName } from './authenticator-names.js'
export { CEREMONY_TIMEOUT, PasskeyRejected, relyingPartyOf } from './relying-party.js'
export { verifyAssertion } from './verify-assertion.js'
export { type NewPasskey, verifyRegistration } from './verify-registration.js'
