import { useSearch } from '../../navigation/router'
import { requestOf, samlRequestOf, signInSearch } from '../../navigation/sign-in-search'
import { ResumeRequest } from '../saml-provider/resume-request'
import { AnswerRequest } from './answer-request'

function requestsOf(search: Record<string, unknown>) {
  const asked = signInSearch(search)
  return { request: requestOf(asked), saml: samlRequestOf(asked) }
}

/** Between a sign-in and the application that asked for it, by whichever protocol. */
export function ConsentPage() {
  const { request, saml } = useSearch(requestsOf)
  if (saml) return <ResumeRequest request={saml} />
  return request && <AnswerRequest request={request} />
}
