import type { ReactNode } from 'react'
import type { SsoSignIn } from '../../../api/contract'
import { type Check, CheckList } from '../../../ui/check-list'
import { Facts } from '../../../ui/facts'
import { More } from '../../../ui/more'
import { Notice } from '../../../ui/notice'
import { Panel } from '../../../ui/panel'
import { RelativeTime } from '../../../ui/relative-time'
import stack from '../../../ui/stack.module.css'
import { callbackWords, ssoReportWords as reportWords, vendorWords, ssoWords as words } from '../../../words'
import { useCurrentProvider } from '../current-provider'
import { vendorOf } from '../vendors'
import { ReceivedTable } from './received-table'
import { whoOf } from './subject-of'

/** What a sign-in or a test came to, in one line. */
export function verdictOf({ kind, outcome }: SsoSignIn): string | undefined {
  if (outcome === 'would_sign_in') return words.wouldSignIn
  if (outcome === 'refused') return kind === 'test' ? words.wouldRefuse : words.refusedTitle
  return outcome && reportWords.outcome(outcome)
}

interface Props {
  signIn: SsoSignIn
  /** what there is to do now */
  next?: ReactNode
}

/** Everything that was looked at: what the provider sent, what becomes of it, and every check with what to do about it. */
export function SignInReport({ signIn, next }: Props) {
  const { kind, createdAt, checks, attributes } = signIn
  const { received = {}, mapped = {} } = attributes
  const fixOf = useFix()
  const fields = Object.entries(mapped)
  const failed = checks.filter(({ status }) => status === 'failed')
  const others = checks.filter(({ status }) => status !== 'failed')
  return (
    <>
      <Panel title={kind === 'test' ? words.reportTest : words.reportTitle} about={<RelativeTime at={createdAt} />}>
        <div className={stack.fields}>
          <Verdict signIn={signIn} />
          {next}
        </div>
      </Panel>
      {failed.length > 0 && (
        <Panel title={words.wrong}>
          <CheckList checks={failed.map((check) => shownCheck(check, fixOf))} />
        </Panel>
      )}
      <Panel title={words.received} about={Object.keys(received).length === 0 ? words.nothingReceived : undefined}>
        {Object.keys(received).length > 0 && <ReceivedTable received={received} />}
      </Panel>
      {fields.length > 0 && (
        <Panel title={words.mapped}>
          <Facts facts={fields.map(([field, value]) => ({ name: words.field(field), value }))} />
        </Panel>
      )}
      {others.length > 0 && (
        <Panel title={words.checks}>
          <More summary={words.otherChecks(others.length)}>
            <CheckList checks={others.map((check) => shownCheck(check, fixOf))} />
          </More>
        </Panel>
      )}
    </>
  )
}

function Verdict({ signIn }: { signIn: SsoSignIn }) {
  const { outcome, error, detail } = signIn
  const title = verdictOf(signIn)
  if (outcome !== 'refused')
    return (
      <Notice kind="success" {...(title && { title })}>
        <p>{outcome === 'would_sign_in' ? words.wouldSignInText(whoOf(signIn)) : whoOf(signIn)}</p>
      </Notice>
    )
  return (
    <Notice kind="warning" {...(title && { title })}>
      <p>{error ? (reportWords.refusal(error) ?? callbackWords.cause(error).title) : detail}</p>
      {error && (
        <p>
          <code>{error}</code>
        </p>
      )}
    </Notice>
  )
}

type Fix = (check: string) => string | undefined

/** What to do about a check that failed, in the words of the vendor's console. */
function useFix(): Fix {
  const provider = useCurrentProvider()
  const { saml, oidc } = vendorWords[vendorOf(provider)]
  const protocol = provider.protocol === 'SAML2' ? 'SAML2' : 'OIDC'
  const names = {
    audience: (protocol === 'SAML2' ? saml?.audience : oidc?.clientId) ?? words.attribute,
    acs: saml?.acs ?? '',
    secret: oidc?.clientSecret ?? '',
  }
  return (check) => reportWords.fix(protocol, check, names)
}

const states: Record<string, Check['state']> = { ok: 'good', failed: 'failed', skipped: 'open' }

function shownCheck({ id, status, expected, found, detail }: SsoSignIn['checks'][number], fixOf: Fix): Check {
  const state = states[status] ?? 'attention'
  const fix = state === 'failed' && fixOf(id)
  return {
    state,
    title: state === 'good' ? reportWords.check(id) : `${reportWords.stateOf(status)}: ${reportWords.check(id)}`,
    text: (
      <>
        {detail && <p>{detail}</p>}
        {state !== 'good' && expected !== undefined && (
          <p>
            {words.expected}: <code>{expected}</code>
          </p>
        )}
        {state !== 'good' && found !== undefined && (
          <p>
            {words.found}: <code>{found}</code>
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
