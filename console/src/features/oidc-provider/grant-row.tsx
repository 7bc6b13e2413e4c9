import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { MyGrant } from '../../api/contract'
import home from '../../messages/en/home.json'
import { ApplicationLogo } from '../../ui/application-logo'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Icon } from '../../ui/icons/icon'
import styles from '../../ui/item-row.module.css'
import { More } from '../../ui/more'
import { RelativeTime } from '../../ui/relative-time'
import { appWords as words } from '../../words'
import { ScopeList } from './scope-list'

/** One application that may do something in my name, and the button that ends it. */
export function GrantRow({ grant, remove }: { grant: MyGrant; remove: () => Promise<void> }) {
  const { application, team, scopes, scopeDetails, createdAt, lastUsedAt, offlineAccess } = grant
  const [asking, setAsking] = useState(false)
  return (
    <li className={styles.row}>
      <ApplicationLogo id={application.id} name={application.name} logoUrl={application.logoUrl} size={32} />
      <div className={styles.text}>
        <p className={styles.title}>
          {application.name}
          {application.isAiAgent && (
            <Badge color="blue" leftSection={<Icon name="agent" size={14} />}>
              {home.agent()}
            </Badge>
          )}
          {offlineAccess && <Badge leftSection={<Icon name="lock" size={14} />}>{words.offline}</Badge>}
        </p>
        <p className={styles.detail}>
          <span>{words.of(team.name)}</span>
          <span>
            {words.since} <RelativeTime at={createdAt} />
          </span>
          <span>
            {lastUsedAt ? (
              <>
                {words.lastUsed} <RelativeTime at={lastUsedAt} />
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
