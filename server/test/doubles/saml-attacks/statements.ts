import { ACS, at, IDP, SP, USER, VICTIM } from '../../peers/saml-peer.js'
import { type Hostile, nameId, right, rightResponse } from './attack.js'

/** Correctly signed responses with another recipient, an invalid time or no subject. */
export const STATEMENTS: Hostile[] = [
  [
    'a status that is not success',
    'status',
    () => rightResponse({ status: '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Requester"/>' }),
  ],
  [
    'success only in the second-level code',
    'status',
    () =>
      rightResponse({
        status:
          '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:StatusCode>',
      }),
  ],
  ['another issuer', 'issuer', () => right({ issuer: 'https://other.example' })],
  ['another issuer of the response', 'issuer', () => right({ responseIssuer: 'https://other.example' })],
  ['an issuer with a comment', 'issuer', () => right({ issuer: `${IDP}<!-- -->.attacker.example` })],
  ['another destination', 'destination', () => right({ destination: 'https://other.example/acs' })],
  ['another recipient', 'recipient', () => right({ recipient: 'https://other.example/acs' })],
  ['a recipient with the expected URL as a prefix', 'recipient', () => right({ recipient: `${ACS}.attacker.example` })],
  ['no recipient', 'recipient', () => right({ recipient: '' })],
  [
    'another audience',
    'audience',
    () =>
      right({
        audience:
          '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>',
      }),
  ],
  ['no audience', 'audience', () => right({ audience: '' })],
  [
    'a second restriction without us',
    'audience',
    () =>
      right({
        audience: `<saml:AudienceRestriction><saml:Audience>${SP}</saml:Audience></saml:AudienceRestriction><saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>`,
      }),
  ],
  ['an unknown condition', 'conditions', () => right({ conditions: '<saml:Condition xmlns:x="urn:x" x:type="y"/>' })],
  [
    'a response to the request of another user',
    'in_response_to',
    () => right({ responseTo: '_other', confirmationTo: '_other' }),
  ],
  ['a response whose assertion names another request', 'in_response_to', () => right({ confirmationTo: '_other' })],
  ['a response with only an unsigned InResponseTo', 'in_response_to', () => right({ confirmationTo: '' })],
  ['a response without InResponseTo', 'in_response_to', () => right({ responseTo: '', confirmationTo: '' })],
  ['a response to a request that was not sent', 'in_response_to', () => right(), { inResponseTo: null }],
  [
    'a response to a request that was not sent, named only outside',
    'in_response_to',
    () => right({ confirmationTo: '' }),
    { inResponseTo: null },
  ],
  ['expired 121 seconds ago', 'not_on_or_after', () => right({ end: at(-121) })],
  ['a confirmation expired 121 seconds ago', 'not_on_or_after', () => right({ notOnOrAfter: at(-121) })],
  ['expired exactly at the tolerance', 'not_on_or_after', () => right({ end: at(-120) })],
  ['valid in 121 seconds', 'not_before', () => right({ notBefore: at(121) })],
  ['a confirmation valid in 121 seconds', 'not_before', () => right({ confirmationNotBefore: at(121) })],
  ['issued in the future', 'issue_instant', () => right({ issueInstant: at(121) })],
  ['a malformed time', 'not_before', () => right({ notBefore: 'tomorrow' })],
  ['a confirmation without an expiry', 'not_on_or_after', () => right({ notOnOrAfter: '' })],
  ['no confirmation', 'subject_confirmation', () => right({ method: '' })],
  [
    'only a holder-of-key confirmation',
    'subject_confirmation',
    () => right({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
  ],
  [
    'only a sender-vouches confirmation',
    'subject_confirmation',
    () => right({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }),
  ],
  ['no AuthnStatement', 'authn_instant', () => right({ statement: '<!-- none -->' })],
  ['an authentication in the future', 'authn_instant', () => right({ authnInstant: at(121) })],
  ['an expired session', 'session_not_on_or_after', () => right({ sessionEnd: at(-121) })],
  ['no NameID', 'name_id', () => right({ nameId: '' })],
  [
    'two NameIDs',
    'name_id',
    () => right({ nameId: `<saml:NameID>${USER}</saml:NameID><saml:NameID>${VICTIM}</saml:NameID>` }),
  ],
  ['an empty NameID', 'name_id', () => right(nameId(''))],
  ['a NameID of white space', 'name_id', () => right(nameId(' \n '))],
  ['a NameID with surrounding white space', 'name_id', () => right(nameId(` ${VICTIM}`))],
  ['a NameID with only a comment', 'name_id', () => right(nameId('<!-- x -->'))],
  ['a NameID that is too long', 'name_id', () => right(nameId('x'.repeat(1_025)))],
  [
    'two subjects',
    'name_id',
    () =>
      right({
        subject: `<saml:Subject><saml:NameID>${USER}</saml:NameID></saml:Subject><saml:Subject><saml:NameID>${VICTIM}</saml:NameID></saml:Subject>`,
      }),
  ],
  ['an encrypted NameID', 'name_id', () => right({ nameId: '<saml:EncryptedID/>' })],
  ['an encrypted attribute', 'attributes', () => right({ attributes: '<saml:EncryptedAttribute/>' })],
]
