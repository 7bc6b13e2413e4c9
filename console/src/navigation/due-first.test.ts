import { describe, expect, it } from 'vitest'
import type { SessionView } from '../api/session-keeper'
import { dueAfterSignIn, dueFirst } from './due-first'

const view = (mfa: Partial<SessionView['mfa']> = {}, mustChangePassword = false): SessionView => ({
  user: { id: 'ada', email: 'ada@example.com', firstName: null, lastName: null, teamId: 't', role: 'OWNER' },
  team: null,
  mustChangePassword,
  mfa: { enabled: false, required: false, enrollmentRequired: false, graceEndsAt: null, ...mfa },
})
const due = { required: true, enrollmentRequired: true }

describe('dueFirst', () => {
  it('returns null if nothing is required', () => {
    expect(dueFirst(view(), '/account')).toBeNull()
    expect(dueFirst(null, '/account')).toBeNull()
  })

  it('returns the password, then the second factor, with the destination', () => {
    expect(dueFirst(view(due, true), '/account')).toEqual({ to: '/password-due', search: { returnTo: '/account' } })
    expect(dueFirst(view(due), '/account')).toEqual({ to: '/mfa/enroll', search: { returnTo: '/account' } })
  })

  it('returns an optional setup only after a sign-in without a second factor', () => {
    const grace = { required: true, graceEndsAt: '2026-12-01T00:00:00Z' }
    expect(dueFirst(view(grace), '/')).toBeNull()
    expect(dueAfterSignIn(view(grace), '/')?.to).toBe('/mfa/enroll')
    expect(dueAfterSignIn(view({ ...grace, enabled: true }), '/')).toBeNull()
  })
})
