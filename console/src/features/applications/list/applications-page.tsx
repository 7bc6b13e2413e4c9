import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../../ui/empty-state'
import { Field } from '../../../ui/form/field'
import { Icon } from '../../../ui/icons/icon'
import { LoadError } from '../../../ui/load-error'
import { Page } from '../../../ui/page'
import { Panel } from '../../../ui/panel'
import { RowsLoading } from '../../../ui/rows-loading'
import stack from '../../../ui/stack.module.css'
import { applicationWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { NeedsPermission } from '../needs-permission'
import { applicationsQuery } from '../queries'
import { ApplicationRow } from './application-row'
import styles from './application-row.module.css'

/** With fewer, all of them are in sight. */
const filterFrom = 8

export function ApplicationsPage() {
  const { team, me } = useCurrentTeam()
  return me.permissions.includes('applications:read') ? (
    <Applications teamId={team.id} slug={team.slug} mayAdd={me.permissions.includes('applications:write')} />
  ) : (
    <NeedsPermission permission="applications:read" />
  )
}

function Applications({ teamId, slug, mayAdd }: { teamId: string; slug: string; mayAdd: boolean }) {
  const applications = useQuery(applicationsQuery(teamId))
  const { q = '' } = getRouteApi('/signed-in/t/$slug/applications').useSearch()
  const navigate = useNavigate()
  const all = applications.data ?? []
  const shown = all.filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase()))
  const filter = (text: string) =>
    navigate({
      to: '/t/$slug/applications',
      params: { slug },
      search: text ? { q: text } : {},
      replace: true,
    })
  const add = mayAdd && (
    <Button
      leftSection={<Icon name="plus" />}
      onClick={() => navigate({ to: '/t/$slug/applications/new', params: { slug } })}
    >
      {words.add}
    </Button>
  )

  return (
    <Page title={words.title} lead={words.lead} aside={all.length > 0 && add}>
      <Panel title={words.title} hideTitle>
        {applications.isPending && <RowsLoading rows={3} />}
        {applications.isError && <LoadError error={applications.error} retry={() => applications.refetch()} />}
        {applications.data && all.length === 0 && <EmptyState icon="apps" text={words.empty} action={add} />}
        {(all.length >= filterFrom || q) && (
          <div className={stack.narrow}>
            <Field
              name="q"
              label={words.filter}
              type="search"
              value={q}
              onChange={(event) => filter(event.target.value)}
            />
          </div>
        )}
        {all.length > 0 && shown.length === 0 && (
          <EmptyState
            icon="apps"
            text={words.noMatch}
            action={
              <Button variant="default" onClick={() => filter('')}>
                {words.clearFilter}
              </Button>
            }
          />
        )}
        {shown.length > 0 && (
          <ul className={styles.list}>
            {shown.map((application) => (
              <ApplicationRow key={application.id} application={application} slug={slug} />
            ))}
          </ul>
        )}
      </Panel>
    </Page>
  )
}
