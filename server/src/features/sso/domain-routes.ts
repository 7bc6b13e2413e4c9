import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import type { SsoDeps } from './deps.js'
import type { TeamDomain } from './domain-repository.js'
import { addDomain, listDomains, recordOf, removeDomain, verifyDomain } from './domains.js'

const tag = 'Single sign-on'
const ALL = '/api/v1/organizations/:orgId/domains'
const ofTeam = Type.Object({ orgId: Type.String() })
const ofDomain = Type.Object({ orgId: Type.String(), domain: Type.String() })

const timestamp = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

const DomainBody = Type.Object(
  {
    domain: Type.String(),
    verified: Type.Boolean(),
    record: Type.Object(
      { type: Type.Literal('TXT'), name: Type.String(), value: Type.String() },
      { description: 'What has to stand in the DNS, and to stay there' },
    ),
    verifiedAt: timestamp('Since when it is proven'),
    checkedAt: timestamp('When it was last looked up'),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'TeamDomain' },
)

const presentDomain = (row: TeamDomain) => ({
  domain: row.domain,
  verified: row.verifiedAt !== null,
  record: { type: 'TXT' as const, ...recordOf(row) },
  verifiedAt: row.verifiedAt?.toISOString(),
  checkedAt: row.checkedAt?.toISOString(),
  createdAt: row.createdAt.toISOString(),
})

/** The e-mail domains that a team proves to be its own. */
export const domainRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: ALL,
    permission: 'sso:read',
    teamInPath: true,
    tag,
    summary: 'The e-mail domains of the team, proven or not',
    params: ofTeam,
    responses: { 200: Type.Object({ data: Type.Array(DomainBody) }) },
    errors: ['organization_not_found'],
    handle: async ({ actor }) => ({ data: (await listDomains(deps, actor)).map(presentDomain) }),
  }),
  defineRoute({
    method: 'POST',
    path: ALL,
    permission: 'sso:write',
    teamInPath: true,
    tag,
    summary: 'Say that an e-mail domain is the team’s; the answer has the DNS record that proves it',
    description:
      'From a sign-in page with an address of a proven domain a browser goes to the provider by itself. Nothing else depends on it.',
    params: ofTeam,
    body: Type.Object({ domain: Type.String({ maxLength: 255 }) }),
    responses: { 201: DomainBody },
    errors: ['organization_not_found', 'limit_reached'],
    handle: async ({ actor, body }) => presentDomain(await addDomain(deps, actor, body.domain)),
  }),
  defineRoute({
    method: 'POST',
    path: `${ALL}/:domain/verify`,
    permission: 'sso:write',
    teamInPath: true,
    tag,
    summary: 'Look the DNS record up',
    description: 'A domain that was proven and has lost its record is proven no longer.',
    params: ofDomain,
    responses: { 200: DomainBody },
    errors: ['organization_not_found', 'domain_not_found', 'domain_not_proven'],
    handle: async ({ actor, params }) => presentDomain(await verifyDomain(deps, actor, params.domain)),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${ALL}/:domain`,
    permission: 'sso:write',
    teamInPath: true,
    tag,
    summary: 'Take back that a domain is the team’s',
    params: ofDomain,
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['organization_not_found', 'domain_not_found'],
    handle: async ({ actor, params }) => {
      await removeDomain(deps, actor, params.domain)
      return { message: 'The domain was removed' }
    },
  }),
]
