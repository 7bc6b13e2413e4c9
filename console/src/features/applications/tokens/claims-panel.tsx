import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { Claim } from '../../../api/contract'
import m from '../../../messages/en/tokens.json'
import { Icon } from '../../../ui/icons/icon'
import { EmptyState } from '../../../ui/page/empty-state'
import { Panel } from '../../../ui/page/panel'
import { removeClaim } from './calls'
import { ClaimForm } from './claim-form'
import { ConfigRow } from './config-row'
import styles from './config-row.module.css'
import { useCurrentConfig } from './current-config'
import { useConfigWrite } from './use-config-write'

/** The custom claims of the application's tokens. */
export function ClaimsPanel() {
  const { config, mayWrite } = useCurrentConfig()
  const [editing, setEditing] = useState<Claim | 'new' | null>(null)
  const add = mayWrite && (
    <Button variant="default" leftSection={<Icon name="plus" />} onClick={() => setEditing('new')}>
      {m.addClaim()}
    </Button>
  )
  const none = config.claims.length === 0
  return (
    <Panel title={m.claims()} about={m.claimsAbout()} action={!none && add}>
      {none && <EmptyState icon="user" text={m.claimsEmpty()} action={add} />}
      <ul className={styles.list}>
        {config.claims.map((claim) => (
          <ClaimRow key={claim.id} claim={claim} edit={() => setEditing(claim)} />
        ))}
      </ul>
      {editing && <ClaimForm claim={editing === 'new' ? null : editing} close={() => setEditing(null)} />}
    </Panel>
  )
}

function ClaimRow({ claim, edit }: { claim: Claim; edit: () => void }) {
  const { config, at, mayWrite } = useCurrentConfig()
  const remove = useConfigWrite(
    () => removeClaim(at, claim.id),
    () => m.removed({ name: claim.name }),
  )
  const rule = config.regexRules.find(({ id }) => id === claim.regexRuleId)
  return (
    <ConfigRow
      name={claim.name}
      badges={claim.targetTokens.map((token) => <Badge key={token}>{m.tokenName({ token })}</Badge>)}
      details={
        <p className={styles.detail}>
          {m.claimFrom({ attribute: claim.userAttribute })}
          {rule && `, ${m.claimBy({ rule: rule.name })}`}
        </p>
      }
      edit={mayWrite ? edit : undefined}
      remove={
        mayWrite
          ? {
              text: m.claimRemove(),
              act: remove.mutateAsync,
            }
          : undefined
      }
    />
  )
}
