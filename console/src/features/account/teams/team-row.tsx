import { Badge, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isOpen, type SessionAnswer, type Team } from '../../../api/contract'
import { session } from '../../../api/session'
import { useSession } from '../../../api/use-session'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/own-teams.json'
import roles from '../../../messages/en/roles.json'
import { Dialog } from '../../../ui/dialogs/dialog'
import { Icon } from '../../../ui/icons/icon'
import stack from '../../../ui/layout/stack.module.css'
import { ApplicationLogo } from '../../../ui/values/application-logo'
import { switchTeam } from '../../organizations/queries'
import { type Challenge, endChallenge, openChallenge, type WhyOver } from '../../sign-in/second-factor/challenge'
import { ChallengeStep } from '../../sign-in/second-factor/challenge-step'
import { WhyItIsOver } from '../../sign-in/second-factor/why-over'
import { LeaveTeam } from './leave-team'
import styles from './team-row.module.css'

export function TeamRow({ team }: { team: Team }) {
  const current = useSession()?.team?.id === team.id
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [whyOver, setWhyOver] = useState<WhyOver | null>(null)
  const write = useWrite({
    act: async (verified: SessionAnswer | undefined) => verified ?? switchTeam(team.id),
    refresh: [],
    done: (answer) => {
      over(null)
      if (isOpen(answer)) {
        session.accept(answer)
        return m.defaultNow({ name: team.name })
      }
      setChallenge(openChallenge(answer))
      return undefined
    },
  })

  function over(why: WhyOver | null) {
    endChallenge()
    setChallenge(null)
    setWhyOver(why)
  }

  return (
    <li className={styles.row}>
      <ApplicationLogo id={team.id} name={team.name} logoUrl={team.logoUrl} size={32} />
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
        {whyOver && <WhyItIsOver why={whyOver} />}
      </div>
      {!current && (
        <Button
          variant="default"
          loading={write.isPending}
          onClick={() => write.mutate(undefined)}
          aria-label={m.setDefaultOf({ name: team.name })}
        >
          {m.setDefault()}
        </Button>
      )}
      <LeaveTeam team={team} current={current} />
      <Dialog opened={challenge !== null} onClose={() => over(null)} title={m.setDefaultOf({ name: team.name })}>
        {challenge && (
          <ChallengeStep
            key={challenge.token}
            challenge={challenge}
            passed={write.mutate}
            over={over}
            frame={({ lead, message, children }) => (
              <div className={stack.fields}>
                {message || <p>{lead}</p>}
                {children}
              </div>
            )}
          />
        )}
      </Dialog>
    </li>
  )
}
