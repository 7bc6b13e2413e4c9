import { AppError } from '../../../platform/app-error.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { parseId, type TeamId } from '../../../platform/ids.js'
import { lockApiToken } from '../../access-tokens/index.js'
import { addApplication } from '../../applications/index.js'
import { teamError } from '../../teams/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { findIssuer } from '../model/find-issuer.js'
import { type Issuer, issuerPathOf } from '../model/issuer.js'
import { authenticateRegistrar, invalidRegistrationToken, type Registrar } from './authenticate-registrar.js'
import { asOAuthError, invalidMetadata, metadataOfClient, parseClientMetadata } from './client-metadata.js'
import type { ClientMetadata } from './schema.js'

export interface RegistrationRequest {
  metadata: ClientMetadata
  /** The `x-api-token` header and the Bearer token. */
  header: string | undefined
  bearer: string | undefined
  /** The team ID in the URL; undefined at the endpoint for all teams. */
  issuer: string | undefined
  origin: RequestOrigin
}

/**
 * Registers a client of a team (RFC 7591). Only this response contains its secret and its registration access token.
 * @throws invalid_token, insufficient_scope, rate_limited, issuer_not_found, organization_not_found (also for a team other than that of
 * the token), team_suspended, limit_reached, invalid_client_metadata, invalid_redirect_uri
 */
export async function registerClient(deps: OidcProviderDeps, request: RegistrationRequest) {
  const { metadata, origin } = request
  const registrar = await authenticateRegistrar(deps, request, origin)
  const issuer = await issuerFor(deps, registrar, request)
  if (!issuer.team.isActive) throw teamError('team_suspended')
  const idTokenAlgorithm = issuer.keys.idToken.algorithm
  const wanted = parseClientMetadata(metadata, idTokenAlgorithm)
  const registrationToken = randomToken()
  const { application, clientSecret } = await deps.db
    .transaction(async (tx) => {
      const creator = await requireLiveRegistrar(tx, deps, registrar)
      const made = await addApplication(tx, deps, issuer.team.id, wanted, {
        hash: tokenHash(registrationToken),
        creator,
      })
      const { id, name, clientId } = made.application
      const subject = registrar.by === 'api_token' ? registrar.actor : { userId: null, teamId: issuer.team.id, origin }
      await deps.audit.record(tx, subject, 'application.registered', {
        resource: `application:${id}`,
        metadata: { name, clientId, by: registrar.by },
      })
      return made
    })
    .catch((error: unknown) => {
      throw asOAuthError(error)
    })
  return {
    ...metadataOfClient(application, deps.config.baseUrl, idTokenAlgorithm),
    registration_access_token: registrationToken,
    ...(clientSecret !== undefined && { client_secret: clientSecret, client_secret_expires_at: 0 }),
  }
}

/** Returns the issuer of the client's team. For an API token, another team is the same as an unknown team. */
async function issuerFor(
  deps: OidcProviderDeps,
  registrar: Registrar,
  { metadata, issuer: inPath, origin }: RegistrationRequest,
): Promise<Issuer> {
  const inBody = metadata.team_id == null ? undefined : parseId<TeamId>(metadata.team_id)
  const unknown = () => (inPath === undefined ? teamError('organization_not_found') : rejection('issuer_not_found'))
  const path = issuerPathOf({ issuer: inPath ?? inBody ?? '' })
  if (!path || (registrar.by === 'api_token' && registrar.actor.teamId !== path.first)) throw unknown()
  if (inPath !== undefined && metadata.team_id != null && inBody !== inPath)
    throw invalidMetadata('team_id must be the team in the URL')
  try {
    return await findIssuer(deps, path, origin, { ofTeam: true })
  } catch (error) {
    throw error instanceof AppError && error.code === 'issuer_not_found' ? unknown() : error
  }
}

/**
 * Locks the API token, so that a concurrent revocation either finds the new client or prevents it. Runs in the caller's transaction.
 * @returns the creator of the client; null for the token of the instance
 */
async function requireLiveRegistrar(tx: Transaction, deps: OidcProviderDeps, registrar: Registrar) {
  if (registrar.by !== 'api_token') return null
  const held = await lockApiToken(tx, deps.clock, registrar.actor.apiTokenId)
  if (!held) throw invalidRegistrationToken(true)
  return { userId: registrar.actor.userId, temporarySetBy: held.temporarySetBy }
}
