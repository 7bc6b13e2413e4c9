import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { RegexRule } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { EmptyState } from '../../../ui/empty-state'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/panel'
import { tokenWords as words } from '../../../words'
import { removeRule } from './calls'
import { ConfigRow } from './config-row'
import styles from './config-row.module.css'
import { useCurrentConfig } from './current-config'
import { RuleForm } from './rule-form'

/** Replacements that claims may use. */
export function RulesPanel() {
  const { config, mayWrite } = useCurrentConfig()
  const [editing, setEditing] = useState<RegexRule | 'new' | null>(null)
  const add = mayWrite && (
    <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
      {words.addRule}
    </Button>
  )
  const none = config.regexRules.length === 0
  return (
    <Panel title={words.rules} about={words.rulesAbout} action={!none && add}>
      {none && <EmptyState icon="gears" text={words.rulesEmpty} action={add} />}
      <ul className={styles.list}>
        {config.regexRules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} edit={() => setEditing(rule)} />
        ))}
      </ul>
      <Modal
        opened={editing !== null}
        onClose={() => setEditing(null)}
        size="lg"
        title={editing === 'new' || !editing ? words.newRule : words.editRule(editing.name)}
      >
        <RuleForm rule={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      </Modal>
    </Panel>
  )
}

function RuleRow({ rule, edit }: { rule: RegexRule; edit: () => void }) {
  const { config, at, mayWrite } = useCurrentConfig()
  const users = config.claims.filter(({ regexRuleId }) => regexRuleId === rule.id).map(({ name }) => name)
  return (
    <ConfigRow
      name={rule.name}
      code={false}
      details={
        <>
          <p className={styles.code}>
            /{rule.pattern}/{rule.flags} → {rule.replacement || words.ruleNothing}
          </p>
          <p className={styles.detail}>{users.length > 0 ? words.ruleUsedBy(users.join(', ')) : words.ruleUnused}</p>
        </>
      }
      edit={mayWrite ? edit : undefined}
      // In use, the service refuses; its row says by which claim.
      remove={
        mayWrite && users.length === 0
          ? {
              text: words.ruleRemove,
              act: () => removeRule(at, rule.id).then(() => announce(words.removed(rule.name))),
            }
          : undefined
      }
    />
  )
}
