import { AppError } from '../../platform/app-error.js'
import type { Transaction } from '../../platform/db/database.js'
import type { ApplicationId, UserId } from '../../platform/ids.js'
import { type BoundMessage, buildErrorResponse, buildResponse, STATUS_CODES } from '../../protocols/saml/index.js'
import { applicationError } from '../applications/index.js'
import { clearUnproven, countUnproven } from '../authentication/index.js'
import { admitClientSource } from '../oidc-provider/index.js'
import { readSettings } from '../settings/index.js'
import { addressesOf } from './addresses.js'
import { type Decision, decide, type Visitor } from './decide.js'
import type { SamlProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { type Notified, notify } from './notify.js'
import { ownRequest, type ReceivedRequest, receiveRequest } from './receive-request.js'
import { recordRejection } from './record-rejection.js'
import {
  findServiceProvider,
  requireUsable,
  type ServiceProvider,
  type UsableServiceProvider,
} from './service-provider.js'
import { endStoredRequest, keepRequest, lockStoredRequest, type StoredRequest } from './stored-request.js'

/** How a sign-in begins, or goes on after its person has signed in. */
export type Incoming = { message: BoundMessage } | { resume: string; returned: boolean } | 'start'

/** The request waits for its person, or for the cookie. */
interface Waiting {
  goOn: 'login' | 'consent' | 'get'
  appId: ApplicationId
  resume: string
}

/** What is to be signed for the application. */
interface Settled {
  said: Said
  request: StoredRequest
  instance: string
}

/** What the browser is answered: a form for the service provider, or where it goes on. */
export type SignInAnswer =
  | { form: { action: string; response: string; relayState: string | undefined }; name: string; instance: string }
  | Waiting

/**
 * A sign-in to an application by SAML (Profiles 4.1). The answer goes to the registered address alone; what stands in the way of a request
 * that is right is told to the application, and what is wrong with a request to whoever sits in front of the browser.
 * What is refused is recorded, for the team's administrators.
 * @throws application_not_found, application_access_denied, team_suspended, saml_application_stopped, saml_not_configured, saml_request_invalid,
 * saml_request_not_found, saml_session_not_shown, saml_idp_initiated_refused, saml_response_too_large, rate_limited
 */
export async function signInTo(
  deps: SamlProviderDeps,
  appId: string,
  incoming: Incoming,
  visitor: Visitor,
): Promise<SignInAnswer> {
  await admitClientSource(deps.db, deps, visitor.origin)
  const sp = await findServiceProvider(deps.db, appId)
  try {
    return await answerRequest(deps, sp, incoming, visitor)
  } catch (error) {
    // Nobody tells the application of it, so that its administrators look for it here. That there are too many says nothing of it.
    if (!(error instanceof AppError) || error.status >= 500 || error.status === 429 || error.recorded) throw error
    await recordRejection(deps, sp, error, visitor)
    throw Object.assign(error, { recorded: true })
  }
}

async function answerRequest(
  deps: SamlProviderDeps,
  sp: ServiceProvider,
  incoming: Incoming,
  visitor: Visitor,
): Promise<SignInAnswer> {
  requireUsable(sp)
  const received = await receive(deps, sp, incoming, visitor)
  const keys = await deps.samlKeys.of({ teamId: sp.teamId, applicationId: sp.id }, visitor.origin)
  if (!keys) throw applicationError('application_not_found')
  const { resume: token, returned } =
    typeof incoming === 'object' && 'resume' in incoming ? incoming : { resume: undefined, returned: false }

  const outcome = await deps.db.transaction(async (tx): Promise<Waiting | Settled> => {
    const request = token === undefined ? received?.request : await lockStoredRequest(tx, deps.clock, sp.id, token)
    // What was changed meanwhile was asked of another application.
    if (!request || request.acsUrl !== sp.acsUrl || request.issuer !== sp.entityId)
      throw rejection('saml_request_not_found')
    const keep = async () => token ?? (await keepRequest(tx, deps, sp.id, request, visitor.origin))
    // What is refused whoever it is about needs nobody's session.
    if (!received?.rejected && isPostWithoutSession(incoming, visitor))
      return { goOn: 'get', appId: sp.id, resume: await keep() }

    const decision = received?.rejected
      ? rejectedRequest(received.rejected)
      : await decide(tx, deps, sp, request, visitor)
    if (decision.kind === 'sign_in') {
      if (decision.why === 'confirmation') return { goOn: 'consent', appId: sp.id, resume: await keep() }
      // The page saw a session that will do: sent there once more, the browser would come back as it is, for ever.
      if (returned) throw rejection('saml_session_not_shown')
      return { goOn: 'login', appId: sp.id, resume: await keep() }
    }
    const said = await answer(tx, deps, sp, request, decision, visitor)
    if (token !== undefined) await endStoredRequest(tx, token)
    if (token !== undefined && 'nameId' in said) await clearUnproven(tx, deps, visitor.origin)
    return { said, request, instance: (await readSettings(tx)).name }
  })
  if ('goOn' in outcome) return outcome
  // Signing is slow: no transaction waits for it.
  const { said, request, instance } = outcome
  const address = {
    issuer: addressesOf(deps.config.baseUrl, sp.id).entityId,
    acsUrl: sp.acsUrl,
    now: deps.clock.ms(),
  }
  const { xml } =
    'nameId' in said
      ? await buildResponse({ ...address, ...said }, keys.signing)
      : await buildErrorResponse({ ...address, ...said }, keys.signing)
  return {
    form: {
      action: sp.acsUrl,
      response: Buffer.from(xml).toString('base64'),
      relayState: request.relayState ?? undefined,
    },
    name: sp.name,
    instance,
  }
}

async function receive(
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  incoming: Incoming,
  visitor: Visitor,
): Promise<ReceivedRequest | undefined> {
  if (incoming === 'start') {
    if (!sp.allowIdpInitiated) throw rejection('saml_idp_initiated_refused')
    return { request: ownRequest(sp, deps.clock.ms()) }
  }
  return 'message' in incoming ? receiveRequest(deps, sp, incoming.message, visitor) : undefined
}

/** A page of another site posts without our cookie (SameSite); sent on by GET, the browser brings it. */
const isPostWithoutSession = (incoming: Incoming, { sessionId, ssoToken }: Visitor): boolean =>
  typeof incoming === 'object' &&
  'message' in incoming &&
  incoming.message.binding === 'post' &&
  sessionId === undefined &&
  ssoToken === undefined

const rejectedRequest = ({ status, reason }: { status: string; reason: string }): Answered => ({
  kind: 'refuse',
  status,
  reason,
  recorded: { result: 'FAILURE', why: 'saml_request_unsupported', session: undefined },
})

type Answered = Exclude<Decision, { kind: 'sign_in' }>

/** What is said to the application: of somebody, or that there is nobody. */
type Said = Notified | { inResponseTo: string | undefined; status: string; reason: string }

/** A step: what is said, and its audit entry. */
async function answer(
  tx: Transaction,
  deps: SamlProviderDeps,
  sp: UsableServiceProvider,
  request: StoredRequest,
  decision: Answered,
  { origin }: Visitor,
): Promise<Said> {
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
  if (decision.kind === 'refuse') {
    const { recorded, status, reason } = decision
    // Strangers may send as much of this as they like.
    if (recorded && !recorded.session) await countUnproven(tx, deps, origin)
    if (recorded) await record(recorded.session?.userId, recorded.result, { reason: recorded.why })
    return { inResponseTo, status, reason }
  }
  const { session, context } = decision
  const told = await notify(tx, deps, sp, request, session, context)
  if (!told) {
    await record(session.userId, 'FAILURE', { reason: 'other_subject' })
    return { inResponseTo, status: STATUS_CODES.responder, reason: STATUS_CODES.unknownPrincipal }
  }
  const { sessionIndex, nameId } = told
  const idpInitiated = request.id === null
  const metadata = { session: session.id, sessionIndex, nameIdFormat: nameId.format, context, idpInitiated }
  await record(session.userId, 'SUCCESS', metadata)
  return told
}
