import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ScimSearch } from './scim-search'

const route = getRouteApi('/signed-in/t/$slug/directory/')

/** The search parameters, and a change of them that adds no history entry and keeps the scroll position. */
export function useScimSearch() {
  const search: ScimSearch = route.useSearch()
  const { slug } = route.useParams()
  const navigate = useNavigate()
  const choose = (chosen: ScimSearch) =>
    navigate({ to: '/t/$slug/directory', params: { slug }, search: chosen, replace: true, resetScroll: false })
  return { search, vendor: search.from ?? 'okta', choose }
}
