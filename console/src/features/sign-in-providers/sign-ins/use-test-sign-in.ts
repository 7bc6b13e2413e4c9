import { answerOf, member } from '../../../api/client'
import { Problem } from '../../../api/problem'
import { serviceAddress } from '../../../api/service-address'
import { useWrite } from '../../../api/use-write'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { ofProvider, PROVIDER } from '../queries'
import { storePendingTest } from './pending-test'

/** Opens the provider in this window for a test, which ends at its report. */
export function useTestSignIn() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  return useWrite({
    act: async () => {
      const { url, runId } = await answerOf(member.POST(`${PROVIDER}/test-login`, ofProvider(team.id, id)))
      // A test starts at the service. No other origin is opened.
      if (new URL(url).origin !== serviceAddress()) throw new Problem({ code: 'not_followable' })
      storePendingTest({ runId, slug: team.slug })
      location.assign(url)
    },
    refresh: [],
  })
}
