import { Modal, Select, Stack } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, inTeam, member } from '../../api/client'
import m from '../../messages/en/users.json'
import { type Check, CheckList } from '../../ui/check-list'
import { LoadError } from '../../ui/load-error'
import { Notice } from '../../ui/notice'
import { applicationsQuery } from '../applications/queries'
import { useCurrentTeam } from '../organizations/current-team'
import type { User } from './queries'
import { userName } from './user-name'

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

/** Explains why a user can or can't open an application, check by check as at a sign-in. */
export function AccessDialog({ user, close }: { user: User; close: () => void }) {
  const { team } = useCurrentTeam()
  const name = userName(user)
  const applications = useQuery(applicationsQuery(team.id))
  const [application, setApplication] = useState<string | null>(null)
  const access = useQuery({ ...accessQuery(team.id, user.id, application ?? ''), enabled: application !== null })
  return (
    <Modal opened onClose={close} title={m.checkAccessTitle({ name })}>
      <Stack gap="sm">
        <Select
          label={m.application()}
          searchable
          data={(applications.data ?? []).map((one) => ({ value: one.id, label: one.name }))}
          value={application}
          onChange={setApplication}
          data-autofocus
        />
        {access.isError && <LoadError error={access.error} retry={() => access.refetch()} />}
        {access.data && (
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
        )}
      </Stack>
    </Modal>
  )
}
