import { Badge, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useLocation, useNavigate } from '@tanstack/react-router'
import type { Application } from '../../api/contract'
import { asProblem } from '../../api/problem'
import m from '../../messages/en/applications.json'
import { Icon } from '../../ui/icons/icon'
import stack from '../../ui/layout/stack.module.css'
import { LoadError } from '../../ui/page/load-error'
import { NoSuchItem } from '../../ui/page/no-such-item'
import { Page } from '../../ui/page/page'
import { RowsLoading } from '../../ui/page/rows-loading'
import { TabbedPage } from '../../ui/page/tabbed-page'
import { ApplicationLogo } from '../../ui/values/application-logo'
import { StatusBadge } from '../../ui/values/status-badge'
import { useCurrentTeam } from '../organizations/current-team'
import { kindOf } from './application-kind'
import { CurrentApplicationProvider } from './current-application'
import { typeOf } from './kind-badge'
import { NeedsPermission } from './needs-permission'
import { applicationQuery } from './queries'
import { tabsOf } from './tabs'

/** The header and tabs of one application. */
export function ApplicationLayout() {
  const { team, me } = useCurrentTeam()
  const { id } = getRouteApi('/signed-in/t/$slug/applications/$id').useParams()
  const mayRead = me.permissions.includes('applications:read')
  const application = useQuery({ ...applicationQuery(team.id, id), enabled: mayRead })
  if (!mayRead) return <NeedsPermission permission="applications:read" />
  if (application.isError && asProblem(application.error).status === 404)
    return (
      <NoSuchItem
        title={m.notFound()}
        lead={m.notFoundLead()}
        list={{ to: '/t/$slug/applications', params: { slug: team.slug }, name: m.toList() }}
      />
    )
  if (application.isError || !application.data)
    return (
      <Page
        title={m.application()}
        crumbs={[{ to: '/t/$slug/applications', params: { slug: team.slug }, name: m.title() }]}
      >
        {application.isError ? (
          <LoadError error={application.error} retry={() => application.refetch()} />
        ) : (
          <RowsLoading rows={2} height={180} />
        )}
      </Page>
    )
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

/** Earlier pages that are sections of the settings now. */
const MOVED = ['credentials', 'danger']

function Frame({ application, slug, permissions }: FrameProps) {
  const { id, name, logoUrl, launchUrl, type } = application
  const tabs = tabsOf(application, permissions)
  const last = useLocation().pathname.split('/').filter(Boolean).at(-1) ?? ''
  const isTry = last === 'try'
  const current = isTry ? last : (tabs.find(({ tab }) => tab === last)?.tab ?? 'overview')
  const navigate = useNavigate()
  if (MOVED.includes(last)) return <Navigate to="/t/$slug/applications/$id/settings" params={{ slug, id }} replace />
  const canTry = type === 'OIDC' && permissions.includes('applications:write') && !isTry
  return (
    <TabbedPage
      back={{ to: '/t/$slug/applications', name: m.title() }}
      picture={<ApplicationLogo id={id} name={name} logoUrl={logoUrl} size={28} />}
      heading={name}
      badges={
        <span className={stack.row}>
          <Badge>{typeOf(application)}</Badge>
          {application.stoppedAt && <StatusBadge tone="bad">{m.stoppedBadge()}</StatusBadge>}
        </span>
      }
      action={
        <>
          {launchUrl && (
            <Button
              variant="default"
              rightSection={<Icon name="arrowUpRight" size={14} />}
              renderRoot={(props) => <a href={launchUrl} target="_blank" rel="noreferrer" {...props} />}
            >
              {m.openApp()}
            </Button>
          )}
          {canTry && (
            <Button
              leftSection={<Icon name="play" />}
              onClick={() => navigate({ to: '/t/$slug/applications/$id/try', params: { slug, id } })}
            >
              {m.tryIt({ kind: kindOf(application) })}
            </Button>
          )}
        </>
      }
      label={m.tabsLabel({ application: name })}
      tabs={tabs.map(({ tab, to }) => ({ tab, to, name: m.tab({ tab }) }))}
      params={{ slug, id }}
      current={current}
      page={isTry ? m.tab({ tab: 'try' }) : undefined}
    />
  )
}
