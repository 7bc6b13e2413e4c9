import { queryOptions } from '@tanstack/react-query'
import { answerOf, askIssuer, member } from '../../../api/client'
import type { Interaction } from '../../../api/contract'
import type { SignInRequest } from '../../../navigation/sign-in-search'

const pathOf = (uid: string) => `/interaction/${encodeURIComponent(uid)}`

/** The request of the application. Read once: the page answers it and is left. */
export function interactionQuery({ uid, idp }: SignInRequest) {
  return queryOptions({
    queryKey: ['interaction', idp, uid],
    queryFn: () => askIssuer<Interaction>(idp, pathOf(uid)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** @returns the redirect URL of the application, not validated yet */
export async function answerInteraction({ uid, idp }: SignInRequest, consent: boolean): Promise<string> {
  const { redirectTo } = await askIssuer<{ redirectTo: string }>(idp, `${pathOf(uid)}/confirm`, { consent })
  return redirectTo
}

/** Finds the request of a device code. @returns the request, with an issuer that is not validated yet */
export function verifyUserCode(userCode: string) {
  return answerOf(member.POST('/api/v1/oauth/device/verify', { body: { userCode } }))
}

/** The applications that the user has access to. */
export const myApplicationsQuery = queryOptions({
  queryKey: ['mine', 'applications'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/applications')).then(({ data }) => data),
})

/** The access that the user has granted to applications. */
export const grantsQuery = queryOptions({
  queryKey: ['mine', 'grants', 'allowed'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/grants')).then(({ data }) => data),
})

export function removeGrant(id: string) {
  return answerOf(member.DELETE('/api/v1/auth/grants/{id}', { params: { path: { id } } }))
}

/** The agents whose access the user removed and that cannot request it again. */
export const withdrawnQuery = queryOptions({
  queryKey: ['mine', 'grants', 'withdrawn'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/grants/withdrawn')).then(({ data }) => data),
})

export function allowAgain(id: string) {
  return answerOf(member.POST('/api/v1/auth/grants/{id}/allow', { params: { path: { id } } }))
}

/** Both lists: an agent moves from one to the other. */
export const GRANTS = ['mine', 'grants']
