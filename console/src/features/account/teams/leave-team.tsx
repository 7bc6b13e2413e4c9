import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Team } from '../../../api/contract'
import { asProblem, Problem } from '../../../api/problem'
import { leave } from '../../../api/sign-out'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/own-teams.json'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog'
import { leaveTeam } from '../../organizations/queries'

/** @param current whether the session belongs to the team; it is then revoked */
export function LeaveTeam({ team, current }: { team: Team; current: boolean }) {
  const { name } = team
  const [asking, setAsking] = useState(false)
  const write = useWrite({
    act: () =>
      leaveTeam(team.id).catch((thrown) => {
        const { status, code } = asProblem(thrown)
        throw code === 'last_admin' ? new Problem({ status, code, detail: m.lastOwner({ team: name }) }) : thrown
      }),
    refresh: current ? [] : [['mine']],
    done: () => m.left({ team: name }),
    showsError: true,
  })
  return (
    <>
      <Button variant="default" aria-label={m.leaveOf({ team: name })} onClick={() => setAsking(true)}>
        {m.leaveShort()}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={m.leaveTitle({ team: name })}
        text={current ? m.leaveCurrent() : m.leaveText()}
        verb={m.leave()}
        act={async () => {
          await write.mutateAsync()
          if (current) leave(null)
        }}
        close={() => setAsking(false)}
      />
    </>
  )
}
