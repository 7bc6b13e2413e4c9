import { ACS, at, IDP, SP, USER, VICTIM } from '../saml-peer.js'
import { type Hostile, nameId, right, rightResponse } from './attack.js'

/** Rightly signed, and not for us, not now, or about nobody. */
export const SAYINGS: Hostile[] = [
  [
    'a status that is not success',
    'status',
    () => rightResponse({ status: '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Requester"/>' }),
  ],
  [
    'success only in the second code',
    'status',
    () =>
      rightResponse({
        status:
          '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:StatusCode>',
      }),
  ],
  ['another issuer', 'issuer', () => right({ issuer: 'https://other.example' })],
  ['another issuer of the response', 'issuer', () => right({ responseIssuer: 'https://other.example' })],
  ['an issuer with a comment in it', 'issuer', () => right({ issuer: `${IDP}<!-- -->.attacker.example` })],
  ['another destination', 'destination', () => right({ destination: 'https://other.example/acs' })],
  ['another recipient', 'recipient', () => right({ recipient: 'https://other.example/acs' })],
  ['a recipient that only begins like ours', 'recipient', () => right({ recipient: `${ACS}.attacker.example` })],
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
    'a second restriction that we are not in',
    'audience',
    () =>
      right({
        audience: `<saml:AudienceRestriction><saml:Audience>${SP}</saml:Audience></saml:AudienceRestriction><saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>`,
      }),
  ],
  [
    'a condition that is not known',
    'conditions',
    () => right({ conditions: '<saml:Condition xmlns:x="urn:x" x:type="y"/>' }),
  ],
  [
    'an answer to a request of somebody else',
    'in_response_to',
    () => right({ responseTo: '_other', confirmationTo: '_other' }),
  ],
  ['an answer to another request inside', 'in_response_to', () => right({ confirmationTo: '_other' })],
  ['an answer that only the unsigned response names', 'in_response_to', () => right({ confirmationTo: '' })],
  ['an answer to nothing', 'in_response_to', () => right({ responseTo: '', confirmationTo: '' })],
  ['an answer where nobody asked', 'in_response_to', () => right(), { inResponseTo: null }],
  [
    'an answer where nobody asked, named outside alone',
    'in_response_to',
    () => right({ confirmationTo: '' }),
    { inResponseTo: null },
  ],
  ['121 seconds too late', 'not_on_or_after', () => right({ end: at(-121) })],
  ['121 seconds too late by the confirmation', 'not_on_or_after', () => right({ notOnOrAfter: at(-121) })],
  ['exactly too late', 'not_on_or_after', () => right({ end: at(-120) })],
  ['121 seconds too early', 'not_before', () => right({ notBefore: at(121) })],
  ['121 seconds too early by the confirmation', 'not_before', () => right({ confirmationNotBefore: at(121) })],
  ['issued in the future', 'issue_instant', () => right({ issueInstant: at(121) })],
  ['a time that is none', 'not_before', () => right({ notBefore: 'tomorrow' })],
  ['a confirmation without an end', 'not_on_or_after', () => right({ notOnOrAfter: '' })],
  ['no confirmation', 'subject_confirmation', () => right({ method: '' })],
  [
    'holder of key alone',
    'subject_confirmation',
    () => right({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
  ],
  [
    'sender vouches alone',
    'subject_confirmation',
    () => right({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }),
  ],
  ['no statement of an authentication', 'authn_instant', () => right({ statement: '<!-- none -->' })],
  ['an authentication in the future', 'authn_instant', () => right({ authnInstant: at(121) })],
  ['a session that is over', 'session_not_on_or_after', () => right({ sessionEnd: at(-121) })],
  ['no NameID', 'name_id', () => right({ nameId: '' })],
  [
    'two NameIDs',
    'name_id',
    () => right({ nameId: `<saml:NameID>${USER}</saml:NameID><saml:NameID>${VICTIM}</saml:NameID>` }),
  ],
  ['an empty NameID', 'name_id', () => right(nameId(''))],
  ['a NameID of white space', 'name_id', () => right(nameId(' \n '))],
  ['a NameID with white space around it', 'name_id', () => right(nameId(` ${VICTIM}`))],
  ['a NameID of a comment', 'name_id', () => right(nameId('<!-- x -->'))],
  ['a NameID without end', 'name_id', () => right(nameId('x'.repeat(1_025)))],
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
