import { queryOptions, useQuery } from '@tanstack/react-query'
import { answerOf, inTeam, member } from '../../../api/client'
import m from '../../../messages/en/users.json'
import { type Check, CheckList } from '../../../ui/layout/check-list'
import { Notice } from '../../../ui/layout/notice'
import { LoadError } from '../../../ui/page/load-error'
import { useCurrentTeam } from '../../organizations/current-team'

const accessQuery = (teamId: string, id: string, application: string) =>
  queryOptions({
    queryKey: [teamId, 'users', id, 'access', application],
    queryFn: () =>
      answerOf(
        member.GET('/api/v1/users/{id}/access', {
          ...inTeam(teamId),
          params: { path: { id }, query: { application } },
        }),
      ),
  })

interface Props {
  userId: string
  /** of the user */
  name: string
  applicationId: string
}

/** Explains why a user can or can't open an application, check by check as at a sign-in. */
export function AccessResult({ userId, name, applicationId }: Props) {
  const { team } = useCurrentTeam()
  const access = useQuery(accessQuery(team.id, userId, applicationId))
  if (access.isError) return <LoadError error={access.error} retry={() => access.refetch()} />
  if (!access.data) return null
  return (
    <>
      <Notice
        kind={access.data.allowed ? 'success' : 'warning'}
        title={access.data.allowed ? m.allowed({ name }) : m.denied({ name })}
      />
      <CheckList
        checks={access.data.checks.map(
          ({ check, passed, code, groups, policy }): Check => ({
            state: passed ? 'good' : 'failed',
            title: m.accessCheck({ check }),
            text: (
              <>
                {m.accessCode({ code, groups: (groups ?? []).map((group) => group.name).join(', ') })}
                {policy && ` · ${m.byPolicy({ name: policy.name })}`}
              </>
            ),
          }),
        )}
      />
    </>
  )
}
