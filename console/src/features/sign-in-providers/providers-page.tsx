import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { SsoProvider } from '../../api/contract'
import keys from '../../messages/en/saml-keys.json'
import m from '../../messages/en/sign-in-providers.json'
import vendorMessages from '../../messages/en/sign-in-vendors.json'
import { Icon } from '../../ui/icons/icon'
import { EmptyState } from '../../ui/page/empty-state'
import styles from '../../ui/page/item-row.module.css'
import { LoadError } from '../../ui/page/load-error'
import { Page } from '../../ui/page/page'
import { Panel } from '../../ui/page/panel'
import { RowsLoading } from '../../ui/page/rows-loading'
import { VendorLogo } from '../../ui/values/vendor-logo'
import { KeysPanel } from '../applications/keys/keys-panel'
import { NeedsPermission } from '../applications/needs-permission'
import { useCurrentTeam } from '../organizations/current-team'
import { DomainsPanel } from './domains/domains-panel'
import { ProviderBadges } from './provider-badges'
import { providersQuery } from './queries'
import { vendorLogos, vendorOf } from './vendors'

export function ProvidersPage() {
  const { me } = useCurrentTeam()
  return me.permissions.includes('sso:read') ? <Providers /> : <NeedsPermission permission="sso:read" />
}

function Providers() {
  const { team, me } = useCurrentTeam()
  const navigate = useNavigate()
  const providers = useQuery(providersQuery(team.id))
  const mayWrite = me.permissions.includes('sso:write')
  const create = mayWrite && (
    <Button
      leftSection={<Icon name="plus" />}
      onClick={() => navigate({ to: '/t/$slug/sso/new', params: { slug: team.slug } })}
    >
      {m.create()}
    </Button>
  )
  return (
    <Page title={m.title()} lead={m.lead()} aside={providers.data && providers.data.length > 0 && create}>
      <Panel title={m.title()} hideTitle>
        {providers.isPending && <RowsLoading rows={2} />}
        {providers.isError && <LoadError error={providers.error} retry={() => providers.refetch()} />}
        {providers.data?.length === 0 && <EmptyState icon="key" text={m.empty()} action={create} preview />}
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
          mayWrite={mayWrite}
          title={keys.teamTitle()}
          about={keys.teamAbout()}
          hint={keys.teamHint()}
          risk={keys.teamRisk()}
        />
      )}
    </Page>
  )
}

function ProviderRow({ provider, slug }: { provider: SsoProvider; slug: string }) {
  const { id, name, allowedDomains } = provider
  const vendor = vendorOf(provider)
  return (
    <li className={styles.row}>
      <VendorLogo logo={vendorLogos[vendor]} name={name} />
      <div className={styles.text}>
        <p className={styles.title}>
          <Link to="/t/$slug/sso/$id" params={{ slug, id }}>
            {name}
          </Link>
          <ProviderBadges provider={provider} />
        </p>
        <p className={styles.detail}>
          <span>{vendorMessages.name({ vendor })}</span>
          <span>{allowedDomains.length > 0 ? allowedDomains.join(', ') : m.anyDomain()}</span>
        </p>
      </div>
    </li>
  )
}
