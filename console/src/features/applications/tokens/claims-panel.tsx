import { Badge, Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { Claim } from '../../../api/contract'
import { announce } from '../../../ui/announcer'
import { EmptyState } from '../../../ui/empty-state'
import { Icon } from '../../../ui/icons/icon'
import { Panel } from '../../../ui/panel'
import { tokenWords as words } from '../../../words'
import { removeClaim } from './calls'
import { ClaimForm } from './claim-form'
import { ConfigRow } from './config-row'
import styles from './config-row.module.css'
import { useCurrentConfig } from './current-config'

/** What tokens say about a person beside the standard. */
export function ClaimsPanel() {
  const { config, mayWrite } = useCurrentConfig()
  const [editing, setEditing] = useState<Claim | 'new' | null>(null)
  const add = mayWrite && (
    <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
      {words.addClaim}
    </Button>
  )
  const none = config.claims.length === 0
  return (
    <Panel title={words.claims} about={words.claimsAbout} action={!none && add}>
      {none && <EmptyState icon="person" text={words.claimsEmpty} action={add} />}
      <ul className={styles.list}>
        {config.claims.map((claim) => (
          <ClaimRow key={claim.id} claim={claim} edit={() => setEditing(claim)} />
        ))}
      </ul>
      <Modal
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={editing === 'new' || !editing ? words.newClaim : words.editClaim(editing.name)}
      >
        <ClaimForm claim={editing === 'new' ? null : editing} close={() => setEditing(null)} />
      </Modal>
    </Panel>
  )
}

function ClaimRow({ claim, edit }: { claim: Claim; edit: () => void }) {
  const { config, at, mayWrite } = useCurrentConfig()
  const rule = config.regexRules.find(({ id }) => id === claim.regexRuleId)
  return (
    <ConfigRow
      name={claim.name}
      badges={claim.targetTokens.map((token) => <Badge key={token}>{words.tokenName(token)}</Badge>)}
      details={
        <p className={styles.detail}>
          {words.claimFrom(claim.userAttribute)}
          {rule && `, ${words.claimBy(rule.name)}`}
        </p>
      }
      edit={mayWrite ? edit : undefined}
      remove={
        mayWrite
          ? {
              text: words.claimRemove,
              act: () => removeClaim(at, claim.id).then(() => announce(words.removed(claim.name))),
            }
          : undefined
      }
    />
  )
}
