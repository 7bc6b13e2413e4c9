import { Badge, Button } from '@mantine/core'
import type { Interaction } from '../../api/contract'
import type { Problem } from '../../api/problem'
import { ApplicationLogo } from '../../design/application-logo'
import { AuthLayout } from '../../design/auth-layout'
import { ProblemMessage } from '../../design/form/problem-message'
import { Icon } from '../../design/icons/icon'
import { Notice } from '../../design/notice'
import stack from '../../design/stack.module.css'
import { consentWords as words } from '../../words'
import styles from './consent-form.module.css'
import { destination } from './destination'
import { ScopeList } from './scope-list'

interface Props {
  interaction: Interaction
  email: string
  /** the button that is on its way */
  busy: 'allow' | 'deny' | 'switch' | null
  problem: Problem | null
  answer: (consent: boolean) => void
  switchAccount: () => void
}

/** What an application would get, and two buttons of one size. */
export function ConsentForm({ interaction, email, busy, problem, answer, switchAccount }: Props) {
  const { application, team, scopes, newScopes, redirectUri, isAiAgent } = interaction
  const more = newScopes.length < scopes.length
  const title = more ? words.titleMore(application.name) : words.title(application.name)
  return (
    <AuthLayout
      heading={title}
      emblem={
        <div className={stack.row}>
          <ApplicationLogo name={application.name} logoUrl={application.logoUrl} size={48} />
          {isAiAgent && (
            <Badge color="blue" size="lg" leftSection={<Icon name="agent" size={16} />}>
              {words.agent}
            </Badge>
          )}
        </div>
      }
      lead={(more ? words.leadMore : words.lead)(application.name, team.name)}
    >
      <div className={stack.fields}>
        <ScopeList scopes={scopes} newScopes={newScopes} />
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
        <div className={styles.choice}>
          <Button
            variant="default"
            h={44}
            fz="md"
            loading={busy === 'deny'}
            disabled={busy === 'allow'}
            onClick={() => answer(false)}
          >
            {words.deny}
          </Button>
          <Button h={44} fz="md" loading={busy === 'allow'} disabled={busy === 'deny'} onClick={() => answer(true)}>
            {words.allow}
          </Button>
        </div>
      </div>
    </AuthLayout>
  )
}
