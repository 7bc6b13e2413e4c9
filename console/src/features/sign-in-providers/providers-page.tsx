import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { SsoProvider } from '../../api/contract'
import { EmptyState } from '../../ui/empty-state'
import { Icon } from '../../ui/icons/icon'
import styles from '../../ui/item-row.module.css'
import { LoadError } from '../../ui/load-error'
import { Page } from '../../ui/page'
import { Panel } from '../../ui/panel'
import { RowsLoading } from '../../ui/rows-loading'
import { samlKeyWords, vendorWords, ssoWords as words } from '../../words'
import { NeedsPermission } from '../applications/needs-permission'
import { useCurrentTeam } from '../organizations/current-team'
import { KeysPanel } from '../saml-keys/keys-panel'
import { DomainsPanel } from './domains/domains-panel'
import { ProviderBadges } from './provider-badges'
import { providersQuery } from './queries'
import { vendorOf } from './vendors'

export function ProvidersPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('sso:read') ? <Providers /> : <NeedsPermission permission="sso:read" />
}

function Providers() {
  const { team, me } = useCurrentTeam()
  const navigate = useNavigate()
  const providers = useQuery(providersQuery(team.id))
  const add = me.permissions.includes('sso:write') && (
    <Button
      leftSection={<Icon name="plus" />}
      onClick={() => navigate({ to: '/t/$slug/sso/new', params: { slug: team.slug } })}
    >
      {words.add}
    </Button>
  )
  return (
    <Page title={words.title} lead={words.lead} aside={providers.data && providers.data.length > 0 && add}>
      <Panel title={words.title} hideTitle>
        {providers.isPending && <RowsLoading rows={2} />}
        {providers.isError && <LoadError error={providers.error} retry={() => providers.refetch()} />}
        {providers.data?.length === 0 && <EmptyState icon="key" text={words.empty} action={add} />}
        {providers.data && providers.data.length > 0 && (
          <ul className={styles.list}>
            {providers.data.map((provider) => (
              <ProviderRow key={provider.id} provider={provider} slug={team.slug} />
            ))}
          </ul>
        )}
      </Panel>
      <DomainsPanel />
      {providers.data?.some(({ protocol }) => protocol === 'SAML2') && (
        <KeysPanel
          owner={{ teamId: team.id }}
          mayWrite={me.permissions.includes('sso:write')}
          {...samlKeyWords.ofTeam}
        />
      )}
    </Page>
  )
}

function ProviderRow({ provider, slug }: { provider: SsoProvider; slug: string }) {
  const { id, name, allowedDomains } = provider
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name="key" />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          <Link to="/t/$slug/sso/$id" params={{ slug, id }}>
            {name}
          </Link>
          <ProviderBadges provider={provider} />
        </p>
        <p className={styles.detail}>
          <span>{vendorWords[vendorOf(provider)].name}</span>
          <span>{allowedDomains.length > 0 ? words.domainsOf(allowedDomains) : words.everyDomain}</span>
        </p>
      </div>
    </li>
  )
}
