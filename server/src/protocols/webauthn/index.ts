/**
 * Passkeys (Web Authentication Level 3) for the relying party: creates the options of ceremonies and verifies the responses. Pure:
 * the caller creates and redeems challenges.
 */

export { authenticatorName } from './authenticator-names.js'
export { assertionOptions, type KnownCredential, registrationOptions } from './ceremony-options.js'
export { CEREMONY_TIMEOUT, PasskeyRejected, relyingPartyOf } from './relying-party.js'
export { type AssertionResponse, clientDataOf, type RegistrationResponse } from './responses.js'
export { verifyAssertion } from './verify-assertion.js'
export { type NewPasskey, verifyRegistration } from './verify-registration.js'
