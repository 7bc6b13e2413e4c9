import { type ChangeEvent, useState } from 'react'
import type { PasswordPolicy } from '../../api/contract'
import { boot } from '../../boot'
import m from '../../messages/en/form.json'
import hidden from '../hidden.module.css'
import { Icon } from '../icons/icon'
import styles from './new-password-field.module.css'
import { PasswordField } from './password-field'
import { checkPassword, managerRules } from './password-rules'

interface Props {
  name: string
  label?: string
  error?: string | undefined
  /** the policy of the team, if known; else that of the instance */
  policy?: PasswordPolicy
}

/** A new password: its rules are shown from the start and are checked off while typing. */
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
          {checkPassword(password, policy).map(({ words, met }) => (
            <li key={words} className={styles.rule} data-met={met || undefined}>
              <Icon name={met ? 'done' : 'circle'} size={18} />
              <span>
                {words}
                {met && <span className={hidden.hidden}>, {m.ruleMet()}</span>}
              </span>
            </li>
          ))}
          {policy.historyCount > 0 && (
            // Only the service knows earlier passwords: this line is never checked off.
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

/** Returns the first rule that `password` breaks, for `useForm`. */
export function weakPassword(password: string, policy = boot.passwordPolicy): string | undefined {
  if (!password) return m.passwordMissing()
  const broken = checkPassword(password, policy).find((rule) => !rule.met)
  return broken && m.ruleBroken({ rule: broken.words })
}
