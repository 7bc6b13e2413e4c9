import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { Scope } from '../../../api/contract'
import applications from '../../../messages/en/applications.json'
import m from '../../../messages/en/tokens.json'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/page/panel'
import { isStandard } from '../scopes'
import { removeScope } from './calls'
import { ConfigRow } from './config-row'
import styles from './config-row.module.css'
import { useCurrentConfig } from './current-config'
import { ScopeForm } from './scope-form'
import { useConfigWrite } from './use-config-write'

/** The scopes that the application can request. */
export function ScopesPanel() {
  const { config, mayWrite } = useCurrentConfig()
  const [editing, setEditing] = useState<Scope | 'new' | null>(null)
  return (
    <Panel
      title={m.scopes()}
      about={m.scopesAbout()}
      action={
        mayWrite && (
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
            {m.addScope()}
          </Button>
        )
      }
    >
      <ul className={styles.list}>
        {config.scopes.map((scope) => (
          <ScopeRow key={scope.id} scope={scope} edit={() => setEditing(scope)} />
        ))}
      </ul>
      {editing && <ScopeForm scope={editing === 'new' ? null : editing} close={() => setEditing(null)} />}
    </Panel>
  )
}

function ScopeRow({ scope, edit }: { scope: Scope; edit: () => void }) {
  const { at, mayWrite } = useCurrentConfig()
  const remove = useConfigWrite(
    () => removeScope(at, scope.id),
    () => m.removed({ name: scope.name }),
  )
  const standard = isStandard(scope)
  const known = standard ? applications.scope({ scope: scope.name }) : m.scopeNoDescription()
  return (
    <ConfigRow
      name={scope.name}
      badges={
        <>
          {standard && <Badge>{m.scopeStandard()}</Badge>}
          {scope.isDefault && (
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {m.scopeIsDefault()}
            </Badge>
          )}
        </>
      }
      details={<p className={styles.detail}>{scope.description || known}</p>}
      edit={mayWrite ? edit : undefined}
      remove={
        mayWrite && !standard
          ? {
              text: m.scopeRemove(),
              act: remove.mutateAsync,
            }
          : undefined
      }
    />
  )
}
