import { Button } from '@mantine/core'
import { useState } from 'react'
import { judgeIssuer } from '../../api/issuer'
import { Problem } from '../../api/problem'
import { serviceAddress } from '../../api/service-address'
import { session } from '../../api/session'
import { signOut } from '../../api/sign-out'
import { navigate, useSearch } from '../../navigation/router'
import type { SignInRequest } from '../../navigation/sign-in-search'
import { AuthLayout } from '../../ui/auth-layout'
import { Field } from '../../ui/form/field'
import { ProblemMessage, useRetryIn } from '../../ui/form/problem-message'
import { SubmitButton } from '../../ui/form/submit-button'
import { useForm } from '../../ui/form/use-form'
import { Notice } from '../../ui/notice'
import stack from '../../ui/stack.module.css'
import { deviceWords as words } from '../../words'
import { AnswerRequest } from './answer-request'
import { verifyUserCode } from './calls'
import consent from './consent-form.module.css'
import { DeviceDone } from './device-done'
import styles from './device-page.module.css'
import { deviceSearch } from './device-search'
import { readUserCode } from './user-code'

interface Found {
  request: SignInRequest
  userCode: string
}

/** Where somebody signs in for a device that has no keyboard: its code, then the question (RFC 8628, 3.3). */
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
          {words.another}
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
      if (!userCode.trim()) return { userCode: words.codeMissing }
      return readUserCode(userCode) ? {} : { userCode: words.codeWrong }
    },
    send: async (values) => {
      const userCode = readUserCode(values.userCode) ?? ''
      const { uid, idp } = await verifyUserCode(userCode)
      const issuer = judgeIssuer(idp, serviceAddress())
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
    <AuthLayout heading={words.title} lead={words.lead}>
      <form {...form} aria-label={words.title}>
        <div className={stack.fields}>
          <Field
            name="userCode"
            label={words.code}
            hint={words.codeHint}
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
            <p>{words.never}</p>
          </Notice>
          <SubmitButton busy={busy} disabled={retryIn > 0}>
            {words.submit}
          </SubmitButton>
          <div className={consent.who}>
            <dl>
              <div>
                <dt>{words.signedInAs}</dt>
                <dd>{email}</dd>
              </div>
            </dl>
            <button type="button" className={consent.notYou} disabled={busy} onClick={switchAccount}>
              {words.notYou}
            </button>
          </div>
        </div>
      </form>
    </AuthLayout>
  )
}
