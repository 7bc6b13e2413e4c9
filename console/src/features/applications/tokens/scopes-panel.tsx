import { Badge, Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Scope } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/panel'
import { applicationWords, tokenWords as words } from '../../../words'
import { removeScope } from './calls'
import { ConfigRow } from './config-row'
import styles from './config-row.module.css'
import { useCurrentConfig } from './current-config'
import { ScopeForm } from './scope-form'
import { isStandard } from './untouched'

/** What the application can ask people for. */
export function ScopesPanel() {
  const { config, mayWrite } = useCurrentConfig()
  const [editing, setEditing] = useState<Scope | 'new' | null>(null)
  return (
    <Panel
      title={words.scopes}
      about={words.scopesAbout}
      action={
        mayWrite && (
          <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
            {words.addScope}
          </Button>
        )
      }
    >
      <ul className={styles.list}>
        {config.scopes.map((scope) => (
          <ScopeRow key={scope.id} scope={scope} edit={() => setEditing(scope)} />
        ))}
      </ul>
      <Modal
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={editing === 'new' || !editing ? words.newScope : words.editScope(editing.name)}
      >
        <ScopeForm scope={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      </Modal>
    </Panel>
  )
}

function ScopeRow({ scope, edit }: { scope: Scope; edit: () => void }) {
  const { at, mayWrite } = useCurrentConfig()
  const standard = isStandard(scope)
  const known = standard ? applicationWords.scope(scope.name) : words.scopeNoDescription
  return (
    <ConfigRow
      name={scope.name}
      badges={
        <>
          {standard && <Badge>{words.scopeStandard}</Badge>}
          {scope.isDefault && (
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {words.scopeIsDefault}
            </Badge>
          )}
        </>
      }
      details={<p className={styles.detail}>{scope.description || known}</p>}
      edit={mayWrite ? edit : undefined}
      remove={
        mayWrite && !standard
          ? {
              text: words.scopeRemove,
              act: () => removeScope(at, scope.id).then(() => announce(words.removed(scope.name))),
            }
          : undefined
      }
    />
  )
}
