import { Button } from '@mantine/core'
import { useState } from 'react'
import type { OtherTeams as Offered, SessionAnswer } from '../../../api/contract'
import { asProblem, type Problem } from '../../../api/problem'
import m from '../../../messages/en/second-factor.json'
import { ProblemMessage } from '../../../ui/form/problem-message'
import stack from '../../../ui/layout/stack.module.css'
import parts from '../../../ui/public/parts.module.css'
import { signInToOtherTeam } from '../calls'
import styles from '../login-page.module.css'
import type { Challenge, WhyOver } from './challenge'
import { overAfter } from './challenge-error'

interface Props {
  challenge: Challenge
  offered: Offered
  passed: (answer: SessionAnswer) => void | Promise<void>
  over: (why: WhyOver) => void
}

/** Offers other teams to a user without the method that this team requires. Each team applies its own rules. */
export function OtherTeams({ challenge, offered, passed, over }: Props) {
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const next = offered.next === 'own_team' ? m.ownTeam() : m.otherTeamNext()
  const choices = offered.teams.length > 0 ? offered.teams : [{ id: undefined, name: next }]

  async function choose(id: string | undefined) {
    setBusy(id ?? '')
    setProblem(null)
    try {
      await passed(await signInToOtherTeam(challenge.token, id))
    } catch (thrown) {
      const why = overAfter(challenge, thrown)
      if (why) return over(why)
      setProblem(asProblem(thrown))
    } finally {
      setBusy(null)
    }
  }

  return (
    <fieldset className={styles.providers}>
      <legend className={styles.providersLegend}>{m.otherTeamTitle()}</legend>
      <div className={stack.tight}>
        <p className={`${stack.dimmed} ${stack.small}`}>{m.otherTeamLead()}</p>
        <ProblemMessage problem={problem} />
        {choices.map(({ id, name }) => (
          <Button
            key={name + id}
            variant="default"
            fullWidth
            h="auto"
            mih="var(--kw-button)"
            py={8}
            classNames={{ label: parts.fits as string }}
            loading={busy === (id ?? '')}
            disabled={busy !== null && busy !== (id ?? '')}
            onClick={() => choose(id)}
          >
            {name}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
