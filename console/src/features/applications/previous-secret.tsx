import { Button } from '@mantine/core'
import { useState } from 'react'
import { announce } from '../../ui/announcer'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { RelativeTime } from '../../ui/relative-time'
import { exactTime } from '../../ui/time'
import { applicationWords as words } from '../../words'
import { useCurrentTeam } from '../organizations/current-team'
import { useCurrentApplication } from './current-application'
import { endPreviousSecret } from './queries'

/** While two secrets work: until when, and the way to end it. */
export function PreviousSecret({ until, mayEnd }: { until: string; mayEnd: boolean }) {
  const { team } = useCurrentTeam()
  const { id } = useCurrentApplication()
  const [asking, setAsking] = useState(false)
  return (
    <Notice kind="warning" title={words.previousTitle}>
      <p>
        {words.previousText(exactTime(until))} (<RelativeTime at={until} />)
      </p>
      {mayEnd && (
        <div>
          <Button variant="default" size="compact-md" onClick={() => setAsking(true)}>
            {words.previousEnd}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={asking}
        title={words.previousEndTitle}
        text={words.previousEndText}
        verb={words.previousEnd}
        act={async () => {
          await endPreviousSecret(team.id, id)
          announce(words.previousEnded)
        }}
        close={() => setAsking(false)}
      />
    </Notice>
  )
}
