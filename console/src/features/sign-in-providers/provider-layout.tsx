import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import type { SsoProvider } from '../../api/contract'
import { asProblem } from '../../api/problem'
import m from '../../messages/en/sign-in-providers.json'
import stack from '../../ui/layout/stack.module.css'
import { LoadError } from '../../ui/page/load-error'
import { NoSuchItem } from '../../ui/page/no-such-item'
import { Page } from '../../ui/page/page'
import { RowsLoading } from '../../ui/page/rows-loading'
import { TabbedPage } from '../../ui/page/tabbed-page'
import { VendorLogo } from '../../ui/values/vendor-logo'
import { NeedsPermission } from '../applications/needs-permission'
import { useCurrentTeam } from '../organizations/current-team'
import { CurrentProviderProvider } from './current-provider'
import { ProviderBadges } from './provider-badges'
import { providerQuery } from './queries'
import { tabOf, tabs } from './tabs'
import { vendorLogos, vendorOf } from './vendors'

/** One sign-in provider: its header and its tabs. */
export function ProviderLayout() {
  const { team, me } = useCurrentTeam()
  const { id } = getRouteApi('/signed-in/t/$slug/sso/$id').useParams()
  const mayRead = me.permissions.includes('sso:read')
  const provider = useQuery({ ...providerQuery(team.id, id), enabled: mayRead })
  if (!mayRead) return <NeedsPermission permission="sso:read" />
  if (provider.isError && asProblem(provider.error).status === 404)
    return (
      <NoSuchItem
        title={m.notFound()}
        lead={m.notFoundHelp()}
        list={{ to: '/t/$slug/sso', params: { slug: team.slug }, name: m.title() }}
      />
    )
  if (provider.isError || !provider.data)
    return (
      <Page title={m.provider()} crumbs={[{ to: '/t/$slug/sso', params: { slug: team.slug }, name: m.title() }]}>
        {provider.isError ? (
          <LoadError error={provider.error} retry={() => provider.refetch()} />
        ) : (
          <RowsLoading rows={2} height={180} />
        )}
      </Page>
    )
  return (
    <CurrentProviderProvider key={id} value={provider.data}>
      <Frame provider={provider.data} slug={team.slug} />
    </CurrentProviderProvider>
  )
}

function Frame({ provider, slug }: { provider: SsoProvider; slug: string }) {
  const { id, name } = provider
  return (
    <TabbedPage
      back={{ to: '/t/$slug/sso', name: m.title() }}
      picture={<VendorLogo logo={vendorLogos[vendorOf(provider)]} name={name} />}
      heading={name}
      badges={
        <span className={stack.row}>
          <ProviderBadges provider={provider} />
        </span>
      }
      label={m.tabsOf({ name })}
      tabs={tabs.map(({ tab, to }) => ({ tab, to, name: m.tab({ tab }) }))}
      params={{ slug, id }}
      current={tabOf(useLocation().pathname)}
    />
  )
}
