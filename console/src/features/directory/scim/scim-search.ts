import { type ScimVendor, scimVendors } from './vendors'

/** The search parameters of the page, so that its link shows the same to a colleague. */
export interface ScimSearch {
  /** the directory whose instructions are shown; the first one if absent */
  from?: ScimVendor
  show?: 'rejected'
}

/** Returns the known search parameters and drops all others. */
export function scimSearch({ from, show }: Record<string, unknown>): ScimSearch {
  const vendor = scimVendors.find((one) => one === from)
  return { ...(vendor && { from: vendor }), ...(show === 'rejected' && { show }) }
}
