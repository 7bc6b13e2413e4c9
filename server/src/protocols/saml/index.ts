/**
 * SAML 2.0 (Core, Bindings, Profiles, Metadata) with XML Signature and XML Encryption, in both roles: builds messages, and verifies those of
 * peers. Pure: times, keys and expectations are arguments. A verifier never throws because of a message: it returns the result of every
 * check, and the content of the message only if all of them passed.
 */
export { type AuthnRequestOptions, buildAuthnRequest } from './authn-request/build-authn-request.js'
export {
  type AuthnRequest,
  type AuthnRequestExpectations,
  type AuthnRequestVerdict,
  type RegisteredServiceProvider,
  verifyAuthnRequest,
} from './authn-request/verify-authn-request.js'
export type { BoundMessage, MessageExpectations } from './bindings/open-message.js'
export { redirectUrl } from './bindings/redirect-url.js'
export type { Check } from './checks.js'
export { type Certificate, readCertificate } from './crypto/certificates.js'
export { makeCertificate } from './crypto/make-certificate.js'
export type { SigningKey } from './crypto/sign-element.js'
export {
  buildLogoutRequest,
  buildLogoutResponse,
  type LogoutName,
  type LogoutRequestOptions,
  type LogoutResponseOptions,
} from './logout/build-logout.js'
export {
  type LogoutRequest,
  type LogoutRequestVerdict,
  type LogoutResponse,
  type LogoutResponseVerdict,
  type OpenedLogout,
  openLogout,
  verifyLogoutRequest,
  verifyLogoutResponse,
} from './logout/verify-logout.js'
export { buildIdpMetadata, type IdpMetadataOptions } from './metadata/build-idp-metadata.js'
export { buildSpMetadata, type SpMetadataOptions } from './metadata/build-sp-metadata.js'
export { type IdpMetadata, parseIdpMetadata } from './metadata/parse-idp-metadata.js'
export { parseSpMetadata, type SpMetadata } from './metadata/parse-sp-metadata.js'
export type { MetadataOptions, MetadataProblem, ParsedMetadata, Service } from './metadata/read-entity.js'
export { newId } from './new-id.js'
export {
  buildErrorResponse,
  buildResponse,
  type ErrorResponseOptions,
  type ResponseAttribute,
  type ResponseOptions,
} from './response/build-response.js'
export type { RequiredSignatures } from './response/find-assertion.js'
export type { AssertionSubject, NameId } from './response/read-subject.js'
export { RESPONSE_CHECKS, type ResponseCheckId, type ResponseExpectations } from './response/response-expectations.js'
export {
  type OpenedResponse,
  openResponse,
  type ResponseCheck,
  type ResponseMessage,
  type ResponseVerdict,
  verifyResponse,
} from './response/verify-response.js'
export { AUTHN_CONTEXTS, BINDINGS, NAME_ID_FORMATS, STATUS_CODES } from './xml/names.js'
