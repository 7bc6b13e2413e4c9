import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SsoSignIn } from '../../../api/contract'
import providers from '../../../messages/en/sign-in-providers.json'
import m from '../../../messages/en/sign-in-report.json'
import { Icon } from '../../../ui/icons/icon'
import { EmptyState } from '../../../ui/page/empty-state'
import styles from '../../../ui/page/item-row.module.css'
import { LoadError } from '../../../ui/page/load-error'
import { Panel } from '../../../ui/page/panel'
import { RowsLoading } from '../../../ui/page/rows-loading'
import { Monogram } from '../../../ui/values/monogram'
import { RelativeTime } from '../../../ui/values/relative-time'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { signInsQuery } from '../queries'
import { OutcomeBadge } from './outcome-badge'
import { subjectOf } from './subject-of'

/** The last sign-ins and tests of a provider. */
export function SignInsPage() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const signIns = useQuery(signInsQuery(team.id, id))
  return (
    <Panel title={providers.signIns()} about={providers.signInsHelp()}>
      {signIns.isPending && <RowsLoading rows={3} />}
      {signIns.isError && <LoadError error={signIns.error} retry={() => signIns.refetch()} />}
      {signIns.data?.length === 0 && <EmptyState icon="users" text={providers.noSignIns()} />}
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
