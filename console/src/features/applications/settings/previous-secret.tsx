import { Button } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/application-settings.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { Notice } from '../../../ui/layout/notice'
import { RelativeTime } from '../../../ui/values/relative-time'
import { exactTime } from '../../../ui/values/time'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { applicationQuery, revokePreviousSecret } from '../queries'

/** Shown while the previous client secret is still valid. */
export function PreviousSecret({ until, mayRevoke }: { until: string; mayRevoke: boolean }) {
  const { team } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const [isConfirming, setIsConfirming] = useState(false)
  const revoke = useWrite({
    act: () => revokePreviousSecret(team.id, id),
    refresh: [applicationQuery(team.id, id).queryKey],
    done: () => m.previousEnded(),
    showsError: true,
  })
  return (
    <Notice kind="warning" title={m.previousTitle()}>
      <p>
        {m.previousText({ until: exactTime(until) })} (<RelativeTime at={until} />)
      </p>
      {mayRevoke && (
        <div>
          <Button variant="default" size="compact-md" onClick={() => setIsConfirming(true)}>
            {m.previousEnd()}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={isConfirming}
        title={m.previousEndTitle()}
        text={m.previousEndText()}
        verb={m.previousEnd()}
        act={() => revoke.mutateAsync()}
        close={() => setIsConfirming(false)}
      />
    </Notice>
  )
}
