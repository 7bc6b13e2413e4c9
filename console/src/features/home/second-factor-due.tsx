import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Me } from '../../api/contract'
import m from '../../messages/en/home.json'
import { Icon } from '../../ui/icons/icon'
import { exactDate } from '../../ui/values/time'
import styles from './second-factor-due.module.css'

/** Asks for a second factor that a team requires after the days of grace. */
export function SecondFactorDue({ mfa }: { mfa: Me['mfa'] }) {
  if (!mfa.required || mfa.enabled || !mfa.graceEndsAt) return null
  return (
    <section className={styles.due} aria-labelledby="due">
      <span className={styles.icon}>
        <Icon name="shieldLock" />
      </span>
      <div className={styles.text}>
        <h2 id="due" className={styles.title}>
          {m.factorDue({ date: exactDate(mfa.graceEndsAt) })}
        </h2>
        <p>{m.factorDueText()}</p>
      </div>
      <Button renderRoot={(props) => <Link to="/account/security" {...props} />}>{m.setUpFactor()}</Button>
    </section>
  )
}
