import type { ReactNode } from 'react'
import type { SsoSignIn } from '../../../api/contract'
import providers from '../../../messages/en/sign-in-providers.json'
import m from '../../../messages/en/sign-in-report.json'
import vendorMessages from '../../../messages/en/sign-in-vendors.json'
import { type Check, CheckList, isProblem } from '../../../ui/layout/check-list'
import { Notice } from '../../../ui/layout/notice'
import stack from '../../../ui/layout/stack.module.css'
import { Facts } from '../../../ui/page/facts'
import { More } from '../../../ui/page/more'
import { Panel } from '../../../ui/page/panel'
import { RelativeTime } from '../../../ui/values/relative-time'
import { StatusBadge } from '../../../ui/values/status-badge'
import { useCurrentProvider } from '../current-provider'
import { vendorOf } from '../vendors'
import { ReceivedTable } from './received-table'
import { subjectOf } from './subject-of'

/** Returns the result of a sign-in or a test in one line. */
export function verdictOf({ kind, outcome }: SsoSignIn): string | undefined {
  if (outcome === 'would_sign_in') return m.passed()
  if (outcome === 'refused') return m.rejected({ kind })
  return outcome && m.outcome({ outcome })
}

interface Props {
  signIn: SsoSignIn
  /** the next steps */
  next?: ReactNode
}

/** The report of a sign-in or a test: its result, the failed checks with their fixes, the attributes and the other checks. */
export function SignInReport({ signIn, next }: Props) {
  const { kind, createdAt, checks, attributes } = signIn
  const { received = {}, mapped = {} } = attributes
  const fixOf = useFix()
  const fields = Object.entries(mapped)
  const hasReceived = Object.keys(received).length > 0
  const failed = checks.filter(({ status }) => status === 'failed')
  const others = checks.filter(({ status }) => status !== 'failed')
  const passed = checks.filter(({ status }) => status === 'ok')
  const skipped = checks.filter(({ status }) => status === 'skipped')
  return (
    <>
      <Panel
        title={m.title({ kind })}
        about={<RelativeTime at={createdAt} />}
        action={
          <span className={stack.row}>
            {passed.length > 0 && <StatusBadge tone="ok">{m.passedCount({ count: passed.length })}</StatusBadge>}
            {failed.length > 0 && <StatusBadge tone="bad">{m.failedCount({ count: failed.length })}</StatusBadge>}
            {skipped.length > 0 && (
              <StatusBadge tone="neutral">{m.skippedCount({ count: skipped.length })}</StatusBadge>
            )}
          </span>
        }
      >
        <div className={stack.fields}>
          <Verdict signIn={signIn} />
          {next}
        </div>
      </Panel>
      {failed.length > 0 && (
        <Panel title={m.failedChecks()}>
          <CheckList checks={failed.map((check) => toCheck(check, fixOf))} />
        </Panel>
      )}
      <Panel title={m.received()} about={hasReceived ? undefined : m.nothingReceived()}>
        {hasReceived && <ReceivedTable received={received} />}
      </Panel>
      {fields.length > 0 && (
        <Panel title={m.profile()}>
          <Facts facts={fields.map(([field, value]) => ({ name: providers.field({ field }), value }))} />
        </Panel>
      )}
      {others.length > 0 && (
        <Panel title={m.checks()}>
          <More summary={m.otherChecks({ count: others.length })}>
            <CheckList checks={others.map((check) => toCheck(check, fixOf))} />
          </More>
        </Panel>
      )}
    </>
  )
}

function Verdict({ signIn }: { signIn: SsoSignIn }) {
  const { outcome, error, detail } = signIn
  const title = verdictOf(signIn)
  const user = subjectOf(signIn)
  if (outcome !== 'refused')
    return (
      <Notice kind="success" {...(title && { title })}>
        <p>{outcome === 'would_sign_in' ? m.passedHelp({ user }) : user}</p>
      </Notice>
    )
  const cause = error && m.rejection({ code: error })
  return (
    <Notice kind="warning" {...(title && { title })}>
      <p>{cause ? `${cause}. ${m.rejectionFix({ code: error })}` : detail}</p>
      {error && (
        <p>
          <code>{error}</code>
        </p>
      )}
    </Notice>
  )
}

type Fix = (check: string) => string

/** Returns the fix of a failed check, with the names of the vendor's console; an empty string if there is none. */
function useFix(): Fix {
  const provider = useCurrentProvider()
  const vendor = vendorOf(provider)
  if (provider.protocol === 'SAML2')
    return (id) => m.samlFix({ id, audience: vendorMessages.audience({ vendor }), acs: vendorMessages.acs({ vendor }) })
  return (id) =>
    m.oidcFix({ id, audience: vendorMessages.clientId({ vendor }), secret: vendorMessages.clientSecret({ vendor }) })
}

const states: Record<string, Check['state']> = { ok: 'good', failed: 'failed', skipped: 'open' }

function toCheck({ id, status, expected, found, detail }: SsoSignIn['checks'][number], fixOf: Fix): Check {
  const state = states[status] ?? 'attention'
  const fix = state === 'failed' && fixOf(id)
  const check = m.check({ id })
  return {
    state,
    title: isProblem(state) ? m.checkResult({ state: m.state({ status }), check }) : check,
    badge: state === 'open' && <StatusBadge tone="neutral">{m.state({ status })}</StatusBadge>,
    text: (
      <>
        {detail && <p>{detail}</p>}
        {state !== 'good' && expected !== undefined && (
          <p>
            {m.expected()} <code>{expected}</code>
          </p>
        )}
        {state !== 'good' && found !== undefined && (
          <p>
            {m.found()} <code>{found}</code>
          </p>
        )}
        {fix && (
          <p>
            <strong>{fix}</strong>
          </p>
        )}
      </>
    ),
  }
}
