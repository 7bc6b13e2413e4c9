import { describe, expect, it } from 'vitest'
import { accessOf } from './access-of-user'

const application = (id: string, also = {}) => ({
  id,
  name: id,
  type: 'OIDC',
  grantTypes: ['authorization_code'],
  assignmentRequired: false,
  ...also,
})

const summary = (...parameters: Parameters<typeof accessOf>) =>
  accessOf(...parameters).map(({ name, origin, groups }) => [name, origin, ...groups].join(' '))

describe('accessOf', () => {
  it('lists assigned applications once, with a direct assignment before groups', () => {
    const assigned = {
      applications: [{ id: 'wiki', name: 'wiki' }],
      inherited: [
        { id: 'wiki', name: 'wiki', via: [{ id: 'g', name: 'Finance' }] },
        { id: 'billing', name: 'billing', via: [{ id: 'g', name: 'Finance' }] },
      ],
    }
    const all = [application('wiki'), application('billing', { assignmentRequired: true })]
    expect(summary(assigned, all)).toEqual(['billing groups Finance', 'wiki direct'])
  })

  it('lists applications without required assignment, if users sign in to them', () => {
    const all = [
      application('open'),
      application('saml', { type: 'SAML', grantTypes: [] }),
      application('assigned', { assignmentRequired: true }),
      application('machine', { grantTypes: ['client_credentials'] }),
      application('stopped', { stoppedAt: '2026-01-01T00:00:00.000Z' }),
    ]
    expect(summary({ applications: [], inherited: [] }, all)).toEqual(['open everyone', 'saml everyone'])
  })
})
