import { Button } from '@mantine/core'
import m from '../../../../messages/en/factors.json'
import { EmptyState } from '../../../../ui/empty-state'
import { Icon } from '../../../../ui/icons/icon'
import styles from '../../../../ui/item-row.module.css'
import { Panel } from '../../../../ui/panel'
import { FactorRow } from './factor-row'
import type { FactorsProps } from './factors-props'
import { whatIsLeft, workingFactors } from './what-is-left'

export function AuthenticatorsPanel({ methods, hasPassword, adding, removing, rename, remove }: FactorsProps) {
  const authenticators = workingFactors(methods, 'TOTP')
  const add = (
    <Button
      variant="default"
      leftSection={<Icon name="plus" />}
      loading={adding.busy === 'TOTP'}
      onClick={() => adding.startAuthenticator(m.authenticatorName({ number: authenticators.length + 1 }))}
    >
      {m.addAuthenticator()}
    </Button>
  )
  return (
    <Panel title={m.authenticators()} about={m.authenticatorsAbout()} action={authenticators.length > 0 && add}>
      {authenticators.length === 0 ? (
        <EmptyState icon="phone" text={m.authenticatorsNone()} action={add} />
      ) : (
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
    </Panel>
  )
}
