import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { ChallengeMethod } from '../../../api/contract'
import m from '../../../messages/en/second-factor.json'
import { passkeysWork } from '../../../passkeys/ceremony'
import { Icon } from '../../../ui/icons/icon'
import { Or } from '../../../ui/public/or'
import parts from '../../../ui/public/parts.module.css'
import { QuietButton } from '../../../ui/public/quiet-button'
import type { StepProps } from './challenge-frame'
import { CodeStep } from './code-step'
import { LostDevice } from './lost-device'
import { methodIcons } from './method-icons'
import { PasskeyStep } from './passkey-step'
import { TimeLeft } from './time-left'

interface Props extends Omit<StepProps, 'more' | 'help'> {
  /** cancels the sign-in; hidden while the way back leads to the method */
  cancel?: ReactNode
  /** shown at the end */
  children?: ReactNode
}

/** Two-step verification with the easiest method of the account; the others are one click away. */
export function ChallengeStep({ cancel, children, ...props }: Props) {
  const { challenge, over, frame } = props
  const methods = (['PASSKEY', 'TOTP', 'BACKUP_CODE'] as const).filter(
    (method) => challenge.methods.includes(method) && (method !== 'PASSKEY' || passkeysWork),
  )
  // If no method works in this browser, the backup code field explains more than an empty page.
  const first = methods[0] ?? 'BACKUP_CODE'
  const [method, setMethod] = useState<ChallengeMethod>(first)
  const [isLost, setIsLost] = useState(false)
  const choose = (next: ChallengeMethod) => {
    setMethod(next)
    setIsLost(false)
  }
  const others = methods.filter((other) => other !== method)
  const timeLeft = <TimeLeft endsAt={challenge.endsAt} email={challenge.email} over={() => over('late')} />
  if (isLost)
    return (
      <LostDevice
        methods={others}
        choose={choose}
        back={() => setIsLost(false)}
        frame={frame}
        timeLeft={timeLeft}
        more={children}
      />
    )

  const isBackup = method === 'BACKUP_CODE'
  const more = (
    <>
      {isBackup && others.length > 0 ? (
        <QuietButton onClick={() => choose(first)}>{m.otherMethod()}</QuietButton>
      ) : (
        others.length > 0 && (
          <>
            <Or />
            <div className={parts.pair}>
              {others.map((other) => (
                <Button
                  key={other}
                  variant="default"
                  leftSection={<Icon name={methodIcons[other]} />}
                  onClick={() => choose(other)}
                >
                  {m.instead({ method: other })}
                </Button>
              ))}
            </div>
          </>
        )
      )}
      {timeLeft}
      {cancel}
      {children}
    </>
  )
  const help = (
    <button type="button" onClick={() => setIsLost(true)}>
      {m.lost()}
    </button>
  )
  return method === 'PASSKEY' ? (
    <PasskeyStep {...props} more={more} help={help} />
  ) : (
    // Another method is another form, without the input and errors of this one.
    <CodeStep key={method} {...props} backup={isBackup} more={more} help={help} />
  )
}
