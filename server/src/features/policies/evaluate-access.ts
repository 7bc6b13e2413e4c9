import { inTurns } from '../../platform/concurrency/time-slices.js'
import type { Transaction } from '../../platform/db/database.js'
import { rejection } from '../../platform/errors.js'
import type { Actor } from '../../platform/http/actor.js'
import { type ApplicationId, parseId, type UserId } from '../../platform/ids.js'
import {
  type Considered,
  type Context,
  contextFaults,
  type Decision,
  decide,
  decideWith,
  explain,
  type Question,
} from '../../protocols/policy/index.js'
import { applicationError, findApplication } from '../applications/index.js'
import { findMember, memberError } from '../members/index.js'
import type { PolicyDeps } from './deps.js'
import { compileDraft, type WrittenDraft } from './draft-policy.js'
import { recordedQuestion } from './recorded-question.js'

export interface EvaluationRequest {
  resource: string
  action: string
  userId?: string | null
  agentId?: string | null
  context?: Context | null
  explain?: boolean
  draft?: WrittenDraft
}

export interface EvaluationResult extends Decision {
  /** Whether a draft was among the policies. */
  draft: boolean
  /** Whether it was the draft that decided. */
  matchedDraft: boolean
  considered: Considered[] | undefined
}

/**
 * Decides by the team's ACCESS policies and records that it did. A caller who asks about themselves costs no read beside the one that
 * authenticated them, where this node knows the policies of their version, and one write.
 * @throws invalid_request, user_not_found, application_not_found
 */
export async function evaluateAccess(
  { db, clock, audit, policySets }: PolicyDeps,
  actor: Actor,
  request: EvaluationRequest,
): Promise<EvaluationResult> {
  const userId = request.userId == null ? actor.userId : parseId<UserId>(request.userId)
  const agentId = request.agentId == null ? null : parseId<ApplicationId>(request.agentId)
  if (userId === undefined) throw memberError('user_not_found')
  if (agentId === undefined) throw applicationError('application_not_found')

  const aboutSelf = userId === actor.userId && agentId === null
  const { resource, action } = request
  const context = fullContext(request.context ?? {}, aboutSelf ? actor.origin : undefined, clock.now())
  const question: Question = { resource, action, context }
  const set = await policySets.of(actor.teamId, actor.team.policyVersion)
  const draft = request.draft && compileDraft(clock, request.draft, set)
  const { decision, matched } = await inTurns(draft ? decideWith(set, draft, question) : decide(set, question))

  await db.transaction(async (tx) => {
    if (userId !== actor.userId) await requireMember(tx, actor, userId)
    if (agentId !== null) await requireAgent(tx, actor, agentId)
    await audit.record(tx, { ...actor, agentId }, 'policy.evaluated', {
      result: decision === 'ALLOW' ? 'SUCCESS' : 'DENIED',
      resource: `user:${userId}`,
      metadata: {
        ...recordedQuestion(question),
        decision,
        ...(matched && { policy: { id: matched.id, name: matched.name } }),
        ...(draft && { draft: true }),
      },
    })
  })
  return {
    decision,
    matched,
    draft: draft !== undefined,
    matchedDraft: matched !== undefined && matched === draft?.all[0]?.policy,
    considered: request.explain ? await inTurns(explain(set, question, draft)) : undefined,
  }
}

/** By a plain read: the entry names the user and refers to nothing that a removal would have to wait for. @throws user_not_found */
async function requireMember(tx: Transaction, { teamId }: Actor, userId: UserId): Promise<void> {
  if (!(await findMember(tx, teamId, userId))) throw memberError('user_not_found')
}

/** @throws application_not_found for one that is no agent, too */
async function requireAgent(tx: Transaction, { teamId }: Actor, agentId: ApplicationId): Promise<void> {
  const { isAiAgent } = await findApplication(tx, teamId, agentId)
  if (!isAiAgent) throw applicationError('application_not_found')
}

/**
 * What the caller says, with the time where they say none, and where they ask about themselves with what their request tells.
 * @throws invalid_request
 */
function fullContext(given: Context, origin: Actor['origin'] | undefined, now: Date): Context {
  const faults = contextFaults(given)
  if (faults.length > 0)
    throw rejection('invalid_request', {
      detail: 'The context is not valid',
      errors: faults.map(({ path, message }) => ({ path: `/context${path}`, message })),
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
