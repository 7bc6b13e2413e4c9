import { AppError } from '../../../platform/app-error.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { PostForm } from '../../../platform/http/post-form-page.js'
import type { ApplicationId, UserId } from '../../../platform/ids.js'
import {
  type BoundMessage,
  buildErrorResponse,
  buildResponse,
  formFields,
  STATUS_CODES,
} from '../../../protocols/saml/index.js'
import { applicationError } from '../../applications/index.js'
import { countUnverified, uncountUnverified } from '../../authentication/index.js'
import { admitClientSource } from '../../oidc-provider/index.js'
import { readSettings } from '../../settings/index.js'
import { type AssertionContent, assertionContent } from '../assertion/assertion-content.js'
import { rejection } from '../errors.js'
import type { SamlProviderDeps } from '../model/deps.js'
import {
  addressesOf,
  findServiceProvider,
  requireUsable,
  type ServiceProvider,
  type UsableServiceProvider,
} from '../model/service-provider.js'
import { type Decision, decideResponse, rejectWith, type SignInBrowser } from './decide.js'
import { ownRequest, type ReceivedRequest, receiveRequest } from './receive-request.js'
import { recordRejection } from './record-rejection.js'
import { endStoredRequest, lockStoredRequest, type StoredRequest, storeRequest } from './stored-request.js'

/** The start of a sign-in, or its continuation after the user has signed in. */
export type Incoming = { message: BoundMessage } | { resume: string; returned: boolean } | 'start'

/** The request waits for the user, or for the session cookie. */
interface Waiting {
  next: 'login' | 'consent' | 'get'
  appId: ApplicationId
  resume: string
}

/** The content to sign for the application. */
interface Decided {
  content: Content
  request: StoredRequest
  instance: string
}

/** The response to the browser: a form for the service provider, or where it continues. */
type BrowserResponse = { form: PostForm } | Waiting

/**
 * Handles a sign-in to an application by SAML (Profiles 4.1). The response goes only to the registered URL. An obstacle to a valid request
 * is reported to the application; an invalid request is reported to the browser, and recorded for the team's administrators.
 * @throws application_not_found, application_access_denied, team_suspended, saml_application_stopped, saml_not_configured, saml_request_invalid,
 * saml_request_not_found, saml_session_not_shown, saml_idp_initiated_refused, saml_response_too_large, rate_limited
 */
export async function signInTo(
  deps: SamlProviderDeps,
  appId: string,
  incoming: Incoming,
  browser: SignInBrowser,
): Promise<BrowserResponse> {
  await admitClientSource(deps.db, deps, browser.origin)
  const sp = await findServiceProvider(deps.db, appId)
  try {
    return await respondTo(deps, sp, incoming, browser)
  } catch (error) {
    // The application is not notified of this error, so its administrators need the log entry. A rate limit is not about the application.
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429 || error.recorded) throw error
    await recordRejection(deps, sp, error, browser)
    throw Object.assign(error, { recorded: true })
  }
}

async function respondTo(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  incoming: Incoming,
  browser: SignInBrowser,
): Promise<BrowserResponse> {
  requireUsable(sp)
  const received = await receive(deps, sp, incoming, browser)
  const keys = await deps.samlKeys.of({ teamId: sp.teamId, applicationId: sp.id }, browser.origin)
  if (!keys) throw applicationError('application_not_found')
  const { resume: token, returned } =
    typeof incoming === 'object' && 'resume' in incoming ? incoming : { resume: undefined, returned: false }

  const outcome = await deps.db.transaction(async (tx): Promise<Waiting | Decided> => {
    const request = token === undefined ? received?.request : await lockStoredRequest(tx, deps.clock, sp.id, token)
    // A registration that was changed meanwhile is a different application.
    if (!request || request.acsUrl !== sp.acsUrl || request.issuer !== sp.entityId)
      throw rejection('saml_request_not_found')
    const store = async () => token ?? (await storeRequest(tx, deps, sp.id, request, browser.origin))
    // A request that is rejected for every user does not need a session.
    if (!received?.rejected && isPostWithoutSession(incoming, browser))
      return { next: 'get', appId: sp.id, resume: await store() }

    const decision = received?.rejected
      ? rejectWith(received.rejected.reason, UNSUPPORTED, received.rejected.status)
      : await decideResponse(tx, deps, sp, request, browser)
    if (decision.kind === 'sign_in') {
      if (decision.why === 'confirmation') return { next: 'consent', appId: sp.id, resume: await store() }
      // The page saw a session that is sufficient: another redirect there would be an endless loop.
      if (returned) throw rejection('saml_session_not_shown')
      return { next: 'login', appId: sp.id, resume: await store() }
    }
    const content = await decidedContent(tx, deps, sp, request, decision, browser)
    if (token !== undefined) await endStoredRequest(tx, token)
    if (token !== undefined && 'nameId' in content) await uncountUnverified(tx, deps, browser.origin)
    return { content, request, instance: (await readSettings(tx)).name }
  })
  if ('next' in outcome) return outcome
  // Signing is slow, so it runs after the transaction.
  const { content, request, instance } = outcome
  const address = {
    issuer: addressesOf(deps.config.baseUrl, sp.id).entityId,
    acsUrl: sp.acsUrl,
    now: deps.clock.ms(),
  }
  const { xml } =
    'nameId' in content
      ? await buildResponse({ ...address, ...content }, keys.signing)
      : await buildErrorResponse({ ...address, ...content }, keys.signing)
  const fields = formFields('SAMLResponse', xml, request.relayState ?? undefined)
  return { form: { action: sp.acsUrl, fields, heading: `Signing in to ${sp.name}`, instance } }
}

async function receive(
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  incoming: Incoming,
  browser: SignInBrowser,
): Promise<ReceivedRequest | undefined> {
  if (incoming === 'start') {
    if (!sp.allowIdpInitiated) throw rejection('saml_idp_initiated_refused')
    return { request: ownRequest(sp, deps.clock.ms()) }
  }
  return 'message' in incoming ? receiveRequest(deps, sp, incoming.message, browser) : undefined
}

/** A cross-site form is posted without Keyward's cookie (SameSite); the browser sends it after a redirect to the GET endpoint. */
const isPostWithoutSession = (incoming: Incoming, { sessionId, ssoToken }: SignInBrowser): boolean =>
  typeof incoming === 'object' &&
  'message' in incoming &&
  incoming.message.binding === 'post' &&
  sessionId === undefined &&
  ssoToken === undefined

const UNSUPPORTED = { result: 'FAILURE', reason: 'saml_request_unsupported', session: undefined } as const

type Response = Exclude<Decision, { kind: 'sign_in' }>

/** The content of a response: an assertion, or an error status. */
type Content = AssertionContent | { inResponseTo: string | undefined; status: string; reason: string }

/** Returns the content of the response and records its audit entry. Runs in the caller's transaction. */
async function decidedContent(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  request: StoredRequest,
  decision: Response,
  { origin }: SignInBrowser,
): Promise<Content> {
  const record = (
    userId: UserId | undefined,
    result: 'SUCCESS' | 'DENIED' | 'FAILURE',
    metadata: Record<string, unknown>,
  ) =>
    deps.audit.record(tx, { userId: userId ?? null, teamId: sp.teamId, origin }, 'application.saml_signed_in', {
      result,
      resource: `application:${sp.id}`,
      metadata,
    })
  const inResponseTo = request.id ?? undefined
  if (decision.kind === 'reject') {
    const { auditEntry, status, subStatus } = decision
    // A third party can send any number of these.
    if (auditEntry && !auditEntry.session) await countUnverified(tx, deps, origin)
    if (auditEntry) await record(auditEntry.session?.userId, auditEntry.result, { reason: auditEntry.reason })
    return { inResponseTo, status, reason: subStatus }
  }
  const { session, context } = decision
  const content = await assertionContent(tx, deps, sp, request, session, context)
  if (!content) {
    await record(session.userId, 'FAILURE', { reason: 'other_subject' })
    return { inResponseTo, status: STATUS_CODES.responder, reason: STATUS_CODES.unknownPrincipal }
  }
  const { sessionIndex, nameId } = content
  const idpInitiated = request.id === null
  const metadata = { session: session.id, sessionIndex, nameIdFormat: nameId.format, context, idpInitiated }
  await record(session.userId, 'SUCCESS', metadata)
  return content
}
