import { queryOptions } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import type {
  NewClaim,
  NewRule,
  NewScope,
  NewSigningKey,
  RuleTest,
  SigningKeyChanges,
  TokenPolicyChanges,
} from '../../../api/contract'
import { queryClient } from '../../../api/query-client'

/** The IDs of an application and its team. */
export interface At {
  teamId: string
  appId: string
}

const base = '/api/v1/applications/{appId}/oidc-config'
const of = ({ teamId, appId }: At) => ({ ...inTeam(teamId), params: { path: { appId } } })
const keyOf = ({ teamId, appId }: At) => [teamId, 'applications', appId, 'oidc-config']

export function configQuery(at: At) {
  return queryOptions({ queryKey: keyOf(at), queryFn: () => answerOf(member.GET(base, of(at))) })
}

/** The attributes that claims can contain. */
export function attributesQuery(at: At) {
  return queryOptions({
    queryKey: ['claim-attributes'],
    queryFn: () => answerOf(member.GET(`${base}/claims/attributes`, of(at))).then(({ data }) => data),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A preview of a user's tokens. Its key is below that of the settings, so every write refreshes it. */
export function previewQuery(at: At, request: { userId: string; scopes: string[] }) {
  return queryOptions({
    queryKey: [...keyOf(at), 'preview', request],
    queryFn: () => answerOf(member.POST(`${base}/preview`, { ...of(at), body: request })),
  })
}

/** At most six users of the team whose name or email address matches. */
export function usersQuery(teamId: string, search: string) {
  return queryOptions({
    queryKey: [teamId, 'users', 'search', search],
    queryFn: () =>
      answerOf(member.GET('/api/v1/users', { ...inTeam(teamId), params: { query: { search, limit: 6 } } })).then(
        ({ data }) => data,
      ),
  })
}

/** The result of an unsaved rule for a value. */
export function ruleTestQuery(at: At, test: RuleTest) {
  return queryOptions({
    queryKey: [at.teamId, 'rule-test', test],
    queryFn: () => answerOf(member.POST(`${base}/regex-rules/test`, { ...of(at), body: test })),
    gcTime: 0,
  })
}

/** After a change, the page shows it before the change is said to be done. */
async function changed<Answer>(at: At, call: Promise<Answer>): Promise<Answer> {
  const answer = await call
  await queryClient.invalidateQueries({ queryKey: keyOf(at) })
  return answer
}

export function addScope(at: At, body: NewScope) {
  return changed(at, answerOf(member.POST(`${base}/scopes`, { ...of(at), body })))
}

export function changeScope(at: At, scopeId: string, body: Partial<NewScope>) {
  const path = { appId: at.appId, scopeId }
  return changed(at, answerOf(member.PUT(`${base}/scopes/{scopeId}`, { ...of(at), params: { path }, body })))
}

export function removeScope(at: At, scopeId: string) {
  const path = { appId: at.appId, scopeId }
  return changed(at, answerOf(member.DELETE(`${base}/scopes/{scopeId}`, { ...of(at), params: { path } })))
}

export function addClaim(at: At, body: NewClaim) {
  return changed(at, answerOf(member.POST(`${base}/claims`, { ...of(at), body })))
}

export function changeClaim(at: At, claimId: string, body: NewClaim) {
  const path = { appId: at.appId, claimId }
  return changed(at, answerOf(member.PUT(`${base}/claims/{claimId}`, { ...of(at), params: { path }, body })))
}

export function removeClaim(at: At, claimId: string) {
  const path = { appId: at.appId, claimId }
  return changed(at, answerOf(member.DELETE(`${base}/claims/{claimId}`, { ...of(at), params: { path } })))
}

export function addRule(at: At, body: NewRule) {
  return changed(at, answerOf(member.POST(`${base}/regex-rules`, { ...of(at), body })))
}

export function changeRule(at: At, ruleId: string, body: NewRule) {
  const path = { appId: at.appId, ruleId }
  return changed(at, answerOf(member.PUT(`${base}/regex-rules/{ruleId}`, { ...of(at), params: { path }, body })))
}

export function removeRule(at: At, ruleId: string) {
  const path = { appId: at.appId, ruleId }
  return changed(at, answerOf(member.DELETE(`${base}/regex-rules/{ruleId}`, { ...of(at), params: { path } })))
}

export function generateKey(at: At, body: NewSigningKey) {
  return changed(at, answerOf(member.POST(`${base}/signing-keys/generate`, { ...of(at), body })))
}

export function changeKey(at: At, keyId: string, body: SigningKeyChanges) {
  const path = { appId: at.appId, keyId }
  return changed(at, answerOf(member.PUT(`${base}/signing-keys/{keyId}`, { ...of(at), params: { path }, body })))
}

/** @param immediately unpublishes the key at once, so that every token signed with it is rejected */
export function removeKey(at: At, keyId: string, immediately: boolean) {
  const params = { path: { appId: at.appId, keyId }, query: immediately ? { immediately } : {} }
  return changed(at, answerOf(member.DELETE(`${base}/signing-keys/{keyId}`, { ...of(at), params })))
}

export function changePolicy(at: At, body: TokenPolicyChanges) {
  return changed(at, answerOf(member.PUT(`${base}/token-policy`, { ...of(at), body })))
}
