import type { Interaction } from '../../api/contract'
import type { Problem } from '../../api/problem'
import { AuthLayout } from '../../ui/auth-layout'
import { ProblemMessage } from '../../ui/form/problem-message'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { consentWords as words } from '../../words'
import { AnswerButtons } from './answer-buttons'
import { AskingApplication } from './asking-application'
import styles from './consent-form.module.css'
import { destination } from './destination'
import { ScopeList } from './scope-list'
import { TakeBack } from './take-back'

export interface AnswerProps {
  interaction: Interaction
  email: string
  /** the button that is on its way */
  busy: 'allow' | 'deny' | null
  problem: Problem | null
  answer: (consent: boolean) => void
  switchAccount: () => void
}

/** What an application would get, and two buttons of one size. */
export function ConsentForm({ interaction, email, busy, problem, answer, switchAccount }: AnswerProps) {
  const { application, team, scopes, newScopes, redirectUri, isAiAgent } = interaction
  const more = newScopes.length < scopes.length
  const title = more ? words.titleMore(application.name) : words.title(application.name)
  return (
    <AuthLayout
      heading={title}
      emblem={<AskingApplication {...interaction} />}
      lead={(more ? words.leadMore : words.lead)(application.name, team.name)}
    >
      <div className={stack.fields}>
        <ScopeList scopes={scopes} newScopes={newScopes} details={interaction.scopeDetails} />
        {isAiAgent && (
          <Notice kind="info">
            <p>{words.agentText}</p>
          </Notice>
        )}
        <div className={styles.who}>
          <dl>
            <div>
              <dt>{words.goesTo}</dt>
              <dd>{destination(redirectUri)}</dd>
            </div>
            <div>
              <dt>{words.signedInAs}</dt>
              <dd>{email}</dd>
            </div>
          </dl>
          <button type="button" className={styles.notYou} disabled={busy !== null} onClick={switchAccount}>
            {words.notYou}
          </button>
        </div>
        <ProblemMessage problem={problem} />
        <AnswerButtons deny={words.deny} allow={words.allow} busy={busy} answer={answer} />
        <TakeBack />
      </div>
    </AuthLayout>
  )
}
