import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { asProblem } from '../../../api/problem'
import common from '../../../messages/en/common.json'
import roles from '../../../messages/en/roles.json'
import m from '../../../messages/en/users.json'
import { Icon } from '../../../ui/icons/icon'
import { LoadError } from '../../../ui/page/load-error'
import { NoSuchItem } from '../../../ui/page/no-such-item'
import { Page } from '../../../ui/page/page'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { TabbedPage } from '../../../ui/page/tabbed-page'
import { CopyText } from '../../../ui/values/copy-text'
import { Monogram } from '../../../ui/values/monogram'
import { NeedsPermission } from '../../applications/needs-permission'
import { useCurrentTeam } from '../../organizations/current-team'
import { useUserWrites } from '../mutations'
import { type User, userQueryById } from '../queries'
import { StatusButton } from '../status-button'
import { UserDialogs, useUserAction } from '../user-actions'
import { UserMenu } from '../user-menu'
import { userName } from '../user-name'
import { UserStatus } from '../user-status'
import { CurrentUserProvider } from './current-user'
import { tabsFor } from './tabs'

/** The header and tabs of one user of the team. */
export function UserLayout() {
  const { team, me } = useCurrentTeam()
  const { id } = getRouteApi('/signed-in/t/$slug/users/$id').useParams()
  const mayRead = me.permissions.includes('users:read')
  const user = useQuery({ ...userQueryById(team.id, id), enabled: mayRead })
  const list = { to: '/t/$slug/users', params: { slug: team.slug } } as const
  if (!mayRead) return <NeedsPermission permission="users:read" />
  if (user.isError && asProblem(user.error).status === 404)
    return <NoSuchItem title={m.notFound()} lead={m.notFoundLead()} list={{ ...list, name: m.toList() }} />
  if (user.data) return <Details key={id} user={user.data} />
  return (
    <Page title={m.user()} crumbs={[{ ...list, name: m.title() }]}>
      {user.isError ? (
        <LoadError error={user.error} retry={() => user.refetch()} />
      ) : (
        <RowsLoading rows={3} height={160} />
      )}
    </Page>
  )
}

function Details({ user }: { user: User }) {
  const { team, me } = useCurrentTeam()
  const navigate = useNavigate()
  const name = userName(user)
  const writes = useUserWrites(user.id, name)
  const { action, open, close } = useUserAction()
  const tabs = tabsFor(me.permissions)
  const last = useLocation().pathname.split('/').filter(Boolean).at(-1)
  return (
    <CurrentUserProvider value={{ user, writes, open }}>
      <TabbedPage
        back={{ to: '/t/$slug/users', name: m.title() }}
        picture={<Monogram of={name} size={28} round />}
        heading={name}
        badges={
          <>
            <UserStatus status={user.status} />
            <Badge>{roles.name({ role: user.roleExact ?? user.role })}</Badge>
            <CopyText text={user.email} label={m.emailAddress()} isTextHidden={name === user.email} />
          </>
        }
        action={
          <>
            {me.permissions.includes('users:write') && (
              <StatusButton user={user} suspend={() => open('suspend')} writes={writes} />
            )}
            <UserMenu user={user} writes={writes} open={open}>
              <Button variant="default" rightSection={<Icon name="down" size={14} />}>
                {common.moreActions()}
              </Button>
            </UserMenu>
          </>
        }
        label={m.tabsLabel({ name })}
        tabs={tabs.map(({ tab, to }) => ({ tab, to, name: m.tab({ tab }) }))}
        params={{ slug: team.slug, id: user.id }}
        current={tabs.find(({ tab }) => tab === last)?.tab ?? 'profile'}
      />
      <UserDialogs
        user={user}
        writes={writes}
        action={action}
        close={close}
        removed={() => navigate({ to: '/t/$slug/users', params: { slug: team.slug } })}
      />
    </CurrentUserProvider>
  )
}
