import { boot } from '../boot'

/** Returns the URL of the service: usually the origin of the page, or another one if the pages are served separately. */
export const serviceAddress = (): string => boot.baseUrl ?? globalThis.location?.origin
