import { answerOf, inTeam, member } from '../../api/client'
import type { NewSsoProvider, SsoProvider, SsoProviderChanges } from '../../api/contract'
import { useWrite } from '../../api/use-write'
import m from '../../messages/en/sign-in-providers.json'
import { useCurrentTeam } from '../organizations/current-team'
import { useCurrentProvider } from './current-provider'
import { ofProvider, PROVIDER, providersQuery } from './queries'

export function useCreateProvider() {
  const { team } = useCurrentTeam()
  return useWrite({
    act: (body: NewSsoProvider) => answerOf(member.POST('/api/v1/sso/providers', { ...inTeam(team.id), body })),
    refresh: [providersQuery(team.id).queryKey],
    showsError: true,
  })
}

/** The writes on the provider of the page. @param done the toast after a change */
export function useProviderWrites(done?: (provider: SsoProvider) => string) {
  const { team } = useCurrentTeam()
  const { id, name } = useCurrentProvider()
  const call = ofProvider(team.id, id)
  return {
    change: useWrite({
      act: (body: SsoProviderChanges) => answerOf(member.PUT(PROVIDER, { ...call, body })),
      refresh: [[team.id, 'sso']],
      ...(done && { done }),
      showsError: true,
    }),
    remove: useWrite({
      act: () => answerOf(member.DELETE(PROVIDER, call)),
      // Without the queries of the provider, which no longer exists.
      refresh: [providersQuery(team.id).queryKey],
      done: () => m.deleted({ name }),
      showsError: true,
    }),
  }
}
