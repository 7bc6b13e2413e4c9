import type { Service } from '../metadata/read-entity.js'

/** The single logout URLs of a peer as its registration stores them: one URL per binding, and one for responses if it differs. */
export interface LogoutUrls {
  redirect: string | null
  /** Used only with `redirect`. */
  redirectResponse: string | null
  post: string | null
  /** Used only with `post`. */
  postResponse: string | null
}

/** The single logout services of a peer, the preferred one first. */
export type LogoutServices = readonly [Service, ...Service[]]

/** Returns the services with these URLs; undefined if the peer has none. Keyward prefers the redirect binding, which requires no script. */
export function logoutServices(urls: LogoutUrls): LogoutServices | undefined {
  const of = (binding: Service['binding'], location: string | null, responseLocation: string | null): Service[] =>
    location === null ? [] : [{ binding, location, responseLocation: responseLocation ?? undefined }]
  const [first, ...others] = [
    ...of('redirect', urls.redirect, urls.redirectResponse),
    ...of('post', urls.post, urls.postResponse),
  ]
  return first && [first, ...others]
}

/** Returns the URLs of services in metadata: the first service of each binding. */
export function logoutUrlsOf(services: readonly Service[]): LogoutUrls {
  const [redirect, post] = (['redirect', 'post'] as const).map((wanted) =>
    services.find(({ binding }) => binding === wanted),
  )
  return {
    redirect: redirect?.location ?? null,
    redirectResponse: separateResponseUrl(redirect),
    post: post?.location ?? null,
    postResponse: separateResponseUrl(post),
  }
}

const separateResponseUrl = (service: Service | undefined): string | null =>
  service?.responseLocation === undefined || service.responseLocation === service.location
    ? null
    : service.responseLocation
