import Type from 'typebox'
import { timestamp } from '../../../platform/http/schema-parts.js'
import type { MyApplication } from './my-applications.js'
import type { GrantedApplication, MyGrant, WithdrawnGrant } from './my-grants.js'

const Team = Type.Object({ id: Type.String(), name: Type.String() })

/** Fields that are not set are omitted. */
export const MyApplicationBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    logoUrl: Type.Optional(Type.String()),
    type: Type.String({ description: 'OIDC or SAML' }),
    launchUrl: Type.Optional(Type.String({ description: 'URL that starts the application' })),
    team: Team,
    isAiAgent: Type.Boolean(),
    lastUsedAt: Type.Optional(timestamp()),
  },
  { $id: 'MyApplication' },
)

const allowed = {
  id: Type.String({ description: "The application's" }),
  application: Type.Object({
    id: Type.String(),
    name: Type.String(),
    logoUrl: Type.Optional(Type.String()),
    isAiAgent: Type.Boolean(),
  }),
  team: Team,
}

export const WithdrawnGrantBody = Type.Object({ ...allowed, withdrawnAt: timestamp() }, { $id: 'WithdrawnGrant' })

export const MyGrantBody = Type.Object(
  {
    ...allowed,
    scopes: Type.Array(Type.String()),
    scopeDetails: Type.Array(
      Type.Object({ name: Type.String(), description: Type.Union([Type.String(), Type.Null()]) }),
      { description: "The scopes with the team's descriptions" },
    ),
    offlineAccess: Type.Boolean({ description: 'The application has access while the user is signed out' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    lastUsedAt: Type.Optional(timestamp()),
  },
  { $id: 'MyGrant' },
)

/** @param baseUrl base URL of the service, at which an IdP-initiated SAML sign-in starts */
export const presentMyApplication = (application: MyApplication, baseUrl: string) => ({
  id: application.id,
  name: application.name,
  description: application.description ?? undefined,
  logoUrl: application.logoUrl ?? undefined,
  type: application.type,
  launchUrl:
    application.launchUrl ??
    (application.idpInitiated ? `${baseUrl}/api/v1/sso/saml-idp/${application.id}/start` : undefined),
  team: { id: application.teamId, name: application.teamName },
  isAiAgent: application.isAiAgent,
  lastUsedAt: application.lastUsedAt?.toISOString(),
})

const presentApplication = ({ applicationId: id, name, logoUrl, isAiAgent, ...team }: GrantedApplication) => ({
  id,
  application: { id, name, logoUrl: logoUrl ?? undefined, isAiAgent },
  team: { id: team.teamId, name: team.teamName },
})

export const presentWithdrawnGrant = (grant: WithdrawnGrant) => ({
  ...presentApplication(grant),
  withdrawnAt: grant.withdrawnAt.toISOString(),
})

export const presentMyGrant = (grant: MyGrant) => ({
  ...presentApplication(grant),
  scopes: grant.scopes,
  scopeDetails: grant.scopeDetails,
  offlineAccess: grant.scopes.includes('offline_access'),
  createdAt: grant.createdAt.toISOString(),
  updatedAt: grant.updatedAt.toISOString(),
  lastUsedAt: grant.lastUsedAt?.toISOString(),
})
