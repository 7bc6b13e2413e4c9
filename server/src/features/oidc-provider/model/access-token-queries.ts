import { type NamedQuery, namedQuery } from '../../../platform/db/named-query.js'
import type { ApplicationId, GrantId, TeamId, UserId } from '../../../platform/ids.js'
import {
  allowedScopes,
  PROFILE_COLUMNS,
  toProfile,
  toUserAttributes,
  USER_ATTRIBUTE_COLUMNS,
} from '../../oidc-config/index.js'
import { ownGeneration } from './client.js'
import { delegationIsValid, GRANT_JOINS, grantItselfIsValid } from './grant-validity.js'

/** The application of an access token, and the version of its team's keys. */
interface Behind {
  application_id: ApplicationId
  client_id: string
  is_ai_agent: boolean
  team_id: TeamId
  key_version: number
  allowed_scopes: string[]
  resources: string[]
  dpop_nonce_enabled: boolean
}

const BEHIND = `a.id AS application_id, a.client_id, a.is_ai_agent, ${allowedScopes('a')} AS allowed_scopes, a.resources, a.dpop_nonce_enabled, a.organization_id AS team_id, k.version AS key_version`
const NOT_REVOKED = 'NOT EXISTS (SELECT 1 FROM revoked_access_tokens r WHERE r.hash = $3)'

interface BehindGrant extends Behind {
  user_id: UserId
  /** The grant depends on other grants: run `delegation` as well. */
  delegated: boolean
}

/** Reads the grant of a token with the user columns that the caller needs: each column costs every request. */
export interface GrantReader<P> {
  query: NamedQuery<BehindGrant, [GrantId, Date, Buffer]>
  toUserAttributes: (row: BehindGrant) => P
}

function readerOf<Row, P>(
  name: string,
  columns: string,
  toUserAttributes: (row: Row & BehindGrant) => P,
): GrantReader<P> {
  const query = namedQuery<BehindGrant, [GrantId, Date, Buffer]>(
    name,
    `SELECT ${BEHIND}, g.delegated_from IS NOT NULL AS delegated, ${columns}
     FROM sessions g ${GRANT_JOINS} JOIN signing_key_sets k ON k.organization_id = a.organization_id
     WHERE g.id = $1 AND ${grantItselfIsValid('$2')} AND ${NOT_REVOKED}`,
  )
  // The query selects the columns of Row.
  return { query, toUserAttributes: toUserAttributes as (row: BehindGrant) => P }
}

/** Reads the ID and email address of the user. */
export const IDENTITY_READER = readerOf(
  'oidc_provider.behind_grant',
  'u.id AS user_id, u.email',
  ({ user_id, email }: { user_id: UserId; email: string }) => ({ id: user_id, email }),
)
/** Reads the columns of the standard claims. */
export const PROFILE_READER = readerOf('oidc_provider.behind_grant_profile', PROFILE_COLUMNS, toProfile)
/** Reads the columns of all claims. */
export const USER_READER = readerOf('oidc_provider.behind_grant_user', USER_ATTRIBUTE_COLUMNS, toUserAttributes)

/**
 * Returns the grant if every grant and token that it depends on is valid. A separate query, because few grants are delegated and the
 * condition would slow down the planning of every other read.
 */
export const delegation = namedQuery<{ id: GrantId }, [GrantId, Date]>(
  'oidc_provider.delegation_holds',
  `SELECT g.id FROM sessions g WHERE g.id = $1 AND ${delegationIsValid('$2')}`,
)

/** Reads the application of a token of the client_credentials grant. */
export const behindClient = namedQuery<Behind, [string, number, Buffer]>(
  'oidc_provider.behind_client',
  `SELECT ${BEHIND} FROM applications a JOIN organizations o ON o.id = a.organization_id JOIN signing_key_sets k ON k.organization_id = o.id
   WHERE a.client_id = $1 AND ${ownGeneration('a')} = $2 AND o.status = 'ACTIVE' AND ${NOT_REVOKED}`,
)
