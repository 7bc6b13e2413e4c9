import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import m from '../../messages/en/users.json'
import { Icon } from '../../ui/icons/icon'
import { LoadError } from '../../ui/load-error'
import { Monogram } from '../../ui/monogram'
import { Page } from '../../ui/page'
import content from '../../ui/page.module.css'
import { PageHeader } from '../../ui/page-header'
import { RowsLoading } from '../../ui/rows-loading'
import { useCurrentTeam } from '../organizations/current-team'
import { useUserWrites } from './mutations'
import { type User, userQueryById } from './queries'
import { UserDialogs, useUserAction } from './user-actions'
import { StatusButton } from './user-drawer'
import { UserMenu } from './user-menu'
import { userName } from './user-name'
import styles from './user-page.module.css'
import { AccessPart, ActivityPart, PartAction, ProfilePart, SessionsPart } from './user-panels'
import { UserStatus } from './user-status'

const route = getRouteApi('/signed-in/t/$slug/users/$id')

/** Everything about one user of the team. */
export function UserPage() {
  const { team } = useCurrentTeam()
  const { id } = route.useParams()
  const user = useQuery(userQueryById(team.id, id))
  const crumbs = [{ to: '/t/$slug/users', params: { slug: team.slug }, name: m.title() }] as const
  if (user.isError)
    return (
      <Page title={m.user()} crumbs={crumbs}>
        <LoadError error={user.error} retry={() => user.refetch()} />
      </Page>
    )
  if (!user.data)
    return (
      <Page title={m.user()} crumbs={crumbs}>
        <RowsLoading rows={3} height={160} />
      </Page>
    )
  return <Details user={user.data} crumbs={crumbs} />
}

type Crumbs = readonly { to: '/t/$slug/users'; params: { slug: string }; name: string }[]

function Details({ user, crumbs }: { user: User; crumbs: Crumbs }) {
  const { team, me } = useCurrentTeam()
  const navigate = useNavigate()
  const name = userName(user)
  const writes = useUserWrites(user.id, name)
  const { action, open, close } = useUserAction()
  const canWrite = me.permissions.includes('users:write')
  const canReset = me.permissions.includes('users:credentials')
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        picture={<Monogram of={name} size={28} round />}
        heading={name}
        badges={<UserStatus status={user.status} />}
        actions={
          <>
            {canWrite && <StatusButton user={user} suspend={() => open('suspend')} writes={writes} />}
            <UserMenu user={user} writes={writes} open={open}>
              <Button variant="default" rightSection={<Icon name="down" size={14} />}>
                {m.moreActions()}
              </Button>
            </UserMenu>
          </>
        }
      />
      <div className={content.content}>
        <div className={styles.columns}>
          <div className={styles.card}>
            <ProfilePart user={user} action={canWrite && <PartAction name={m.edit()} run={() => open('edit')} />} />
          </div>
          <div className={styles.card}>
            <AccessPart user={user} action={<PartAction name={m.checkAccess()} run={() => open('access')} />} />
          </div>
          <div className={styles.card}>
            <SessionsPart
              user={user}
              action={canReset && <PartAction name={m.endSessions()} run={() => open('endSessions')} />}
            />
          </div>
          <div className={styles.card}>
            <ActivityPart user={user} limit={20} />
          </div>
        </div>
      </div>
      <UserDialogs
        user={user}
        writes={writes}
        action={action}
        close={close}
        removed={() => navigate({ to: '/t/$slug/users', params: { slug: team.slug } })}
      />
    </>
  )
}
