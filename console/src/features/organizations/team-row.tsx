import { Badge, Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isOpen, type Team } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import { session } from '../../api/session'
import { useSession } from '../../api/use-session'
import m from '../../messages/en/own-teams.json'
import roles from '../../messages/en/roles.json'
import { announce } from '../../ui/announcer'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Icon } from '../../ui/icons/icon'
import { Monogram } from '../../ui/monogram'
import { openChallenge } from '../accounts/challenge'
import { LeaveTeam } from './leave-team'
import { switchTeam } from './queries'
import styles from './team-row.module.css'

interface Props {
  team: Team
  madeDefault: () => void
}

export function TeamRow({ team, madeDefault }: Props) {
  const current = useSession()?.team?.id === team.id
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function makeDefault() {
    setBusy(true)
    setProblem(null)
    try {
      const answer = await switchTeam(team.id)
      if (!isOpen(answer)) {
        openChallenge(answer)
        return await navigate({ to: '/mfa', search: { returnTo: '/account/teams' } })
      }
      session.accept(answer)
      announce(m.defaultNow({ name: team.name }))
      madeDefault()
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(false)
    }
  }

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
        <ProblemMessage problem={problem} />
      </div>
      {!current && (
        <Button variant="default" loading={busy} onClick={makeDefault} aria-label={m.setDefaultOf({ name: team.name })}>
          {m.setDefault()}
        </Button>
      )}
      <LeaveTeam team={team} current={current} />
    </li>
  )
}
