import { Button } from '@mantine/core'
import m from '../../../../messages/en/factors.json'
import { passkeysWork } from '../../../../passkeys/ceremony'
import styles from '../../../../ui/page/item-row.module.css'
import { MethodRow } from '../method-row'
import { FactorRow } from './factor-row'
import type { FactorsProps } from './factors-props'
import { whatIsLeft, workingFactors } from './what-is-left'

export function PasskeysMethod({ methods, hasPassword, adding, removing, rename, remove }: FactorsProps) {
  const passkeys = workingFactors(methods, 'PASSKEY')
  const none = passkeysWork ? m.passkeysNone() : m.passkeysUnsupported()
  return (
    <MethodRow
      icon="passkey"
      name={m.passkeys()}
      state={passkeys.length > 0 ? { tone: 'ok', text: m.added({ count: passkeys.length }) } : undefined}
      about={passkeys.length > 0 ? m.passkeysAbout() : none}
      action={
        passkeysWork && (
          <Button variant="default" loading={adding.busy === 'PASSKEY'} onClick={adding.startPasskey}>
            {m.addPasskey()}
          </Button>
        )
      }
    >
      {passkeys.length > 0 && (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <FactorRow
              key={passkey.id}
              factor={passkey}
              icon="passkey"
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
    </MethodRow>
  )
}
