import { type ChangeEvent, useState } from 'react'
import type { PasswordPolicy } from '../../api/contract'
import { boot } from '../../boot'
import m from '../../messages/en/form.json'
import hidden from '../hidden.module.css'
import { Icon } from '../icons/icon'
import styles from './new-password-field.module.css'
import { PasswordField } from './password-field'
import { judgePassword, managerRules } from './password-rules'

interface Props {
  name: string
  label?: string
  error?: string | undefined
  /** what the team asks for, where it is known; else what holds for everybody */
  policy?: PasswordPolicy
}

/** A password to be chosen: its rules stand there before the first letter and tick themselves off. */
export function NewPasswordField({ label = m.newPassword(), policy = boot.passwordPolicy, ...props }: Props) {
  const [password, setPassword] = useState('')
  const forManagers = { passwordrules: managerRules(policy) }
  return (
    <PasswordField
      {...props}
      {...forManagers}
      label={label}
      autoComplete="new-password"
      onChange={(event: ChangeEvent<HTMLInputElement>) => setPassword(event.target.value)}
      below={
        <ul className={styles.rules}>
          {judgePassword(password, policy).map(({ words, met }) => (
            <li key={words} className={styles.rule} data-met={met || undefined}>
              <Icon name={met ? 'done' : 'circle'} size={18} />
              <span>
                {words}
                {met && <span className={hidden.hidden}>, {m.ruleMet()}</span>}
              </span>
            </li>
          ))}
          {policy.historyCount > 0 && (
            // Only the service knows the earlier ones: this line is never ticked.
            <li className={styles.rule}>
              <Icon name="circle" size={18} />
              <span>{m.ruleHistory({ count: policy.historyCount })}</span>
            </li>
          )}
        </ul>
      }
    />
  )
}

/** For `useForm`: the first rule that `password` breaks, in words. */
export function weakPassword(password: string, policy = boot.passwordPolicy): string | undefined {
  if (!password) return m.passwordMissing()
  const broken = judgePassword(password, policy).find((rule) => !rule.met)
  return broken && m.ruleBroken({ rule: broken.words })
}
