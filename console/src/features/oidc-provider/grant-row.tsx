import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { MyGrant } from '../../api/contract'
import { ApplicationLogo } from '../../design/application-logo'
import { ConfirmDialog } from '../../design/confirm-dialog'
import { Icon } from '../../design/icons/icon'
import styles from '../../design/item-row.module.css'
import { Moment } from '../../design/moment'
import { More } from '../../design/more'
import { appWords as words } from '../../words'
import { ScopeList } from './scope-list'

/** One application that may do something in my name, and the button that ends it. */
export function GrantRow({ grant, remove }: { grant: MyGrant; remove: () => Promise<void> }) {
  const { application, team, scopes, scopeDetails, createdAt, lastUsedAt, offlineAccess } = grant
  const [asking, setAsking] = useState(false)
  return (
    <li className={styles.row}>
      <ApplicationLogo id={application.id} name={application.name} logoUrl={application.logoUrl} size={44} />
      <div className={styles.text}>
        <p className={styles.title}>
          {application.name}
          {application.isAiAgent && (
            <Badge color="blue" leftSection={<Icon name="agent" size={14} />}>
              {words.agent}
            </Badge>
          )}
          {offlineAccess && <Badge leftSection={<Icon name="lock" size={14} />}>{words.offline}</Badge>}
        </p>
        <p className={styles.detail}>
          <span>{words.of(team.name)}</span>
          <span>
            {words.since} <Moment at={createdAt} />
          </span>
          <span>
            {lastUsedAt ? (
              <>
                {words.lastUsed} <Moment at={lastUsedAt} />
              </>
            ) : (
              words.neverUsed
            )}
          </span>
        </p>
        {scopes.length === 0 ? (
          <p className={styles.detail}>{words.nothingYet}</p>
        ) : (
          <More summary={words.mayDo(scopes.length)}>
            <ScopeList scopes={scopes} details={scopeDetails} />
          </More>
        )}
      </div>
      <Button variant="default" aria-label={words.removeLabel(application.name)} onClick={() => setAsking(true)}>
        {words.remove}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={words.removeTitle(application.name)}
        text={application.isAiAgent ? words.removeAgentText(application.name) : words.removeText(application.name)}
        verb={words.remove}
        act={remove}
        close={() => setAsking(false)}
      />
    </li>
  )
}
