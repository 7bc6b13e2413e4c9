import { getRouteApi } from '@tanstack/react-router'
import { ResumeRequest } from '../saml-provider/resume-request'
import { AnswerRequest } from './answer-request'

/** The page between a sign-in and the application that requested it, via OpenID Connect or SAML. */
export function ConsentPage() {
  const { request, saml } = getRouteApi('/consent').useRouteContext()
  if (saml) return <ResumeRequest request={saml} />
  return request && <AnswerRequest request={request} />
}
