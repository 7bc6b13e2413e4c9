import { boot } from '../boot'

/** The URL of the service: usually the origin of the page, or another one of the same site. */
export const serviceAddress = (): string => boot.baseUrl ?? globalThis.location?.origin
