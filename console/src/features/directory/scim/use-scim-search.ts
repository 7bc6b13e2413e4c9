import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ScimSearch } from './scim-search'

const route = getRouteApi('/signed-in/t/$slug/directory/')

/** What is chosen on the page, and how to choose otherwise: without another entry in the history, and without a jump to the top. */
export function useScimSearch() {
  const search: ScimSearch = route.useSearch()
  const { slug } = route.useParams()
  const navigate = useNavigate()
  const choose = (chosen: ScimSearch) =>
    navigate({ to: '/t/$slug/directory', params: { slug }, search: chosen, replace: true, resetScroll: false })
  return { search, choose }
}
