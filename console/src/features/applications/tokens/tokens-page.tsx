import { useQuery } from '@tanstack/react-query'
import { LoadError } from '../../../ui/load-error'
import { Notice } from '../../../ui/notice'
import { RowsLoading } from '../../../ui/rows-loading'
import { tokenWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { NeedsPermission } from '../needs-permission'
import { configQuery } from './calls'
import { ClaimsPanel } from './claims-panel'
import { CurrentConfigProvider } from './current-config'
import { LifetimesPanel } from './lifetimes-panel'
import { PreviewPanel } from './preview-panel'
import { RulesPanel } from './rules-panel'
import { ScopesPanel } from './scopes-panel'
import { KeysPanel } from './signing-keys/keys-panel'
import styles from './tokens-page.module.css'
import { isUntouched } from './untouched'

const parts = ['scopes', 'claims', 'rules', 'keys', 'lifetimes'] as const

/** What the tokens of an application say, who signs them, and how long they are good. */
export function TokensPage() {
  const { team, me } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const mayRead = me.permissions.includes('oidc-config:read')
  const config = useQuery({ ...configQuery({ teamId: team.id, appId: id }), enabled: mayRead })
  if (!mayRead) return <NeedsPermission permission="oidc-config:read" />
  if (config.isPending) return <RowsLoading rows={3} height={220} />
  if (config.isError) return <LoadError error={config.error} retry={() => config.refetch()} />
  return (
    <CurrentConfigProvider value={config.data}>
      {!me.permissions.includes('oidc-config:write') && (
        <Notice kind="info">
          <p>{words.readOnly}</p>
        </Notice>
      )}
      {isUntouched(config.data) && (
        <Notice kind="success" title={words.untouchedTitle}>
          <p>{words.untouched}</p>
        </Notice>
      )}
      <nav className={styles.parts} aria-label={words.partsLabel}>
        {parts.map((part) => (
          <a key={part} href={`#${part}`} className={styles.part}>
            {words[part]}
          </a>
        ))}
      </nav>
      <div id="scopes" className={styles.anchor}>
        <ScopesPanel />
      </div>
      <div id="claims" className={`${styles.anchor} ${styles.beside}`}>
        <ClaimsPanel />
        {me.permissions.includes('users:read') && <PreviewPanel />}
      </div>
      <div id="rules" className={styles.anchor}>
        <RulesPanel />
      </div>
      <div id="keys" className={styles.anchor}>
        <KeysPanel />
      </div>
      <div id="lifetimes" className={styles.anchor}>
        <LifetimesPanel />
      </div>
    </CurrentConfigProvider>
  )
}
