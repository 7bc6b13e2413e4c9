import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import type { Application } from '../../api/contract'
import { asProblem } from '../../api/problem'
import { ApplicationLogo } from '../../ui/application-logo'
import { Icon } from '../../ui/icons/icon'
import { LoadError } from '../../ui/load-error'
import { Page } from '../../ui/page'
import { RowsLoading } from '../../ui/rows-loading'
import { TabbedPage } from '../../ui/tabbed-page'
import { applicationWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { CurrentApplicationProvider } from './current-application'
import { KindBadge } from './kind-badge'
import { NeedsPermission } from './needs-permission'
import { applicationQuery } from './queries'
import { type Tab, tabsOf } from './tabs'

/** One application: who it is, the pages about it, and the way to try it from each of them. */
export function ApplicationLayout() {
  const { team, me } = useCurrentTeam()
  const { id } = getRouteApi('/signed-in/t/$slug/applications/$id').useParams()
  const mayRead = me.permissions.includes('applications:read')
  const application = useQuery({ ...applicationQuery(team.id, id), enabled: mayRead })
  if (!mayRead) return <NeedsPermission permission="applications:read" />
  if (application.isError) {
    return asProblem(application.error).status === 404 ? (
      <NoSuchApplication slug={team.slug} />
    ) : (
      <Page title={words.title}>
        <LoadError error={application.error} retry={() => application.refetch()} />
      </Page>
    )
  }
  if (!application.data) return <RowsLoading rows={2} height={180} />
  return (
    <CurrentApplicationProvider key={id} value={application.data}>
      <Frame application={application.data} slug={team.slug} permissions={me.permissions} />
    </CurrentApplicationProvider>
  )
}

interface FrameProps {
  application: Application
  slug: string
  permissions: readonly string[]
}

function Frame({ application, slug, permissions }: FrameProps) {
  const { id, name, logoUrl } = application
  const tabs = tabsOf(application, permissions)
  const last = useLocation().pathname.split('/').filter(Boolean).at(-1) ?? ''
  const current = (tabs.find(({ tab }) => tab === last)?.tab ?? 'start') satisfies Tab
  const navigate = useNavigate()
  // Start says more about it, in a panel of its own.
  const canTry = tabs.some(({ tab }) => tab === 'try') && current !== 'try' && current !== 'start'
  return (
    <TabbedPage
      back={{ to: '/t/$slug/applications', name: words.toList }}
      picture={<ApplicationLogo id={id} name={name} logoUrl={logoUrl} size={28} />}
      heading={name}
      badges={<KindBadge application={application} />}
      action={
        canTry && (
          <Button
            leftSection={<Icon name="play" />}
            onClick={() => navigate({ to: '/t/$slug/applications/$id/try', params: { slug, id } })}
          >
            {words.tryNow}
          </Button>
        )
      }
      label={words.tabsLabel(name)}
      tabs={tabs.map(({ tab, to }) => ({ tab, to, name: words.tabs[tab] }))}
      params={{ slug, id }}
      current={current}
    />
  )
}

function NoSuchApplication({ slug }: { slug: string }) {
  const navigate = useNavigate()
  return (
    <Page title={words.notFound} lead={words.notFoundLead}>
      <div>
        <Button onClick={() => navigate({ to: '/t/$slug/applications', params: { slug } })}>{words.toList}</Button>
      </div>
    </Page>
  )
}
