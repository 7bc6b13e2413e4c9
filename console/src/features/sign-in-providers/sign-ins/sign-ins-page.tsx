import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SsoSignIn } from '../../../api/contract'
import { EmptyState } from '../../../ui/empty-state'
import { Icon } from '../../../ui/icons/icon'
import styles from '../../../ui/item-row.module.css'
import { LoadError } from '../../../ui/load-error'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import { RowsLoading } from '../../../ui/rows-loading'
import { callbackWords, ssoWords as words } from '../../../words'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { signInsQuery } from '../queries'
import { OutcomeBadge } from './outcome-badge'
import { whoOf } from './subject-of'

export function SignInsPage() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const signIns = useQuery(signInsQuery(team.id, id))
  return (
    <Panel title={words.signIns} about={words.signInsAbout}>
      {signIns.isPending && <RowsLoading rows={3} />}
      {signIns.isError && <LoadError error={signIns.error} retry={() => signIns.refetch()} />}
      {signIns.data?.length === 0 && <EmptyState icon="people" text={words.noSignIns} />}
      {signIns.data && signIns.data.length > 0 && (
        <ul className={styles.list}>
          {signIns.data.map((signIn) => (
            <SignInRow key={signIn.id} signIn={signIn} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function SignInRow({ signIn }: { signIn: SsoSignIn }) {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const { kind, outcome, error, createdAt } = signIn
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <Icon name={kind === 'test' ? 'play' : 'person'} />
      </span>
      <div className={styles.text}>
        <p className={styles.title}>
          <Link to="/t/$slug/sso/$id/sign-ins/$run" params={{ slug: team.slug, id, run: signIn.id }}>
            {whoOf(signIn)}
          </Link>
          <OutcomeBadge outcome={outcome} />
          {kind === 'test' && <Badge>{words.testBadge}</Badge>}
        </p>
        <p className={styles.detail}>
          <RelativeTime at={createdAt} />
          {error && <span>{callbackWords.cause(error).title}</span>}
        </p>
      </div>
    </li>
  )
}
