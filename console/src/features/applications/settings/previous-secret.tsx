import { Button } from '@mantine/core'
import { useState } from 'react'
import m from '../../../messages/en/application-settings.json'
import { announce } from '../../../ui/announcer'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { Notice } from '../../../ui/notice'
import { RelativeTime } from '../../../ui/relative-time'
import { exactTime } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentApplication } from '../current-application'
import { endPreviousSecret } from '../queries'

/** Shown while the previous client secret is still valid. */
export function PreviousSecret({ until, mayEnd }: { until: string; mayEnd: boolean }) {
  const { team } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const [asking, setAsking] = useState(false)
  return (
    <Notice kind="warning" title={m.previousTitle()}>
      <p>
        {m.previousText({ until: exactTime(until) })} (<RelativeTime at={until} />)
      </p>
      {mayEnd && (
        <div>
          <Button variant="default" size="compact-md" onClick={() => setAsking(true)}>
            {m.previousEnd()}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={m.previousEndTitle()}
        text={m.previousEndText()}
        verb={m.previousEnd()}
        act={async () => {
          await endPreviousSecret(team.id, id)
          announce(m.previousEnded())
        }}
        close={() => setAsking(false)}
      />
    </Notice>
  )
}
