import { Button } from '@mantine/core'
import { useState } from 'react'
import type { RegexRule } from '../../../api/contract'
import m from '../../../messages/en/tokens.json'
import { Icon } from '../../../ui/icons/icon'
import { EmptyState } from '../../../ui/page/empty-state'
import { Panel } from '../../../ui/page/panel'
import { removeRule } from './calls'
import { ConfigRow } from './config-row'
import styles from './config-row.module.css'
import { useCurrentConfig } from './current-config'
import { RuleForm } from './rule-form'
import { useConfigWrite } from './use-config-write'

/** The rules that claims can use. */
export function RulesPanel() {
  const { config, mayWrite } = useCurrentConfig()
  const [editing, setEditing] = useState<RegexRule | 'new' | null>(null)
  const add = mayWrite && (
    <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
      {m.addRule()}
    </Button>
  )
  const none = config.regexRules.length === 0
  return (
    <Panel title={m.rules()} about={m.rulesAbout()} action={!none && add}>
      {none && <EmptyState icon="settings" text={m.rulesEmpty()} action={add} />}
      <ul className={styles.list}>
        {config.regexRules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} edit={() => setEditing(rule)} />
        ))}
      </ul>
      {editing && <RuleForm rule={editing === 'new' ? null : editing} close={() => setEditing(null)} />}
    </Panel>
  )
}

function RuleRow({ rule, edit }: { rule: RegexRule; edit: () => void }) {
  const { config, at, mayWrite } = useCurrentConfig()
  const remove = useConfigWrite(
    () => removeRule(at, rule.id),
    () => m.removed({ name: rule.name }),
  )
  const users = config.claims.filter(({ regexRuleId }) => regexRuleId === rule.id).map(({ name }) => name)
  return (
    <ConfigRow
      name={rule.name}
      code={false}
      details={
        <>
          <p className={styles.code}>
            /{rule.pattern}/{rule.flags} → {rule.replacement || m.ruleNothing()}
          </p>
          <p className={styles.detail}>
            {users.length > 0 ? m.ruleUsedBy({ claims: users.join(', ') }) : m.ruleUnused()}
          </p>
        </>
      }
      edit={mayWrite ? edit : undefined}
      // The service rejects the removal of a rule that claims use.
      remove={
        mayWrite && users.length === 0
          ? {
              text: m.ruleRemove(),
              act: remove.mutateAsync,
            }
          : undefined
      }
    />
  )
}
