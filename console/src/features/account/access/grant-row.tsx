import { Badge, Button } from '@mantine/core'
import { useState } from 'react'
import type { MyGrant } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import home from '../../../messages/en/home.json'
import m from '../../../messages/en/own-applications.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { Icon } from '../../../ui/icons/icon'
import styles from '../../../ui/page/item-row.module.css'
import { More } from '../../../ui/page/more'
import { ApplicationLogo } from '../../../ui/values/application-logo'
import { RelativeTime } from '../../../ui/values/relative-time'
import { ScopeList } from '../../sign-in/consent/scope-list'
import { GRANTS, removeGrant } from './queries'

/** An application with access to the account, and the button that removes it. */
export function GrantRow({ grant }: { grant: MyGrant }) {
  const { application, team, scopes, scopeDetails, createdAt, lastUsedAt, offlineAccess } = grant
  const [asking, setAsking] = useState(false)
  const remove = useWrite({
    act: () => removeGrant(grant.id),
    refresh: [GRANTS],
    done: () => m.removed({ application: application.name }),
    showsError: true,
  })
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
          {offlineAccess && <Badge leftSection={<Icon name="lock" size={14} />}>{m.offlineAccess()}</Badge>}
        </p>
        <p className={styles.detail}>
          <span>{m.ofTeam({ team: team.name })}</span>
          <span>
            {m.since()} <RelativeTime at={createdAt} />
          </span>
          <span>
            {lastUsedAt ? (
              <>
                {m.lastUsed()} <RelativeTime at={lastUsedAt} />
              </>
            ) : (
              m.neverUsed()
            )}
          </span>
        </p>
        {scopes.length === 0 ? (
          <p className={styles.detail}>
            <span>{m.noPermissions()}</span>
          </p>
        ) : (
          <More summary={m.permissions({ count: scopes.length })}>
            <ScopeList scopes={scopes} details={scopeDetails} />
          </More>
        )}
      </div>
      <Button
        variant="default"
        aria-label={m.removeOf({ application: application.name })}
        onClick={() => setAsking(true)}
      >
        {m.remove()}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={m.removeTitle({ application: application.name })}
        text={
          application.isAiAgent
            ? m.removeAgentText({ application: application.name })
            : m.removeText({ application: application.name })
        }
        verb={m.remove()}
        act={() => remove.mutateAsync()}
        close={() => setAsking(false)}
      />
    </li>
  )
}
