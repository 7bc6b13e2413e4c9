import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import m from '../../../messages/en/sign-in-providers.json'
import styles from '../../../ui/page/item-row.module.css'
import { Panel } from '../../../ui/page/panel'
import { useCurrentTeam } from '../../organizations/current-team'
import { useCurrentProvider } from '../current-provider'
import { signInsQuery } from '../queries'
import { SignInRow } from './sign-in-row'

const SHOWN = 4

/** The newest sign-ins and tests of the provider, beside its overview. */
export function LastSignInsPanel() {
  const { team } = useCurrentTeam()
  const { id } = useCurrentProvider()
  const signIns = useQuery(signInsQuery(team.id, id)).data
  if (!signIns) return null
  return (
    <Panel
      title={m.lastSignIns()}
      about={signIns.length === 0 ? m.noSignIns() : undefined}
      action={
        signIns.length > 0 && (
          <Link to="/t/$slug/sso/$id/sign-ins" params={{ slug: team.slug, id }}>
            {m.allSignIns()}
          </Link>
        )
      }
    >
      {signIns.length > 0 && (
        <ul className={styles.list}>
          {signIns.slice(0, SHOWN).map((signIn) => (
            <SignInRow key={signIn.id} signIn={signIn} />
          ))}
        </ul>
      )}
    </Panel>
  )
}
