/**
 * SAML 2.0 (Core, Bindings, Profiles, Metadata) with XML Signature and XML Encryption, in both roles: messages are built, and messages of
 * peers are judged. Pure: times, keys and what is expected are arguments. A judge never throws for what a message is; it answers with
 * every check that it made, and with what the message says only if all of them passed.
 */
export { type AuthnRequestOptions, buildAuthnRequest } from './build-authn-request.js'
export { buildIdpMetadata, type IdpMetadataOptions } from './build-idp-metadata.js'
export {
  buildLogoutRequest,
  buildLogoutResponse,
  type LogoutName,
  type LogoutRequestOptions,
  type LogoutResponseOptions,
} from './build-logout.js'
export {
  buildErrorResponse,
  buildResponse,
  type ErrorResponseOptions,
  type ResponseAttribute,
  type ResponseOptions,
} from './build-response.js'
export { buildSpMetadata, type SpMetadataOptions } from './build-sp-metadata.js'
export { type Certificate, readCertificate } from './certificates.js'
export type { Check } from './checks.js'
export type { RequiredSignatures } from './find-assertion.js'
export { makeCertificate } from './make-certificate.js'
export { AUTHN_CONTEXTS, BINDINGS, NAME_ID_FORMATS, STATUS_CODES } from './names.js'
export { newId } from './new-id.js'
export type { BoundMessage, MessageExpectations } from './open-message.js'
export { type IdpMetadata, parseIdpMetadata } from './parse-idp-metadata.js'
export { parseSpMetadata, type SpMetadata } from './parse-sp-metadata.js'
export type { MetadataProblem, MetadataQuestion, ParsedMetadata, Service } from './read-entity.js'
export type { AssertionSubject, NameId } from './read-subject.js'
export { redirectUrl } from './redirect-url.js'
export { RESPONSE_CHECKS, type ResponseCheckId, type ResponseExpectations } from './response-expectations.js'
export type { SigningKey } from './sign-element.js'
export {
  type AuthnRequest,
  type AuthnRequestExpectations,
  type AuthnRequestVerdict,
  type RegisteredServiceProvider,
  verifyAuthnRequest,
} from './verify-authn-request.js'
export {
  type LogoutRequest,
  type LogoutRequestVerdict,
  type LogoutResponse,
  type LogoutResponseVerdict,
  type OpenedLogout,
  openLogout,
  verifyLogoutRequest,
  verifyLogoutResponse,
} from './verify-logout.js'
export {
  type OpenedResponse,
  openResponse,
  type ResponseCheck,
  type ResponseMessage,
  type ResponseVerdict,
  verifyResponse,
} from './verify-response.js'
