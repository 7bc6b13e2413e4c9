import { Button } from '@mantine/core'
import m from '../../../../messages/en/factors.json'
import { passkeysWork } from '../../../../passkeys/ceremony'
import { EmptyState } from '../../../../ui/empty-state'
import { Icon } from '../../../../ui/icons/icon'
import styles from '../../../../ui/item-row.module.css'
import { Notice } from '../../../../ui/notice'
import { Panel } from '../../../../ui/panel'
import { FactorRow } from './factor-row'
import type { FactorsProps } from './factors-props'
import { whatIsLeft, workingFactors } from './what-is-left'

export function PasskeysPanel({ methods, hasPassword, adding, removing, rename, remove }: FactorsProps) {
  const passkeys = workingFactors(methods, 'PASSKEY')
  const add = passkeysWork && (
    <Button
      variant="default"
      leftSection={<Icon name="plus" />}
      loading={adding.busy === 'PASSKEY'}
      onClick={adding.startPasskey}
    >
      {m.addPasskey()}
    </Button>
  )
  return (
    <Panel title={m.passkeys()} about={m.passkeysAbout()} action={passkeys.length > 0 && add}>
      {adding.cancelled && (
        <Notice kind="info">
          <p>{m.passkeyCancelled()}</p>
        </Notice>
      )}
      {passkeys.length === 0 ? (
        <EmptyState icon="key" text={passkeysWork ? m.passkeysNone() : m.passkeysUnsupported()} action={add} />
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
                  <span>{passkey.backedUp ? m.synced() : m.oneDevice()}</span>
                  {passkey.signsIn === false && <span>{m.secondOnly()}</span>}
                </>
              }
              left={whatIsLeft(methods, passkey, hasPassword)}
              removing={removing?.id === passkey.id}
              rename={(name) => rename(passkey, name)}
              remove={() => remove(passkey)}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}
