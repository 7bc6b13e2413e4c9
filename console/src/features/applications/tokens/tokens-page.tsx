import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import permissions from '../../../messages/en/permissions.json'
import m from '../../../messages/en/tokens.json'
import { Notice } from '../../../ui/layout/notice'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { needsText } from '../needs-permission'
import { configQuery } from './calls'
import { ClaimsPanel } from './claims-panel'
import { CurrentConfigProvider } from './current-config'
import { LifetimesPanel } from './lifetimes-panel'
import { PreviewPanel } from './preview-panel'
import { RulesPanel } from './rules-panel'
import { ScopesPanel } from './scopes-panel'
import { KeysPanel } from './signing-keys/keys-panel'
import styles from './tokens-page.module.css'

const PARTS = [
  { part: 'scopes', name: m.scopes, Panel: ScopesPanel },
  { part: 'claims', name: m.claims, Panel: ClaimsPanel },
  { part: 'rules', name: m.rules, Panel: RulesPanel },
  { part: 'keys', name: m.keys, Panel: KeysPanel },
  { part: 'lifetimes', name: m.lifetimes, Panel: LifetimesPanel },
] as const

const permission = 'oidc-config:read'

const route = getRouteApi('/signed-in/t/$slug/applications/$id/tokens')

/** The content, signing keys and lifetimes of the application's tokens. The open part is in the URL. */
export function TokensPage() {
  const { team, me } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const { part } = route.useSearch()
  const navigate = useNavigate()
  const mayRead = me.permissions.includes(permission)
  const config = useQuery({ ...configQuery({ teamId: team.id, appId: id }), enabled: mayRead })
  // Below the header of the application, which stays.
  if (!mayRead) return <Panel title={permissions.noAccess()} about={needsText(permission)} />
  if (config.isPending) return <RowsLoading rows={3} height={220} />
  if (config.isError) return <LoadError error={config.error} retry={() => config.refetch()} />
  const open = PARTS.find((one) => one.part === part)?.part ?? 'scopes'
  return (
    <CurrentConfigProvider value={config.data}>
      {!me.permissions.includes('oidc-config:write') && (
        <Notice kind="info">
          <p>{m.readOnly()}</p>
        </Notice>
      )}
      <div className={styles.beside}>
        <Tabs
          value={open}
          onChange={(next) =>
            navigate({ to: '.', search: next === null || next === 'scopes' ? {} : { part: next }, replace: true })
          }
        >
          <Tabs.List aria-label={m.partsLabel()} className={styles.tabs as string}>
            {PARTS.map(({ part: value, name }) => (
              <Tabs.Tab key={value} value={value}>
                {name()}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {PARTS.map(({ part: value, Panel }) => (
            <Tabs.Panel key={value} value={value} pt="md">
              <Panel />
            </Tabs.Panel>
          ))}
        </Tabs>
        {me.permissions.includes('users:read') && <PreviewPanel />}
      </div>
    </CurrentConfigProvider>
  )
}
