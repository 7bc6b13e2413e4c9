import { Button } from '@mantine/core'
import m from '../../../../messages/en/factors.json'
import styles from '../../../../ui/page/item-row.module.css'
import { MethodRow } from '../method-row'
import { FactorRow } from './factor-row'
import type { FactorsProps } from './factors-props'
import { whatIsLeft, workingFactors } from './what-is-left'

export function AuthenticatorsMethod({ methods, hasPassword, adding, removing, rename, remove }: FactorsProps) {
  const authenticators = workingFactors(methods, 'TOTP')
  const count = authenticators.length
  return (
    <MethodRow
      icon="phone"
      name={m.authenticators()}
      state={count > 0 ? { tone: 'ok', text: m.added({ count }) } : undefined}
      about={count > 0 ? m.authenticatorsAbout() : m.authenticatorsNone()}
      action={
        <Button
          variant="default"
          loading={adding.busy === 'TOTP'}
          onClick={() => adding.startAuthenticator(m.authenticatorName({ number: count + 1 }))}
        >
          {m.addAuthenticator()}
        </Button>
      }
    >
      {count > 0 && (
        <ul className={styles.list}>
          {authenticators.map((authenticator) => (
            <FactorRow
              key={authenticator.id}
              factor={authenticator}
              icon="phone"
              left={whatIsLeft(methods, authenticator, hasPassword)}
              removing={removing?.id === authenticator.id}
              rename={(name) => rename(authenticator, name)}
              remove={() => remove(authenticator)}
            />
          ))}
        </ul>
      )}
    </MethodRow>
  )
}
