import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/own-teams.json'
import { Panel } from '../../../ui/page/panel'
import { Monogram } from '../../../ui/values/monogram'
import { joinableTeamsQuery, joinTeam } from '../../organizations/queries'
import styles from './team-row.module.css'

/** The teams that the user can join without an invitation; nothing if there are none. */
export function JoinableTeams() {
  const teams = useQuery(joinableTeamsQuery).data ?? []
  const join = useWrite({
    act: ({ id }: { id: string; name: string }) => joinTeam(id),
    refresh: [['mine']],
    done: (_, { name }) => m.joined({ team: name }),
  })
  if (teams.length === 0) return null
  return (
    <Panel title={m.joinableTitle()} about={m.joinableAbout()}>
      <ul className={styles.list}>
        {teams.map(({ id, name }) => (
          <li key={id} className={styles.row}>
            <Monogram of={name} size={32} />
            <div className={styles.text}>
              <p className={styles.name}>{name}</p>
            </div>
            <Button
              variant="default"
              loading={join.isPending}
              aria-label={m.joinOf({ team: name })}
              onClick={() => join.mutate({ id, name })}
            >
              {m.join()}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
