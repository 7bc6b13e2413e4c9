import { type ChangeEvent, useState } from 'react'
import { boot } from '../../boot'
import { formWords } from '../../words'
import hidden from '../hidden.module.css'
import { Icon } from '../icons/icon'
import styles from './new-password-field.module.css'
import { PasswordField } from './password-field'
import { judgePassword, managerRules } from './password-rules'

interface Props {
  name: string
  label?: string
  error?: string | undefined
}

/** A password to be chosen: its rules stand there before the first letter and tick themselves off. */
export function NewPasswordField({ label = formWords.newPassword, ...props }: Props) {
  const [password, setPassword] = useState('')
  const forManagers = { passwordrules: managerRules(boot.passwordPolicy) }
  return (
    <PasswordField
      {...props}
      {...forManagers}
      label={label}
      autoComplete="new-password"
      onChange={(event: ChangeEvent<HTMLInputElement>) => setPassword(event.target.value)}
      below={
        <ul className={styles.rules}>
          {judgePassword(password, boot.passwordPolicy).map(({ words, met }) => (
            <li key={words} className={styles.rule} data-met={met || undefined}>
              <Icon name={met ? 'done' : 'circle'} size={18} />
              <span>
                {words}
                {met && <span className={hidden.hidden}>, {formWords.rules.met}</span>}
              </span>
            </li>
          ))}
        </ul>
      }
    />
  )
}

/** For `useForm`: the first rule that `password` breaks, in words. */
export function weakPassword(password: string): string | undefined {
  if (!password) return formWords.passwordMissing
  const broken = judgePassword(password, boot.passwordPolicy).find((rule) => !rule.met)
  return broken && formWords.rules.broken(broken.words)
}
