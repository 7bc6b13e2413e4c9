import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { SsoSignIn } from '../../../api/contract'
import m from '../../../messages/en/sign-in-report.json'
import { Icon } from '../../../ui/icons/icon'
import styles from '../../../ui/page/item-row.module.css'
import { Monogram } from '../../../ui/values/monogram'
import { RelativeTime } from '../../../ui/values/relative-time'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { OutcomeBadge } from './outcome-badge'
import { subjectOf } from './subject-of'

/** One sign-in or test, with a link to its report. */
export function SignInRow({ signIn }: { signIn: SsoSignIn }) {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const { kind, outcome, error, createdAt } = signIn
  return (
    <li className={styles.row}>
      {kind === 'test' ? (
        <span className={styles.icon}>
          <Icon name="play" />
        </span>
      ) : (
        <Monogram of={subjectOf(signIn)} size={32} round />
      )}
      <div className={styles.text}>
        <p className={styles.title}>
          <Link to="/t/$slug/sso/$id/sign-ins/$run" params={{ slug: team.slug, id, run: signIn.id }}>
            {subjectOf(signIn)}
          </Link>
          <OutcomeBadge outcome={outcome} />
          {kind === 'test' && <Badge>{m.test()}</Badge>}
        </p>
        <p className={styles.detail}>
          <RelativeTime at={createdAt} />
          {error && <span>{m.rejection({ code: error })}</span>}
        </p>
      </div>
    </li>
  )
}
