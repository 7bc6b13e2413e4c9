import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Team } from '../../api/contract'
import m from '../../messages/en/overview.json'
import { LoadError } from '../../ui/page/load-error'
import { Panel } from '../../ui/page/panel'
import { RowsLoading } from '../../ui/page/rows-loading'
import styles from './overview.module.css'
import { coverageQuery } from './queries'
import { roundedShare } from './share'

const FACTORS = ['passkey', 'totp', 'none'] as const

const NAMES = { passkey: m.passkey, totp: m.totp, none: m.none }

const percent = new Intl.NumberFormat('en', { style: 'percent' })

/** The active users by their best second factor. */
export function CoveragePanel({ team: { id, slug } }: { team: Team }) {
  const coverage = useQuery(coverageQuery(id))
  const { users = 0, none = 0 } = coverage.data ?? {}
  return (
    <Panel
      title={m.coverage()}
      action={coverage.data && <span className={styles.muted}>{m.userCount({ count: users })}</span>}
    >
      {coverage.isPending && <RowsLoading rows={3} height={36} />}
      {coverage.isError && <LoadError error={coverage.error} retry={() => coverage.refetch()} />}
      {coverage.data && (
        <>
          <div className={styles.bar} aria-hidden="true">
            {FACTORS.filter((factor) => coverage.data[factor] > 0).map((factor) => (
              <span key={factor} data-factor={factor} style={{ flexGrow: coverage.data[factor] }} />
            ))}
          </div>
          <ul className={styles.list}>
            {FACTORS.map((factor) => (
              <li key={factor} className={styles.row}>
                <span className={styles.key} data-factor={factor} />
                <span className={styles.grow}>{NAMES[factor]()}</span>
                <span className={styles.muted} data-numeric>
                  {percent.format(roundedShare(coverage.data[factor], users))}
                </span>
                <span className={styles.count} data-numeric>
                  {coverage.data[factor].toLocaleString('en')}
                </span>
              </li>
            ))}
          </ul>
          {none > 0 && (
            <Button
              variant="default"
              mt={12}
              renderRoot={(props) => (
                <Link to="/t/$slug/users" params={{ slug }} search={{ mfa: 'none', status: 'active' }} {...props} />
              )}
            >
              {m.reviewUsers({ count: none })}
            </Button>
          )}
        </>
      )}
    </Panel>
  )
}
