import { runInSlices } from '../../../platform/concurrency/time-slices.js'
import { rejection } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import { type ApplicationId, parseId, type UserId } from '../../../platform/ids.js'
import {
  type AccessRequest,
  type Context,
  contextErrors,
  decide,
  decideWith,
  explain,
} from '../../../protocols/policy/index.js'
import { applicationError, findApplication } from '../../applications/index.js'
import { findMember, memberError } from '../../members/index.js'
import type { PolicyDeps } from '../manage-policies.js'
import { compileDraft, recordedRequest, type WrittenDraft } from './access-request.js'

export interface EvaluationRequest {
  resource: string
  action: string
  userId?: string | null
  agentId?: string | null
  context?: Context | null
  explain?: boolean
  draft?: WrittenDraft
}

export type EvaluationResult = Awaited<ReturnType<typeof evaluateAccess>>

/**
 * Decides by the team's ACCESS policies and records the decision. If callers evaluate for themselves and this node has the policies of
 * their version, it costs one write and no read beyond authentication.
 * @throws invalid_request, user_not_found, application_not_found
 */
export async function evaluateAccess(
  { db, clock, audit, policySets }: PolicyDeps,
  actor: Actor,
  request: EvaluationRequest,
) {
  const userId = request.userId == null ? actor.userId : parseId<UserId>(request.userId)
  const agentId = request.agentId == null ? null : parseId<ApplicationId>(request.agentId)
  if (userId === undefined) throw memberError('user_not_found')
  if (agentId === undefined) throw applicationError('application_not_found')

  const aboutSelf = userId === actor.userId && agentId === null
  const { resource, action } = request
  const context = fullContext(request.context ?? {}, aboutSelf ? actor.origin : undefined, clock.now())
  const accessRequest: AccessRequest = { resource, action, context }
  const set = await policySets.of(actor.teamId, actor.team.policyVersion)
  const draft = request.draft && compileDraft(clock, request.draft, set)
  const { decision, matched } = await runInSlices(
    draft ? decideWith(set, draft, accessRequest) : decide(set, accessRequest),
  )

  await db.transaction(async (tx) => {
    // Without a lock: the entry contains the user's ID but no reference that a removal would wait for.
    if (userId !== actor.userId && !(await findMember(tx, actor.teamId, userId))) throw memberError('user_not_found')
    if (agentId !== null && !(await findApplication(tx, actor.teamId, agentId)).isAiAgent)
      throw applicationError('application_not_found')
    await audit.record(tx, { ...actor, agentId }, 'policy.evaluated', {
      result: decision === 'ALLOW' ? 'SUCCESS' : 'DENIED',
      resource: `user:${userId}`,
      metadata: {
        ...recordedRequest(accessRequest),
        decision,
        ...(matched && { policy: { id: matched.id, name: matched.name } }),
        ...(draft && { draft: true }),
      },
    })
  })
  return {
    decision,
    matched,
    /** Whether a draft was included. */
    draft: draft !== undefined,
    /** Whether the draft decided. */
    matchedDraft: matched !== undefined && matched === draft?.all[0]?.policy,
    considered: request.explain ? await runInSlices(explain(set, accessRequest, draft)) : undefined,
  }
}

/**
 * Returns the given context with the current time as default and, if callers evaluate for themselves, the origin of their request.
 * @throws invalid_request
 */
function fullContext(given: Context, origin: Actor['origin'] | undefined, now: Date): Context {
  const violations = contextErrors(given)
  if (violations.length > 0)
    throw rejection('invalid_request', {
      detail: 'The context is not valid',
      errors: violations.map(({ path, message }) => ({ path: `/context${path}`, message })),
    })
  const ip = given.ipAddress ?? origin?.ip
  const agent = given.userAgent ?? origin?.userAgent
  return {
    ...given,
    timestamp: given.timestamp ?? now.toISOString(),
    ...(ip != null && { ipAddress: ip }),
    ...(agent != null && { userAgent: agent }),
  }
}
