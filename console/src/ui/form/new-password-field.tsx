import type { TextInputProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { check, pipe, string } from 'valibot'
import type { PasswordPolicy } from '../../api/contract'
import { boot } from '../../boot'
import m from '../../messages/en/form.json'
import hidden from '../document/hidden.module.css'
import { Icon } from '../icons/icon'
import styles from './new-password-field.module.css'
import { PasswordField } from './password-field'
import { checkPassword, managerRules } from './password-rules'

interface Props extends Omit<TextInputProps, 'autoComplete' | 'type'> {
  /** the policy of the team, if known; else that of the instance */
  policy?: PasswordPolicy | undefined
}

/** A new password: its rules are shown from the start and are checked off while typing. */
export function NewPasswordField({ label = m.newPassword(), policy = boot.passwordPolicy, ...props }: Props) {
  const [password, setPassword] = useState('')
  const forManagers = { passwordrules: managerRules(policy) }
  return (
    <div>
      <PasswordField
        {...props}
        {...forManagers}
        label={label}
        autoComplete="new-password"
        onChange={(event) => {
          setPassword(event.target.value)
          props.onChange?.(event)
        }}
      />
      <ul className={styles.rules}>
        {checkPassword(password, policy).map(({ words, met, progress }) => (
          <Rule key={words} met={met} end={password !== '' && !met && progress}>
            {words}
          </Rule>
        ))}
        {policy.historyCount > 0 && (
          // Only the service knows earlier passwords: this line is never checked off.
          <Rule end={m.ruleCheckedLater()}>{m.ruleHistory({ count: policy.historyCount })}</Rule>
        )}
      </ul>
    </div>
  )
}

function Rule({ met = false, end, children }: { met?: boolean; end?: ReactNode; children: ReactNode }) {
  return (
    <li className={styles.rule} data-met={met || undefined}>
      {met ? <Icon name="check" /> : <span className={styles.ring} />}
      <span>
        {children}
        {met && <span className={hidden.hidden}>, {m.ruleMet()}</span>}
      </span>
      {end && (
        <span className={styles.end} data-numeric>
          {end}
        </span>
      )}
    </li>
  )
}

/** Returns the first rule that `password` breaks. */
export function weakPassword(password: string, policy = boot.passwordPolicy): string | undefined {
  if (!password) return m.passwordMissing()
  const broken = checkPassword(password, policy).find((rule) => !rule.met)
  return broken && m.ruleBroken({ rule: broken.words })
}

/** @param policy the policy of the team, if known; else that of the instance */
export const newPasswordSchema = (policy?: PasswordPolicy) =>
  pipe(
    string(),
    check(
      (password) => !weakPassword(password, policy),
      ({ input }) => weakPassword(input, policy) ?? '',
    ),
  )
