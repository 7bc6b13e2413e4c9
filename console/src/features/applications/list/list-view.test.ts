import { describe, expect, it } from 'vitest'
import type { Application } from '../../../api/contract'
import { applicationsOf } from './list-view'

const application = (name: string, more: Partial<Application> = {}) =>
  ({
    name,
    type: 'OIDC',
    clientId: `id-of-${name}`,
    grantTypes: ['authorization_code'],
    redirectUris: ['https://app.example/'],
    isPublicClient: false,
    isAiAgent: false,
    assignmentRequired: false,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  }) as Application

const all = [
  application('Wiki', { description: 'Handbook of the team', updatedAt: '2026-03-01T00:00:00.000Z' }),
  application('billing', { assignmentRequired: true, redirectUris: [] }),
  application('Robot', { isAiAgent: true, stoppedAt: '2026-02-01T00:00:00.000Z' }),
]

const names = (view: object) =>
  applicationsOf(all, { page: 1, limit: 50, filters: {}, ...view }).map(({ name }) => name)

describe('the list of applications', () => {
  it('finds names, descriptions and client IDs', () => {
    expect(names({ q: ' WIK ' })).toEqual(['Wiki'])
    expect(names({ q: 'handbook' })).toEqual(['Wiki'])
    expect(names({ q: 'id-of-robot' })).toEqual(['Robot'])
  })

  it('filters by type, access and status', () => {
    expect(names({ filters: { type: 'agent' } })).toEqual(['Robot'])
    expect(names({ filters: { access: 'assigned' } })).toEqual(['billing'])
    expect(names({ filters: { status: 'incomplete,stopped' } })).toEqual(['billing', 'Robot'])
  })

  it('sorts by name without case and by the last change', () => {
    expect(names({ sort: 'name' })).toEqual(['billing', 'Robot', 'Wiki'])
    expect(names({ sort: '-updated' })[0]).toBe('Wiki')
    expect(names({ sort: 'unknown' })).toEqual(['Wiki', 'billing', 'Robot'])
  })
})
