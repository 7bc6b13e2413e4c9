import { Button } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import m from '../../../messages/en/application-access.json'
import stack from '../../../ui/layout/stack.module.css'
import rows from '../../../ui/page/item-row.module.css'
import { Panel } from '../../../ui/page/panel'
import { Monogram } from '../../../ui/values/monogram'
import { groupQuery } from '../../groups/queries'
import { useCurrentTeam } from '../../organizations/current-team'
import { AssignDialog } from './assign-dialog'
import { RemoveDialog } from './remove-dialog'
import type { Assigned } from './use-assignment'

/** The groups whose members can open the application. */
export function GroupsPanel({ assigned }: { assigned: Assigned }) {
  const { team, me } = useCurrentTeam()
  const [isAssigning, setIsAssigning] = useState(false)
  const [removed, setRemoved] = useState<{ id: string; name: string } | null>(null)
  const canWrite = me.permissions.includes('applications:write')
  const groups = useQueries({ queries: assigned.ids.map((id) => groupQuery(team.id, id)) })
  return (
    <Panel
      title={m.groups()}
      action={
        canWrite && (
          <Button variant="default" onClick={() => setIsAssigning(true)}>
            {m.assignGroups()}
          </Button>
        )
      }
    >
      {assigned.ids.length === 0 && <p className={stack.dimmed}>{m.noGroups()}</p>}
      <ul className={rows.list}>
        {groups.map(
          ({ data: group }) =>
            group && (
              <li key={group.id} className={rows.row}>
                <Monogram of={group.name} size={22} />
                <div className={rows.title}>
                  <Link to="/t/$slug/groups/$id" params={{ slug: team.slug, id: group.id }}>
                    {group.name}
                  </Link>
                  <span className={stack.dimmed}>{m.groupMembers({ count: group.memberCount })}</span>
                </div>
                {canWrite && (
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-sm"
                    aria-label={m.removeLabel({ name: group.name })}
                    onClick={() => setRemoved(group)}
                  >
                    {m.remove()}
                  </Button>
                )}
              </li>
            ),
        )}
      </ul>
      {isAssigning && <AssignDialog kind="groups" assigned={assigned} close={() => setIsAssigning(false)} />}
      <RemoveDialog kind="groups" assigned={assigned} removed={removed} close={() => setRemoved(null)} />
    </Panel>
  )
}
