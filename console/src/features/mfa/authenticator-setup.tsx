import { Button } from '@mantine/core'
import common from '../../messages/en/common.json'
import m from '../../messages/en/factors.json'
import { CopyButton } from '../../ui/copy-button'
import { Field } from '../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import stack from '../../ui/stack.module.css'
import styles from './authenticator-setup.module.css'
import type { AuthenticatorSetup as Setup } from './calls'

interface Props {
  setup: Setup
  /** @throws Problem if the code is wrong */
  confirm: (code: string) => Promise<void>
  cancel: () => void
}

/** Shows the key of an authenticator app as QR code and text, and verifies it with the first code. */
export function AuthenticatorSetup({ setup, confirm, cancel }: Props) {
  const { form, errors, problem, busy } = useForm({
    names: ['code'],
    check: ({ code }) => (code.trim() ? {} : { code: m.codeMissing() }),
    send: ({ code }) => confirm(code),
    focusOnRefusal: 'code',
  })
  const retryIn = useRetryIn(problem)
  const groups = setup.secret.match(/.{1,4}/g) ?? []
  return (
    <div className={stack.fields}>
      <div className={styles.setup}>
        <img className={styles.qr} src={setup.qrCode} alt={m.qrAlt()} />
        <div className={stack.tight}>
          <p>{m.scan()}</p>
          <p className={stack.dimmed}>{m.manual()}</p>
          <code className={styles.key}>
            {groups.map((group, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one key, some of them equal.
              <span key={place}>{group}</span>
            ))}
          </code>
          <div className={stack.row}>
            <CopyButton label={m.secretLabel()} value={setup.secret} />
          </div>
          <a href={setup.otpAuthUrl}>{m.openApp()}</a>
        </div>
      </div>
      <form {...form} aria-label={m.setUpTitle()}>
        <ProblemMessage problem={problem} />
        <Field
          name="code"
          label={m.codeLabel()}
          autoComplete="one-time-code"
          inputMode="numeric"
          data-autofocus
          error={errors.code}
        />
        <div className={`${stack.row} ${stack.end}`}>
          <Button variant="default" onClick={cancel}>
            {common.cancel()}
          </Button>
          <SubmitButton busy={busy} disabled={retryIn > 0} fullWidth={false}>
            {m.confirmCode()}
          </SubmitButton>
        </div>
      </form>
    </div>
  )
}
