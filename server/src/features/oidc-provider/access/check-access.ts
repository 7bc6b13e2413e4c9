import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { rejection as platformError } from '../../../platform/errors.js'
import type { Actor } from '../../../platform/http/actor.js'
import type { ApplicationId, TeamId, UserId } from '../../../platform/ids.js'
import { findApplication } from '../../applications/index.js'
import { findMembership, memberError } from '../../members/index.js'
import { requiresFactor, validFactors } from '../../mfa/index.js'
import { requirePermission } from '../../permissions/index.js'
import { type SignOnDecision, signInContext } from '../../policies/index.js'
import { mfaTermsOf } from '../../settings/index.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { mayUse } from '../model/grant-validity.js'

/** The circumstances of the sign-in to evaluate. Policies do not match conditions on the others. */
export interface Circumstances {
  ipAddress?: string
  method?: string
}

/** A check of a sign-in, with its result. Absent details are not visible to the caller, or do not apply. */
export interface AccessCheck {
  check: 'team' | 'membership' | 'application' | 'assignment' | 'sign_in_policy' | 'application_policy' | 'mfa'
  passed: boolean
  code: string
  groups?: { id: string; name: string }[]
  requirement?: string | null
  policy?: { id: string; name: string } | null
}

export interface Access {
  userId: UserId
  applicationId: ApplicationId
  allowed: boolean
  /** In the order of a sign-in. */
  checks: AccessCheck[]
}

interface AccessRow {
  email: string
  role: string
  status: string
  teamActive: boolean
  stopped: boolean
  signsIn: boolean
  assignmentRequired: boolean
  isDirect: boolean
  groups: { id: string; name: string }[]
  mayUse: boolean
}

// A pending membership becomes active at the first sign-in. The team asserts its own members, so their email address need not be verified.
const read = namedQuery<AccessRow, [UserId, TeamId, ApplicationId]>(
  'oidc_provider.access_of_user',
  `SELECT u.email, m.role, m.stored AS status, o.status = 'ACTIVE' AS "teamActive", a.stopped_at IS NOT NULL AS stopped,
     a.type = 'SAML' OR a.grant_types && ARRAY['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] AS "signsIn",
     a.assignment_required AS "assignmentRequired",
     EXISTS (SELECT FROM application_users au WHERE au.application_id = a.id AND au.user_id = u.id) AS "isDirect",
     (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) ORDER BY g.name, g.id), '[]')
      FROM application_groups ag JOIN groups g ON g.id = ag.group_id JOIN group_members gm ON gm.group_id = g.id
      WHERE ag.application_id = a.id AND gm.user_id = u.id) AS groups,
     ${mayUse('a', 'm', 'u', 'true')} AS "mayUse"
   FROM users u
   JOIN (SELECT id, user_id, organization_id, role, counts, status AS stored, replace(status, 'pending', 'active') AS status FROM memberships) m
     ON m.user_id = u.id AND m.organization_id = $2
   JOIN organizations o ON o.id = m.organization_id
   JOIN applications a ON a.id = $3 AND a.organization_id = o.id
   WHERE u.id = $1`,
)

/**
 * Explains whether a user may open an application of the team, with the checks of a sign-in in their order. It evaluates what the team
 * controls: not the account, its other sessions or its earlier sign-ins, of which the team must learn nothing.
 * @throws user_not_found, application_not_found, invalid_request; forbidden without applications:read, and without
 *   policies:read for other circumstances than a sign-in with a password now
 */
export const checkAccess = (
  deps: Pick<OidcProviderDeps, 'clock' | 'countries' | 'db' | 'decideSignOn'>,
  actor: Actor,
  id: string,
  { application, ...circumstances }: Circumstances & { application?: string },
): Promise<Access> =>
  deps.db.transaction(async (tx) => {
    const { teamId, permissions } = actor
    const { userId } = await findMembership(tx, teamId, id)
    requirePermission(actor, 'applications:read')
    // Otherwise every caller could find out under which circumstances a policy requires less.
    if (Object.keys(circumstances).length > 0) requirePermission(actor, 'policies:read')
    if (application === undefined)
      throw platformError('invalid_request', {
        detail: 'application is required',
        errors: [{ path: '/application', message: 'is required' }],
      })
    const { id: applicationId } = await findApplication(tx, teamId, application)
    const [row] = await tx.run(read, [userId, teamId, applicationId])
    if (!row) throw memberError('user_not_found')
    const decide = (resource: 'sign-in' | `application:${string}`) =>
      deps.decideSignOn(tx, teamId, { resource, context: contextOf(deps, actor, row, circumstances) })
    const signIn = await decide('sign-in')
    const ofApplication = await decide(`application:${applicationId}`)
    const shown = permissions.has('policies:read')
    const requiresMfa = [signIn, ofApplication].some(({ requirement }) => requirement === 'MFA_REQUIRED')
    const checks = [
      teamCheck(row),
      { check: 'membership', passed: row.status !== 'suspended', code: row.status } as const,
      applicationCheck(row),
      assignmentCheck(row, permissions.has('groups:read')),
      policyCheck('sign_in_policy', signIn, shown),
      policyCheck('application_policy', ofApplication, shown),
      await mfaCheck(tx, { userId, teamId }, requiresMfa),
    ]
    return { userId, applicationId, allowed: row.mayUse && checks.every(({ passed }) => passed), checks }
  })

const contextOf = (
  { clock, countries }: Pick<OidcProviderDeps, 'clock' | 'countries'>,
  { origin: { requestId } }: Actor,
  { email, role }: AccessRow,
  { ipAddress, method = 'password' }: Circumstances,
) => {
  const ip = ipAddress ?? null
  return signInContext(clock, {
    origin: { ip, userAgent: null, requestId },
    country: countries.countryOf(ip),
    email,
    role,
    method,
  })
}

/** A suspended team admits only its owners and super-admins, and to no application. */
const teamCheck = ({ teamActive }: AccessRow): AccessCheck => ({
  check: 'team',
  passed: teamActive,
  code: teamActive ? 'active' : 'suspended',
})

const applicationCheck = ({ stopped, signsIn }: AccessRow): AccessCheck => ({
  check: 'application',
  passed: signsIn && !stopped,
  code: !signsIn ? 'without_sign_in' : stopped ? 'stopped' : 'active',
})

function assignmentCheck({ assignmentRequired, isDirect, groups }: AccessRow, showsGroups: boolean): AccessCheck {
  const code = !assignmentRequired ? 'everyone' : isDirect ? 'direct' : groups.length > 0 ? 'group' : 'not_assigned'
  return {
    check: 'assignment',
    passed: code !== 'not_assigned',
    code,
    ...(assignmentRequired && showsGroups && { groups }),
  }
}

const policyCheck = (
  check: 'sign_in_policy' | 'application_policy',
  { verdict, requirement, policy }: SignOnDecision,
  showsPolicy: boolean,
): AccessCheck => ({
  check,
  passed: verdict === 'ALLOW',
  code: verdict === 'DENY' ? 'denied' : policy ? 'allowed' : 'no_policy',
  requirement,
  ...(showsPolicy && { policy: policy ?? null }),
})

/** The team sees its own factors of the user, and the user's own ones as long as the membership is confirmed. */
async function mfaCheck(
  tx: Transaction,
  { userId, teamId }: { userId: UserId; teamId: TeamId },
  isRequired: boolean,
): Promise<AccessCheck> {
  const hasFactor = requiresFactor(await validFactors(tx, { userId, teamId, restrictedTo: teamId }))
  // Without the end of the grace period of the instance, which depends on the age of the account.
  const { mfaRequired } = await mfaTermsOf(tx)
  const code = hasFactor ? 'required' : isRequired || mfaRequired ? 'enrollment_required' : 'not_required'
  return { check: 'mfa', passed: true, code }
}
