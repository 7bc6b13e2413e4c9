import Type from 'typebox'
import { defineRoute, type Route } from '../../../platform/http/route.js'
import type { SsoDeps } from '../model/deps.js'
import { discover } from './discover.js'
import { addDomain, listDomains, recordOf, removeDomain, type TeamDomain, verifyDomain } from './domains.js'

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
      { description: 'The record to publish in the DNS, and to keep there' },
    ),
    verifiedAt: timestamp('When the domain was verified'),
    checkedAt: timestamp('When the record was last checked'),
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

/** Endpoints for the email domains of a team, and for finding the providers of a domain. */
export const domainRoutes = (deps: SsoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: ALL,
    permission: 'sso:read',
    teamInPath: true,
    tag,
    summary: 'List the email domains of the team, verified or not',
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
    summary: 'Add an email domain to the team; the response contains the DNS record that verifies it',
    description:
      'If a user enters an email address of a verified domain, the sign-in page redirects to the provider automatically. Verification has no other effect.',
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
    summary: 'Verify the DNS record of an email domain',
    description: 'A verified domain whose record is gone is no longer verified.',
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
    summary: 'Remove an email domain from the team',
    params: ofDomain,
    responses: { 200: Type.Object({ message: Type.String() }) },
    errors: ['organization_not_found', 'domain_not_found'],
    handle: async ({ actor, params }) => {
      await removeDomain(deps, actor, params.domain)
      return { message: 'The domain was removed' }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/sso/discover',
    permission: 'public',
    tag,
    summary: 'Find the providers that list an email domain',
    description:
      'Send a domain, never an email address. `automatic` is true if the team has verified the domain by DNS: a sign-in page may then redirect automatically. Otherwise `name` is "Single sign-on" for every provider, since any team can list any domain; the result then has at most one provider per team and five in total. With `team`, only providers of that team are listed, for a page on which the user names it.',
    query: Type.Object({
      domain: Type.String({ maxLength: 320 }),
      team: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'The ID or the slug of a team. Extension' }),
      ),
    }),
    responses: {
      200: Type.Object({
        providers: Type.Array(
          Type.Object({
            id: Type.String(),
            name: Type.String(),
            type: Type.String(),
            protocol: Type.String(),
            orgId: Type.String(),
            automatic: Type.Boolean(),
          }),
        ),
      }),
    },
    handle: async ({ query, origin }) => ({ providers: await discover(deps, query, origin) }),
  }),
]
