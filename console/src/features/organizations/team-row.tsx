import { Badge, Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { isOpen, type Team } from '../../api/contract'
import { session } from '../../api/session'
import { useSession } from '../../api/use-session'
import { useWrite } from '../../api/use-write'
import m from '../../messages/en/own-teams.json'
import roles from '../../messages/en/roles.json'
import { Icon } from '../../ui/icons/icon'
import { Monogram } from '../../ui/monogram'
import { openChallenge } from '../accounts/challenge'
import { LeaveTeam } from './leave-team'
import { switchTeam } from './queries'
import styles from './team-row.module.css'

export function TeamRow({ team }: { team: Team }) {
  const current = useSession()?.team?.id === team.id
  const navigate = useNavigate()
  const write = useWrite({
    act: async () => {
      const answer = await switchTeam(team.id)
      if (isOpen(answer)) session.accept(answer)
      else openChallenge(answer)
      return isOpen(answer)
    },
    refresh: [],
    done: (isDefault) => {
      if (isDefault) return m.defaultNow({ name: team.name })
      void navigate({ to: '/mfa', search: { returnTo: '/account/teams' } })
      return undefined
    },
  })
  return (
    <li className={styles.row}>
      <Monogram of={team.name} size={32} />
      <div className={styles.text}>
        <p className={styles.name}>
          <Link to="/t/$slug" params={{ slug: team.slug }}>
            {team.name}
          </Link>
          {current && (
            <Badge color="green" leftSection={<Icon name="check" size={14} />}>
              {m.current()}
            </Badge>
          )}
        </p>
        {team.role && <p className={styles.role}>{roles.name({ role: team.role })}</p>}
      </div>
      {!current && (
        <Button
          variant="default"
          loading={write.isPending}
          onClick={() => write.mutate()}
          aria-label={m.setDefaultOf({ name: team.name })}
        >
          {m.setDefault()}
        </Button>
      )}
      <LeaveTeam team={team} current={current} />
    </li>
  )
}
