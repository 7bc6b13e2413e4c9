import { randomToken } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { parseId, type SessionId, type TeamId } from '../../../platform/ids.js'
import { rejection } from '../errors.js'
import { beginAttempt, takeAttempt } from '../model/attempts.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { findAnyProvider } from '../model/repository.js'
import { sloUrl } from '../model/saml-urls.js'
import {
  type Answerable,
  type BrowserResponse,
  logoutRequest,
  type MessageDeps,
  respondToLogout,
  toBrowserResponse,
} from './logout-messages.js'
import { nameOfSession } from './saml-sessions.js'

/**
 * The continuation of a sign-out, one of two: it sends the response to the provider, after the SAML applications, or posts a form with Keyward's
 * request to the provider.
 */
interface Continuation {
  respond?: Answerable
  request?: { session: SessionId; id: string }
}

/** Stores the continuation of a sign-out and returns its URL; undefined if the provider was just deleted. Runs in the caller's transaction. */
export async function storeResumed(
  tx: Transaction,
  { clock, config }: Pick<SsoDeps, 'clock' | 'config'>,
  { id: providerId, version: providerVersion, organizationId }: Provider,
  payload: Continuation,
): Promise<string | undefined> {
  const resume = randomToken()
  const stored = await beginAttempt(tx, clock, {
    providerId,
    providerVersion,
    kind: 'saml_logout_resumed',
    payload: { ...payload },
    returnTo: null,
    testRun: null,
    state: resume,
    // Any browser: cookies are not sent with every form of another site.
    browserToken: randomToken(),
  })
  return stored ? `${sloUrl(config.baseUrl, organizationId)}?${new URLSearchParams({ resume })}` : undefined
}

/**
 * Continues a sign-out, once.
 * @param partial true if an application did not sign out
 * @throws sso_logout_not_found
 */
export async function resumeLogout(
  deps: MessageDeps,
  orgId: string,
  { resume, partial }: { resume: string; partial: boolean },
  origin: RequestOrigin,
): Promise<BrowserResponse> {
  const teamId = parseId<TeamId>(orgId)
  const found = teamId && (await deps.db.transaction((tx) => takeResumed(tx, deps, teamId, resume)))
  if (!found) throw rejection('sso_logout_not_found')
  const { provider, payload } = found
  const { respond, request } = payload
  if (respond) return respondToLogout(deps, provider, respond, partial, origin)
  const named = request && (await deps.db.transaction((tx) => nameOfSession(tx, request.session)))
  const message = named && (await logoutRequest(deps, request.id, named, origin))
  if (!message) throw rejection('sso_logout_not_found', { detail: 'The single logout URL of the provider was removed' })
  return toBrowserResponse(deps, message, `Signing out of ${provider.name}`)
}

async function takeResumed(
  tx: Transaction,
  { clock }: Pick<MessageDeps, 'clock'>,
  teamId: TeamId,
  state: string,
): Promise<{ provider: Provider; payload: Continuation } | undefined> {
  const wanted = { state, kind: 'saml_logout_resumed', of: { teamId }, browserToken: undefined } as const
  const taken = await takeAttempt(tx, clock, wanted)
  const provider = taken && (await findAnyProvider(tx, taken.providerId))
  return provider && { provider, payload: taken.payload as Continuation }
}
