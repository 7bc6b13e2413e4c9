import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { ChallengeMethod } from '../../../api/contract'
import m from '../../../messages/en/second-factor.json'
import { passkeysWork } from '../../../passkeys/ceremony'
import stack from '../../../ui/stack.module.css'
import type { StepProps } from './challenge-frame'
import { CodeStep } from './code-step'
import { PasskeyStep } from './passkey-step'
import { TimeLeft } from './time-left'

interface Props extends Omit<StepProps, 'more'> {
  /** shown at the end */
  children?: ReactNode
}

/** Two-step verification with the easiest method of the account; the others are one click away. */
export function ChallengeStep({ children, ...props }: Props) {
  const { challenge, over } = props
  const ways = (['PASSKEY', 'TOTP', 'BACKUP_CODE'] as const).filter(
    (way) => challenge.methods.includes(way) && (way !== 'PASSKEY' || passkeysWork),
  )
  // If no method works in this browser, the backup code field explains more than an empty page.
  const [way, setWay] = useState<ChallengeMethod>(ways[0] ?? 'BACKUP_CODE')
  const more = (
    <div className={stack.fields}>
      <div className={stack.tight}>
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Button key={other} variant="default" fullWidth onClick={() => setWay(other)}>
              {m.instead({ method: other })}
            </Button>
          ))}
      </div>
      <TimeLeft endsAt={challenge.endsAt} over={() => over('late')} />
      <p className={`${stack.dimmed} ${stack.small}`}>
        <strong>{m.lost()}</strong> {challenge.methods.includes('BACKUP_CODE') ? m.lostBackup() : m.lostDevice()}
      </p>
      {children}
    </div>
  )
  return way === 'PASSKEY' ? (
    <PasskeyStep {...props} more={more} />
  ) : (
    // Another method is another form, without the input and errors of this one.
    <CodeStep key={way} {...props} backup={way === 'BACKUP_CODE'} more={more} />
  )
}
