import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { GrantId, UserId } from '../../../platform/ids.js'
import { countClientFailure } from '../clients/client-limits.js'
import { isFinalError } from '../device/device-poll.js'
import type { EngineResponse } from '../engine/engine.js'
import type { ExchangedSubject, PresentedToken } from '../engine/engine-context.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'

/** A token request that the engine has handled. */
interface VerifiedRequest {
  response: EngineResponse
  outcome: { replayed?: boolean; wasNotified?: boolean; grantId?: GrantId; scopes?: string[] }
  client: Client
  presented: PresentedToken | undefined
  /** The subject token of a token exchange. */
  subject: ExchangedSubject | undefined
  form: URLSearchParams
  origin: RequestOrigin
  tried: boolean
}

/** Records a token request in the audit log and counts its failure for the source. Runs in the caller's transaction. */
export async function recordTokenRequest(
  tx: Transaction,
  deps: Pick<OidcProviderDeps, 'audit' | 'throttle' | 'config'>,
  { response, outcome, client, presented, subject: exchanged, form, origin, tried }: VerifiedRequest,
): Promise<void> {
  const { audit } = deps
  const userId: UserId | null = presented?.grant.userId ?? exchanged?.token.userAttributes.id ?? null
  // In a test of the application, the actor is the administrator and not the agent.
  const agentId = client.isAiAgent && !tried ? client.id : null
  const subject = { userId, teamId: client.teamId, agentId, origin }
  const resource = `application:${client.id}`
  const grantType = form.get('grant_type')?.slice(0, 100).toWellFormed() ?? null
  if (response.status === 200) {
    await audit.record(tx, subject, tried ? 'application.tried' : 'application.token_issued', {
      resource,
      metadata: {
        grantType,
        ...(presented && { grant: presented.grant.id }),
        ...(exchanged && {
          grant: outcome.grantId,
          scopes: outcome.scopes,
          exchanged: { application: exchanged.token.applicationId, grant: exchanged.token.grantId },
        }),
      },
    })
    return
  }
  const { error } = JSON.parse(response.body) as { error: string }
  // Polling is not a failure. A denied or expired device that continues to poll is already in the log.
  if (error === 'authorization_pending' || error === 'slow_down' || (outcome.wasNotified && isFinalError(error))) return
  if (outcome.replayed && presented)
    await audit.record(
      tx,
      subject,
      presented.kind === 'RefreshToken' ? 'application.refresh_reused' : 'application.code_replayed',
      { result: 'FAILURE', resource, metadata: { grant: presented.grant.id } },
    )
  else
    await audit.record(tx, subject, 'application.token_refused', {
      result: 'FAILURE',
      resource,
      metadata: { grantType, error },
    })
  // An invalid code of a public client may be a guess; a confidential client forwards what its browser sent.
  const guessed = error === 'invalid_client' || (error === 'invalid_grant' && client.isPublicClient)
  if (guessed) await countClientFailure(tx, deps, origin)
}
