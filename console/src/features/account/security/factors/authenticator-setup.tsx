import m from '../../../../messages/en/factors.json'
import stack from '../../../../ui/layout/stack.module.css'
import { CopyButton } from '../../../../ui/secrets/copy-button'
import styles from './authenticator-setup.module.css'
import type { AuthenticatorSetup as Setup } from './calls'
import { CodeForm } from './code-form'

interface Props {
  setup: Setup
  /** @throws Problem if the code is wrong */
  confirm: (code: string) => Promise<void>
  cancel: () => void
}

/** Shows the key of an authenticator app as QR code and text, and verifies it with the first code. */
export function AuthenticatorSetup({ setup, confirm, cancel }: Props) {
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
      <CodeForm title={m.setUpTitle()} label={m.codeLabel()} send={confirm} cancel={cancel} />
    </div>
  )
}
