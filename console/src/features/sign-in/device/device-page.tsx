import { Button } from '@mantine/core'
import { useState } from 'react'
import { parseIssuer } from '../../../api/issuer'
import { Problem } from '../../../api/problem'
import { serviceAddress } from '../../../api/service-address'
import { session } from '../../../api/session'
import { signOut } from '../../../api/sign-out'
import m from '../../../messages/en/device.json'
import { navigate, useSearch } from '../../../navigation/router'
import type { SignInRequest } from '../../../navigation/sign-in-search'
import { AuthLayout } from '../../../ui/auth-layout'
import { Field } from '../../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../../ui/form/problem-message'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useForm } from '../../../ui/form/use-form'
import { Notice } from '../../../ui/notice'
import stack from '../../../ui/stack.module.css'
import { verifyUserCode } from '../../account/access/queries'
import { AnswerRequest } from '../consent/answer-request'
import consent from '../consent/consent-form.module.css'
import { DeviceDone } from './device-done'
import styles from './device-page.module.css'
import { deviceSearch } from './device-search'
import { readUserCode } from './user-code'

interface Found {
  request: SignInRequest
  userCode: string
}

/** Signs in a device without a keyboard: first its code, then the consent (RFC 8628, 3.3). */
export function DevicePage() {
  const { user_code: given, result } = useSearch(deviceSearch)
  const [found, setFound] = useState<Found | null>(null)
  if (result) return <DeviceDone result={result} />
  if (!found) return <CodeForm given={given} found={setFound} />
  return (
    <AnswerRequest
      request={found.request}
      userCode={found.userCode}
      below={
        <Button
          variant="subtle"
          onClick={() => {
            setFound(null)
            navigate({ to: '/device', replace: true })
          }}
        >
          {m.otherCode()}
        </Button>
      }
    />
  )
}

function CodeForm({ given, found }: { given: string | undefined; found: (found: Found) => void }) {
  const [email] = useState(() => session.view()?.user.email ?? '')
  const { form, errors, problem, busy } = useForm({
    names: ['userCode'],
    check: ({ userCode }) => {
      if (!userCode.trim()) return { userCode: m.codeMissing() }
      return readUserCode(userCode) ? {} : { userCode: m.codeWrong() }
    },
    send: async (values) => {
      const userCode = readUserCode(values.userCode) ?? ''
      const { uid, idp } = await verifyUserCode(userCode)
      const issuer = parseIssuer(idp, serviceAddress())
      if (!issuer) throw new Problem({ code: 'unexpected' })
      found({ request: { uid, idp: issuer }, userCode })
    },
    focusOnRefusal: 'userCode',
  })
  const retryIn = useRetryIn(problem)
  const switchAccount = () =>
    signOut(`/login?${new URLSearchParams({ returnTo: location.pathname + location.search })}`).catch(() =>
      location.assign('/logout'),
    )
  return (
    <AuthLayout heading={m.title()} lead={m.lead()}>
      <form {...form} aria-label={m.title()}>
        <div className={stack.fields}>
          <Field
            name="userCode"
            label={m.code()}
            hint={m.codeHint()}
            className={styles.code as string}
            defaultValue={(given && readUserCode(given)) ?? given ?? ''}
            placeholder="XXXX-XXXX"
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            autoFocus
            error={errors.userCode}
          />
          <ProblemMessage problem={problem} />
          <Notice kind="warning">
            <p>{m.warnCode()}</p>
          </Notice>
          <SubmitButton busy={busy} disabled={retryIn > 0}>
            {m.submit()}
          </SubmitButton>
          <div className={consent.who}>
            <dl>
              <div>
                <dt>{m.signedInAs()}</dt>
                <dd>{email}</dd>
              </div>
            </dl>
            <button type="button" className={consent.notYou} disabled={busy} onClick={switchAccount}>
              {m.notYou()}
            </button>
          </div>
        </div>
      </form>
    </AuthLayout>
  )
}
