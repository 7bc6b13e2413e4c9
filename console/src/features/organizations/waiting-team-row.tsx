import { Badge, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { WaitingTeam } from '../../api/contract'
import { asProblem, type Problem } from '../../api/problem'
import m from '../../messages/en/own-teams.json'
import roles from '../../messages/en/roles.json'
import { announce } from '../../ui/announcer'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Monogram } from '../../ui/monogram'
import { type TeamAnswer, teamAnswers } from './queries'
import styles from './team-row.module.css'

interface Props {
  team: WaitingTeam
  answers: TeamAnswer[]
  answered: (text: string) => void
}

/** A team that added the user. Any team can add any user, so its verified domain is shown. */
export function WaitingTeamRow({ team, answers, answered }: Props) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState<TeamAnswer | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)

  async function send(answer: TeamAnswer) {
    setBusy(answer)
    setProblem(null)
    try {
      await teamAnswers[answer](team.id)
      const text = m.waitingDone({ action: answer, name: team.name })
      announce(text)
      answered(text)
      await queries.invalidateQueries({ queryKey: ['mine'] })
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(null)
    }
  }

  return (
    <li className={styles.row}>
      <Monogram of={team.name} size={32} />
      <div className={styles.text}>
        <p className={styles.name}>
          {team.name}
          <Badge color={team.verifiedDomain ? 'green' : 'gray'} tt="none">
            {team.verifiedDomain ? m.verified({ domain: team.verifiedDomain }) : m.notVerified()}
          </Badge>
        </p>
        {team.role && <p className={styles.role}>{roles.name({ role: team.role })}</p>}
        <ProblemMessage problem={problem} />
      </div>
      {answers.map((answer) => (
        <Button
          key={answer}
          variant="default"
          loading={busy === answer}
          disabled={busy !== null && busy !== answer}
          onClick={() => send(answer)}
          aria-label={m.waitingActionOf({ action: m.waitingAction({ action: answer }), name: team.name })}
        >
          {m.waitingAction({ action: answer })}
        </Button>
      ))}
    </li>
  )
}
