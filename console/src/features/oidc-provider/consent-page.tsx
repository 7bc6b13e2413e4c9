import { getRouteApi } from '@tanstack/react-router'
import { ResumeRequest } from '../saml-provider/resume-request'
import { AnswerRequest } from './answer-request'

/** Between a sign-in and the application that asked for it, by whichever protocol. */
export function ConsentPage() {
  const { request, saml } = getRouteApi('/consent').useRouteContext()
  if (saml) return <ResumeRequest request={saml} />
  return request && <AnswerRequest request={request} />
}
