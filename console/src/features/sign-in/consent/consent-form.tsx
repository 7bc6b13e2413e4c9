import type { Interaction } from '../../../api/contract'
import type { Problem } from '../../../api/problem'
import m from '../../../messages/en/consent.json'
import { AuthLayout } from '../../../ui/auth-layout'
import { ProblemMessage } from '../../../ui/form/problem-message'
import { Notice } from '../../../ui/notice'
import stack from '../../../ui/stack.module.css'
import { AnswerButtons } from './answer-buttons'
import { AskingApplication } from './asking-application'
import styles from './consent-form.module.css'
import { destination } from './destination'
import { ScopeList } from './scope-list'
import { TakeBack } from './take-back'

export interface AnswerProps {
  interaction: Interaction
  email: string
  /** the button whose request is pending */
  busy: 'allow' | 'deny' | null
  problem: Problem | null
  answer: (consent: boolean) => void
  switchAccount: () => void
}

/** Shows the requested permissions, with two buttons of equal size. */
export function ConsentForm({ interaction, email, busy, problem, answer, switchAccount }: AnswerProps) {
  const { application, team, scopes, newScopes, redirectUri, isAiAgent } = interaction
  const more = newScopes.length < scopes.length
  const values = { application: application.name, team: team.name }
  return (
    <AuthLayout
      heading={more ? m.titleMore(values) : m.title(values)}
      emblem={<AskingApplication {...interaction} />}
      lead={more ? m.leadMore(values) : m.lead(values)}
    >
      <div className={stack.fields}>
        <ScopeList scopes={scopes} newScopes={newScopes} details={interaction.scopeDetails} />
        {isAiAgent && (
          <Notice kind="info">
            <p>{m.agentText()}</p>
          </Notice>
        )}
        <div className={styles.who}>
          <dl>
            <div>
              <dt>{m.redirectsTo()}</dt>
              <dd>{destination(redirectUri)}</dd>
            </div>
            <div>
              <dt>{m.signedInAs()}</dt>
              <dd>{email}</dd>
            </div>
          </dl>
          <button type="button" className={styles.notYou} disabled={busy !== null} onClick={switchAccount}>
            {m.notYou()}
          </button>
        </div>
        <ProblemMessage problem={problem} />
        <AnswerButtons deny={m.deny()} allow={m.allow()} busy={busy} answer={answer} />
        <TakeBack />
      </div>
    </AuthLayout>
  )
}
