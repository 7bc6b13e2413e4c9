import { timingSafeEqual } from 'node:crypto'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId } from '../../../platform/ids.js'
import {
  type Application,
  changeApplication,
  findApplication,
  hasTokenCreator,
  removeApplication,
} from '../../applications/index.js'
import { keysOfIssuer } from '../../oidc-config/index.js'
import { admitClientSource, countClientFailure } from '../clients/client-limits.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { invalidRegistrationToken } from './authenticate-registrar.js'
import { asOAuthError, metadataOfClient } from './client-metadata.js'
import { type ReplacingMetadata, replaceMetadata } from './replace-metadata.js'

interface ManagedRow {
  id: ApplicationId
  team_id: TeamId
  hash: Buffer
  is_stopped: boolean
  key_version: number
  agent_id: ApplicationId | null
  /** The creator of the token still has access. */
  has_creator: boolean
}

// The lock serializes concurrent changes and prevents a response about a client that was deleted in the meantime.
const lockManaged = namedQuery<ManagedRow, [string]>(
  'oidc_provider.lock_managed_client',
  `SELECT a.id, a.organization_id AS team_id, a.registration_token_hash AS hash, a.stopped_at IS NOT NULL AS is_stopped, k.version AS key_version, CASE WHEN a.is_ai_agent THEN a.id END AS agent_id,
     ${hasTokenCreator('a')} AS has_creator
   FROM applications a JOIN organizations o ON o.id = a.organization_id JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE a.client_id = $1 AND a.registration_token_hash IS NOT NULL AND o.status = 'ACTIVE' FOR NO KEY UPDATE OF a`,
)

/** A request of a client to manage its registration (RFC 7592). */
export interface ManagementRequest {
  clientId: string
  /** The sent registration access token. */
  token: string | undefined
  origin: RequestOrigin
}

type RegisteredMetadata = ReturnType<typeof metadataOfClient> & { registration_access_token: string }

interface Managed {
  application: Application
  idTokenAlgorithm: string
  /** Returns the registration for the response. */
  present(application: Application): RegisteredMetadata
  subject: { userId: null; teamId: TeamId; agentId: ApplicationId | null; origin: RequestOrigin }
}

const BY_REGISTRATION_TOKEN = { by: 'registration_token' }

/** The formats of generated tokens and IDs. A malformed token is not counted as a guess. */
const TOKEN = /^[\w-]{43}$/
const CLIENT_ID = /^[0-9a-f]{32}$/

/**
 * Runs `act` with the client of a registration access token. The error is the same for an unknown client, a client that an administrator
 * created or stopped, a wrong token, and a token whose creator may no longer change applications of the team.
 * @throws invalid_token, rate_limited
 */
async function manage<Result>(
  deps: OidcProviderDeps,
  { clientId, token, origin }: ManagementRequest,
  act: (tx: Transaction, managed: Managed) => Promise<Result>,
): Promise<Result> {
  if (!token || !TOKEN.test(token)) throw invalidRegistrationToken(token !== undefined)
  const { db, clock, audit, signingKeys } = deps
  const done = await db.transaction(async (tx) => {
    await admitClientSource(tx, deps, origin)
    const [row] = CLIENT_ID.test(clientId) ? await tx.run(lockManaged, [clientId]) : []
    if (!row || !timingSafeEqual(row.hash, tokenHash(token)) || row.is_stopped || !row.has_creator) {
      await countClientFailure(tx, deps, origin)
      await audit.record(
        tx,
        { userId: null, teamId: row?.team_id ?? null, origin },
        'application.registration_refused',
        {
          result: 'FAILURE',
          ...(row && { resource: `application:${row.id}` }),
          metadata: { token: 'registration_access_token', ...(row && { clientId }) },
        },
      )
      return undefined
    }
    const keys = await signingKeys.at(tx, row.team_id, row.key_version)
    const idTokenAlgorithm = keysOfIssuer(keys, null, clock.now()).idToken.algorithm
    const managed = {
      application: await findApplication(tx, row.team_id, row.id),
      idTokenAlgorithm,
      // RFC 7592 3 requires the token in each response.
      present: (application: Application) => ({
        ...metadataOfClient(application, deps.config.baseUrl, idTokenAlgorithm),
        registration_access_token: token,
      }),
      subject: { userId: null, teamId: row.team_id, agentId: row.agent_id, origin },
    }
    return { result: await act(tx, managed) }
  })
  if (!done) throw invalidRegistrationToken(true)
  return done.result
}

/** Returns the registration (RFC 7592 2.1). @throws invalid_token, rate_limited */
export const readClient = (deps: OidcProviderDeps, request: ManagementRequest) =>
  manage(deps, request, async (_tx, { application, present }) => present(application))

/**
 * Replaces the metadata (RFC 7592 2.2). An omitted field is reset to its default, unless that is less restrictive than its value. Settings
 * of an administrator that are not part of the metadata are unchanged.
 * @throws invalid_token, rate_limited, invalid_client_metadata, invalid_redirect_uri
 */
export async function replaceClient(deps: OidcProviderDeps, request: ManagementRequest, metadata: ReplacingMetadata) {
  return manage(deps, request, async (tx, { application, idTokenAlgorithm, subject, present }) => {
    const wanted = replaceMetadata(application, metadata, idTokenAlgorithm, deps.clock.now())
    const changed = await changeApplication(tx, deps, subject, application.id, wanted, {
      isByClient: true,
      about: BY_REGISTRATION_TOKEN,
    })
    return present(changed)
  }).catch((error: unknown) => {
    throw asOAuthError(error)
  })
}

/** Deletes the client with its grants and tokens (RFC 7592 2.3). @throws invalid_token, rate_limited */
export const deleteClient = (deps: OidcProviderDeps, request: ManagementRequest): Promise<void> =>
  manage(deps, request, async (tx, { application, subject }) => {
    await removeApplication(tx, deps, subject, application.id, BY_REGISTRATION_TOKEN)
  })
