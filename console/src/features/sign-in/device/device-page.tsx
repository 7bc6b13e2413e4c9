import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { check, object, pipe } from 'valibot'
import { parseIssuer } from '../../../api/issuer'
import { asProblem, Problem } from '../../../api/problem'
import { serviceAddress } from '../../../api/service-address'
import { session } from '../../../api/session'
import { signOut } from '../../../api/sign-out'
import m from '../../../messages/en/device.json'
import problems from '../../../messages/en/problems.json'
import { navigate, useSearch } from '../../../navigation/router'
import type { SignInRequest } from '../../../navigation/sign-in-search'
import { AuthLayout } from '../../../ui/document/auth-layout'
import { useMessageLine } from '../../../ui/form/message-line'
import { useRetryIn } from '../../../ui/form/problem-message'
import { requiredText } from '../../../ui/form/required-text'
import { SubmitButton } from '../../../ui/form/submit-button'
import { useSchemaForm } from '../../../ui/form/use-schema-form'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { verifyUserCode } from '../../account/access/queries'
import { AnswerRequest } from '../consent/answer-request'
import { SignedInAs } from '../consent/consent-form'
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
        <button
          type="button"
          onClick={() => {
            setFound(null)
            navigate({ to: '/device', replace: true })
          }}
        >
          {m.otherCode()}
        </button>
      }
    />
  )
}

const schema = object({
  userCode: pipe(
    requiredText(m.codeMissing()),
    check((code) => readUserCode(code) !== null, m.codeWrong()),
  ),
})

/** Moves the error of an unknown code to its field. */
function onField(thrown: unknown): never {
  const { code } = asProblem(thrown)
  if (code !== 'device_code_not_found') throw thrown
  throw new Problem({ errors: [{ path: '/userCode', message: problems.explanation({ code }) }] })
}

function CodeForm({ given, found }: { given: string | undefined; found: (found: Found) => void }) {
  const [email] = useState(() => session.view()?.user.email ?? '')
  const connection = useSchemaForm({
    schema,
    initial: { userCode: (given && readUserCode(given)) ?? given ?? '' },
    send: async (values) => {
      const userCode = readUserCode(values.userCode) ?? ''
      const { uid, idp } = await verifyUserCode(userCode).catch(onField)
      const issuer = parseIssuer(idp, serviceAddress())
      if (!issuer) throw new Problem({ code: 'unexpected' })
      found({ request: { uid, idp: issuer }, userCode })
    },
    focusOnRejection: 'userCode',
  })
  const { field, message } = useMessageLine(connection)
  const retryIn = useRetryIn(connection.problem)
  const switchAccount = () =>
    signOut(`/login?${new URLSearchParams({ returnTo: location.pathname + location.search })}`).catch(() =>
      location.assign('/logout'),
    )
  return (
    <AuthLayout heading={m.title()} lead={m.lead()} message={message}>
      <form onSubmit={connection.onSubmit} noValidate aria-label={m.title()}>
        <div className={stack.parts}>
          <TextInput
            {...field('userCode')}
            label={m.code()}
            className={styles.code as string}
            placeholder="XXXX-XXXX"
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            autoFocus
          />
          <SignedInAs email={email} busy={connection.busy} switchAccount={switchAccount} />
          <Notice kind="warning">
            <p>{m.warnCode()}</p>
          </Notice>
          <SubmitButton busy={connection.busy} disabled={retryIn > 0}>
            {m.submit()}
          </SubmitButton>
        </div>
      </form>
    </AuthLayout>
  )
}
