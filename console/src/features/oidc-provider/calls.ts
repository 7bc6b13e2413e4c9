import { queryOptions } from '@tanstack/react-query'
import { askIssuer } from '../../api/client'
import type { Interaction } from '../../api/contract'
import type { SignInRequest } from '../../navigation/sign-in-search'

const pathOf = (uid: string) => `/interaction/${encodeURIComponent(uid)}`

/** Who asks for what. Read once: the page answers it and is left. */
export function interactionQuery({ uid, idp }: SignInRequest) {
  return queryOptions({
    queryKey: ['interaction', idp, uid],
    queryFn: () => askIssuer<Interaction>(idp, pathOf(uid)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** @returns where the application wants the browser to go, not judged yet */
export async function answerInteraction({ uid, idp }: SignInRequest, consent: boolean): Promise<string> {
  const { redirectTo } = await askIssuer<{ redirectTo: string }>(idp, `${pathOf(uid)}/confirm`, { consent })
  return redirectTo
}
