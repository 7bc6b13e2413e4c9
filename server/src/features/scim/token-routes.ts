import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { countWritten } from './count-written.js'
import { createScimToken } from './create-token.js'
import type { ScimDeps } from './deps.js'
import type { RequestLog } from './request-log.js'
import { revokeScimToken } from './revoke-token.js'
import { tokenRepository } from './token-repository.js'
import {
  CreatedScimToken,
  CreateScimToken,
  presentScimToken,
  ScimRequestList,
  ScimTokenBody,
  ScimTokenList,
} from './token-schema.js'

const tag = 'Directories'
const permission = 'scim:token'

export const scimTokenRoutes = (deps: ScimDeps, requests: RequestLog): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/api/v1/directory/scim/token',
    permission,
    tag,
    summary: 'Make one more SCIM token, which is shown in this answer alone',
    description:
      "Sent as `Authorization: Bearer`, it opens `/scim/v2/{orgRef}` of this team and nothing else. It acts with the caller's permissions of this moment, as far as the caller still has them: it reads and writes people and groups where the caller may, and nobody who may do more is changed by it. Wants a proof at most 15 minutes old.",
    body: CreateScimToken,
    responses: { 201: CreatedScimToken },
    errors: ['reauthentication_required'],
    handle: async ({ actor, body }) => {
      const { scimToken, token } = await createScimToken(deps, actor, body)
      return { ...presentScimToken(scimToken, deps.clock.now()), token }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/directory/scim/tokens',
    permission,
    tag,
    summary:
      "List the team's SCIM tokens, newest first, and how much came by them; the tokens themselves are shown nowhere",
    responses: { 200: ScimTokenList },
    handle: async ({ actor }) => {
      const { tokens, written } = await deps.db.transaction(async (tx) => ({
        tokens: await tokenRepository(tx, actor.teamId).list(),
        written: await countWritten(tx, actor.teamId),
      }))
      return { data: tokens.map((token) => presentScimToken(token, deps.clock.now())), written }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/directory/scim/tokens/:id',
    permission,
    tag,
    summary: 'Revoke a SCIM token; it stays in the list',
    params: Type.Object({ id: Type.String() }),
    responses: { 200: ScimTokenBody },
    errors: ['scim_token_not_found'],
    handle: async ({ actor, params }) =>
      presentScimToken(await revokeScimToken(deps, actor, params.id), deps.clock.now()),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/directory/scim/requests',
    permission,
    tag,
    summary: "The last hundred requests of the team's directories, newest first",
    description:
      'For whoever sets one up: what it asked, and what it was answered. Requests without a live token are in no list.',
    responses: { 200: ScimRequestList },
    handle: async ({ actor }) => ({ data: await requests.list(actor.teamId) }),
  }),
]
