interface DeviceSearch {
  /** the code, from a URL that the device showed (RFC 8628, 3.3.1) */
  user_code?: string | undefined
  result?: 'approved' | 'denied' | undefined
}

/** Reads the query of the page that a device sends its user to. */
export const deviceSearch = ({ user_code, result }: Record<string, unknown>): DeviceSearch => ({
  ...(user_code !== undefined && { user_code: String(user_code) }),
  ...((result === 'approved' || result === 'denied') && { result }),
})
