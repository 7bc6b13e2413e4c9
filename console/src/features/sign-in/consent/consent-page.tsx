import { useSearch } from '../../../navigation/router'
import { requestOf, samlRequestOf, signInSearch } from '../../../navigation/sign-in-search'
import { ResumeRequest } from '../../saml-provider/resume-request'
import { AnswerRequest } from './answer-request'

function requestsOf(search: Record<string, unknown>) {
  const asked = signInSearch(search)
  return { request: requestOf(asked), saml: samlRequestOf(asked) }
}

/** The page between a sign-in and the application that requested it, via OpenID Connect or SAML. */
export function ConsentPage() {
  const { request, saml } = useSearch(requestsOf)
  if (saml) return <ResumeRequest request={saml} />
  return request && <AnswerRequest request={request} />
}
