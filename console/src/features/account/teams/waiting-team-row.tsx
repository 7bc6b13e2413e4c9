import { Badge, Button } from '@mantine/core'
import type { WaitingTeam } from '../../../api/contract'
import { useWrite } from '../../../api/use-write'
import m from '../../../messages/en/own-teams.json'
import roles from '../../../messages/en/roles.json'
import { Monogram } from '../../../ui/values/monogram'
import { type TeamAnswer, teamAnswers } from '../../organizations/queries'
import styles from './team-row.module.css'

interface Props {
  team: WaitingTeam
  answers: TeamAnswer[]
}

/** A team that added the user. Any team can add any user, so its verified domain is shown. */
export function WaitingTeamRow({ team, answers }: Props) {
  const write = useWrite({
    act: (answer: TeamAnswer) => teamAnswers[answer](team.id),
    refresh: [['mine']],
    done: (_, answer) => m.waitingDone({ action: answer, name: team.name }),
  })
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
      </div>
      {answers.map((answer) => (
        <Button
          key={answer}
          variant="default"
          loading={write.isPending && write.variables === answer}
          disabled={write.isPending && write.variables !== answer}
          onClick={() => write.mutate(answer)}
          aria-label={m.waitingActionOf({ action: m.waitingAction({ action: answer }), name: team.name })}
        >
          {m.waitingAction({ action: answer })}
        </Button>
      ))}
    </li>
  )
}
