import { answerOf, inTeam, member } from '../../api/client'
import { session } from '../../api/session'

/** Teams that are asked; whoever is in more of them finds the report from the provider's own page. */
const most = 20

/** The team of mine that has this provider and shows it to me: its address, or undefined where there is none. */
export async function findTeamOfProvider(providerId: string): Promise<string | undefined> {
  if (!(await session.restore())) return undefined
  const { data: teams } = await answerOf(member.GET('/api/v1/organizations'))
  const asked = await Promise.allSettled(
    teams.slice(0, most).map(async ({ id, slug }) => {
      await answerOf(
        member.GET('/api/v1/sso/providers/{providerId}', { ...inTeam(id), params: { path: { providerId } } }),
      )
      return slug
    }),
  )
  return asked.find((one) => one.status === 'fulfilled')?.value
}
