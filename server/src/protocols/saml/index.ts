/**
 * SAML 2.0 (Core, Bindings, Profiles, Metadata) with XML Signature and XML Encryption, in both roles: builds messages, and verifies those of
 * peers. Pure: times, keys and expectations are arguments. A verifier never throws because of a message: it returns the result of every
 * check, and the content of the message only if all of them passed.
 */
export { buildAuthnRequest } from './authn-request/build-authn-request.js'
export {
  type AuthnRequest,
  type AuthnRequestExpectations,
  verifyAuthnRequest,
} from './authn-request/verify-authn-request.js'
export type { BoundMessage } from './bindings/open-message.js'
export { formFields, newId, redirectUrl } from './bindings/write-message.js'
export { type Check, failuresIn, rejectedSignature, rejectionFacts } from './checks.js'
export { type Certificate, readCertificate } from './crypto/certificates.js'
export { makeCertificate } from './crypto/make-certificate.js'
export type { SigningKey } from './crypto/sign-element.js'
export {
  type BrowserMessage,
  buildLogoutRequest,
  buildLogoutResponse,
  logoutRequestFor,
  logoutResponseFor,
} from './logout/build-logout.js'
export { type LogoutServices, type LogoutUrls, logoutServices, logoutUrlsOf } from './logout/logout-services.js'
export { type LogoutRequest, type OpenedLogout, openLogout } from './logout/verify-logout.js'
export { buildIdpMetadata, buildSpMetadata } from './metadata/build-metadata.js'
export { type IdpMetadata, parseIdpMetadata, parseSpMetadata, type SpMetadata } from './metadata/parse-metadata.js'
export type { Service } from './metadata/read-entity.js'
export {
  buildErrorResponse,
  buildResponse,
  type ResponseAttribute,
  type ResponseOptions,
} from './response/build-response.js'
export type { AssertionSubject, NameId } from './response/read-subject.js'
export type { ResponseCheckId, ResponseExpectations } from './response/response-expectations.js'
export { type OpenedResponse, openResponse, verifyResponse } from './response/verify-response.js'
export { AUTHN_CONTEXTS, NAME_ID_FORMATS, STATUS_CODES } from './xml/names.js'
