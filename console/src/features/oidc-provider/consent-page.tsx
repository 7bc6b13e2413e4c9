import { getRouteApi } from '@tanstack/react-router'
import { AnswerRequest } from './answer-request'

export function ConsentPage() {
  const { request } = getRouteApi('/consent').useRouteContext()
  return <AnswerRequest request={request} />
}
