import { describe, expect, it } from 'vitest'
import { invitationIn } from './invitation-in'

describe('invitationIn', () => {
  it('returns the token at the end of the path', () => {
    expect(invitationIn('/invitations/Ab_-9')).toBe('Ab_-9')
    expect(invitationIn('/invitations/Ab_-9/')).toBe('Ab_-9')
  })

  it.each([
    '/invitations/link',
    '/invitations/',
    '/invitations',
    '/invitations/a/b',
    '/x/invitations/a',
    '/invitations/a%2Fb',
  ])('is not %s', (path) => {
    expect(invitationIn(path)).toBeUndefined()
  })
})
