import { describe, expect, it } from 'vitest'
import { ldapWords, ssoReportWords as reportWords } from '../../words'

/** The checks of a SAML response and of an ID token. */
const ids =
  `readable well_formed message status signature issuer destination issue_instant not_before not_on_or_after assertion
  encryption subject_confirmation recipient in_response_to audience conditions authn_instant session_not_on_or_after name_id
  attributes subject used_once algorithm nonce expiry issued_at saved_by`.split(/\s+/)

describe('the name of a check', () => {
  it('states no result, because a failed check shows it as well', () => {
    expect(`${reportWords.stateOf('failed')}: ${reportWords.check('signature')}`).toBe('Failed: Signature')
    for (const id of ids) expect(reportWords.check(id)).not.toMatch(/^Its? |\b(?:is|was|has|agrees)\b/)
    expect(`${ldapWords.stateOf('failed')}: ${ldapWords.check('bind')}`).toBe('Failed: Bind account')
    for (const id of ['resolve', 'connect', 'tls', 'bind', 'base', 'users', 'groups', 'search'])
      expect(ldapWords.check(id)).not.toMatch(/^Its? |\b(?:is|was|has|can|shows)\b/)
  })
})
