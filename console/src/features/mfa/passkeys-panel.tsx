import { Button } from '@mantine/core'
import { passkeysWork } from '../../passkeys/ceremony'
import { EmptyState } from '../../ui/empty-state'
import { Icon } from '../../ui/icons/icon'
import styles from '../../ui/item-row.module.css'
import { Notice } from '../../ui/notice'
import { Panel } from '../../ui/panel'
import { factorWords as words } from '../../words'
import { FactorRow } from './factor-row'
import type { FactorsProps } from './factors-props'
import { whatIsLeft, workingFactors } from './what-is-left'

export function PasskeysPanel({ methods, hasPassword, adding, rename, remove }: FactorsProps) {
  const passkeys = workingFactors(methods, 'PASSKEY')
  const add = passkeysWork && (
    <Button
      variant="default"
      leftSection={<Icon name="plus" />}
      loading={adding.busy === 'PASSKEY'}
      onClick={adding.startPasskey}
    >
      {words.addPasskey}
    </Button>
  )
  return (
    <Panel title={words.passkeys} about={words.passkeysAbout} action={passkeys.length > 0 && add}>
      {adding.cancelled && (
        <Notice kind="info">
          <p>{words.passkeyCancelled}</p>
        </Notice>
      )}
      {passkeys.length === 0 ? (
        <EmptyState icon="key" text={passkeysWork ? words.passkeysNone : words.passkeysNowhere} action={add} />
      ) : (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <FactorRow
              key={passkey.id}
              factor={passkey}
              icon="key"
              details={
                <>
                  {passkey.provider && <span>{passkey.provider}</span>}
                  <span>{passkey.backedUp ? words.synced : words.oneDevice}</span>
                  {passkey.signsIn === false && <span>{words.secondOnly}</span>}
                </>
              }
              left={whatIsLeft(methods, passkey, hasPassword)}
              rename={(name) => rename(passkey, name)}
              remove={() => remove(passkey)}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}
