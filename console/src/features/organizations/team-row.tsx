import { Badge, Button, Modal } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isOpen, type SessionAnswer, type Team } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import { session } from '../../api/session'
import { useSession } from '../../api/use-session'
import { announce } from '../../ui/announcer'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Icon } from '../../ui/icons/icon'
import { Monogram } from '../../ui/monogram'
import stack from '../../ui/stack.module.css'
import { roleName, teamWords as words } from '../../words'
import { type Challenge, endChallenge, openChallenge, type WhyOver } from '../accounts/challenge'
import { ChallengeStep } from '../accounts/challenge-step'
import { WhyItIsOver } from '../accounts/why-over'
import { LeaveTeam } from './leave-team'
import { switchTeam } from './queries'
import styles from './team-row.module.css'

interface Props {
  team: Team
  madeDefault: () => void
}

export function TeamRow({ team, madeDefault }: Props) {
  const current = useSession()?.team?.id === team.id
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [whyOver, setWhyOver] = useState<WhyOver | null>(null)

  function take(answer: SessionAnswer) {
    if (!isOpen(answer)) return setChallenge(openChallenge(answer))
    over(null)
    session.accept(answer)
    announce(words.defaultNow(team.name))
    madeDefault()
  }

  function over(why: WhyOver | null) {
    endChallenge()
    setChallenge(null)
    setWhyOver(why)
  }

  async function makeDefault() {
    setBusy(true)
    setProblem(null)
    setWhyOver(null)
    try {
      take(await switchTeam(team.id))
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
              {words.current}
            </Badge>
          )}
        </p>
        {team.role && <p className={styles.role}>{roleName(team.role)}</p>}
        <ProblemMessage problem={problem} />
        {whyOver && <WhyItIsOver why={whyOver} />}
      </div>
      {!current && (
        <Button variant="default" loading={busy} onClick={makeDefault} aria-label={words.makeDefaultLabel(team.name)}>
          {words.makeDefault}
        </Button>
      )}
      <LeaveTeam team={team} current={current} />
      <Modal opened={challenge !== null} onClose={() => over(null)} title={words.makeDefaultLabel(team.name)}>
        {challenge && (
          <ChallengeStep
            key={challenge.token}
            challenge={challenge}
            passed={take}
            over={over}
            frame={({ lead, message, children }) => (
              <div className={stack.fields}>
                {message || <p>{lead}</p>}
                {children}
              </div>
            )}
          />
        )}
      </Modal>
    </li>
  )
}
